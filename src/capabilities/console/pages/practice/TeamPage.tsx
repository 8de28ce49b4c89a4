import { practiceRoles } from "../../../../schemas/access/PracticeRole.ts"
import { fill } from "../../../../texts/fill.ts"
import { Card, Do, Field, PageHead, Press, Rows, Submit, useDesk } from "../../../shared/pages/Desk.tsx"
import { moment } from "../../../shared/pages/format.ts"
import { Subject } from "../../../shared/pages/rows.tsx"
import type { StaffPerson } from "../../schemas/StaffPerson.ts"
import { useTexts } from "../useTexts.ts"

const STAFF = "/v1/management/staff"

const useRoles = () => {
  const { team: texts } = useTexts()
  return practiceRoles.map((role) => [role, texts.roles[role]] as const)
}

const PersonRow = ({ one, isSelf }: { readonly one: StaffPerson; readonly isSelf: boolean }) => {
  const { team: texts, frame, practice } = useTexts()
  const { language, zone } = useDesk()
  const roles = useRoles()
  const operation = `PATCH ${STAFF}/${one.uid}`
  const name = one.display_name
  const facts = [
    one.role === null ? null : texts.roles[one.role],
    one.role_from === "provider" && one.role !== null ? texts.fromProvider : null,
    one.email,
    one.seen_at === null ? null : fill(texts.seen, { time: moment(language, zone, one.seen_at) }),
    one.invitation_expires_at === null
      ? null
      : fill(texts.expires, { time: moment(language, zone, one.invitation_expires_at) })
  ]
  return (
    <li>
      <Subject below={[facts.filter(Boolean).join(" · ")]}>{isSelf ? fill(texts.self, { name }) : name}</Subject>
      <span class={one.status === "removed" ? "badge warn" : "badge"}>{texts.statuses[one.status]}</span>
      {isSelf ? null : (
        <details>
          <summary aria-label={`${practice.change}: ${name}`}>{practice.change}</summary>
          <Do operation={operation} label={name}>
            <Field label={practice.name} name="display_name" value={name} required />
            <Field label={practice.email} name="email" type="email" value={one.email} />
            <Field label={texts.role} name="role" value={one.role ?? "read_only"} options={roles} />
            <Submit text={frame.save} look="secondary" />
          </Do>
          <p class="actions">
            {one.status === "active" ? null : (
              <Press
                operation={`POST ${STAFF}/${one.uid}/invitation`}
                show="invitation_url"
                text={texts.again}
                label={`${texts.again}: ${name}`}
              />
            )}
          </p>
          {one.status === "removed" ? null : (
            <>
              <p>{fill(texts.removeQuestion, { name })}</p>
              <Press
                operation={`DELETE ${STAFF}/${one.uid}`}
                text={texts.remove}
                label={`${texts.remove}: ${name}`}
                look="quiet"
              />
            </>
          )}
        </details>
      )}
    </li>
  )
}

interface TeamProps {
  readonly people: ReadonlyArray<StaffPerson>
  /** The signed-in person's identifier at the provider: nobody changes the own role. */
  readonly self: string
}

/** Who may sign in to the practice, with which role; invitations. */
export const TeamPage = ({ people, self }: TeamProps) => {
  const { team: texts, practice } = useTexts()
  const roles = useRoles()
  const create = `POST ${STAFF}`
  return (
    <>
      <PageHead title={texts.title} />
      <div class="board two">
        <Card id="people" title={texts.people}>
          <p class="help">{texts.help}</p>
          <Rows of={people} empty={{ what: "team", to: "#invite" }}>
            {(one) => <PersonRow key={one.uid} one={one} isSelf={one.subject === self} />}
          </Rows>
        </Card>
        <Card id="invite" title={texts.invite}>
          <p class="help">{texts.inviteHelp}</p>
          <Do operation={create} show="invitation_url" label={texts.invite}>
            <Field label={practice.name} name="display_name" value="" required />
            <Field label={practice.email} name="email" type="email" value="" required />
            <Field label={texts.role} name="role" value="reception" options={roles} />
            <Submit text={texts.invite} />
          </Do>
          <h3>{texts.whatMay}</h3>
          <dl>
            {roles.map(([role, name]) => (
              <div key={role}>
                <dt>
                  <strong>{name}</strong>
                </dt>
                <dd>{texts.may[role]}</dd>
              </div>
            ))}
          </dl>
        </Card>
      </div>
    </>
  )
}
