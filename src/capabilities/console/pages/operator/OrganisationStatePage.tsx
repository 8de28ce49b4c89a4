import type { WebhookBacklog } from "../../../../schemas/events/WebhookBacklog.ts"
import { fill } from "../../../../texts/fill.ts"
import { Card, PageHead, Rows, useDesk } from "../../../shared/pages/Desk.tsx"
import { moment } from "../../../shared/pages/format.ts"
import { Subject } from "../../../shared/pages/rows.tsx"
import type { OrganisationState } from "../../schemas/Installation.ts"
import { useTexts } from "../useTexts.ts"
import { useOwnerFacts } from "./OrganisationsPage.tsx"
import { Facts } from "./OverviewPage.tsx"

type Member = OrganisationState["members"][number]

interface OrganisationStateProps {
  readonly state: OrganisationState
  /** Its subscriptions with pending or failed deliveries. */
  readonly webhooks: ReadonlyArray<WebhookBacklog>
  /** Where its audit log is; null without the page. */
  readonly auditOf: ((uid: string) => string) | null
}

/** One organisation: what it lacks, what fails, and who works in it. */
export const OrganisationStatePage = ({ state, webhooks, auditOf }: OrganisationStateProps) => {
  const { operator, practice, team } = useTexts()
  const { organisation: texts, mails } = operator
  const { language, zone } = useDesk()
  const factsOf = useOwnerFacts()
  const { uid, setup, doctors, shops, members, last_activity_at: last } = state
  const time = (seconds: number | null) => (seconds === null ? "–" : moment(language, zone, seconds))
  const steps = [
    [practice.firstSteps.steps.doctor, doctors > 0],
    [practice.firstSteps.steps.hours, setup.hours],
    [practice.firstSteps.steps.type, setup.types > 0],
    [practice.firstSteps.steps.legal, setup.legal],
    [texts.shopMade, shops.length > 0],
    [texts.booked, setup.booked]
  ] as const
  const roleOf = (kind: Member["kind"], role: Member["role"]) =>
    kind === "doctor"
      ? practice.doctor
      : kind === "api_key"
        ? texts.key
        : role === null
          ? texts.person
          : team.roles[role]
  const seenAs = (kind: Member["kind"]) => (kind === "api_key" ? texts.lastUse : team.seen)
  const present = members.filter(({ active }) => active)
  return (
    <>
      <PageHead title={state.name}>
        {auditOf === null ? null : (
          <a class="secondary" href={auditOf(uid)}>
            {operator.log}
          </a>
        )}
      </PageHead>
      <p class="help">
        {factsOf(state)} · {fill(texts.lastUse, { time: time(last) })} · <code>{uid}</code>
      </p>
      <div class="board">
        <Card id="setup" title={practice.firstSteps.title}>
          <ul class="rows">
            {steps.map(([text, isDone]) => (
              <li key={text}>
                <span class="grow">{text}</span>
                <span class={isDone ? "badge" : "badge warn"}>
                  {isDone ? practice.checklist.done : practice.checklist.open}
                </span>
              </li>
            ))}
          </ul>
        </Card>
        <Card id="mails" title={mails.title}>
          <Facts
            of={[
              [mails.waiting, state.mails.waiting],
              [mails.failed, state.mails.failed],
              [mails.last, time(state.mails.last_sent_at)]
            ]}
          />
        </Card>
        <Card id="webhooks" title={operator.webhooks}>
          <Rows of={webhooks} empty={{ what: "webhooks" }}>
            {({ subscription_uid, url, pending, failed }) => (
              <li key={subscription_uid}>
                <a class="grow" href="/console/operator/backlog#webhooks">
                  {url}
                </a>
                {`${operator.pending}: ${pending} · ${operator.givenUp}: ${failed}`}
              </li>
            )}
          </Rows>
        </Card>
        <Card id="members" title={texts.members}>
          {present.length === 0 ? (
            <p class="help">–</p>
          ) : (
            <ul class="rows pairs">
              {present.map(({ kind, uid, name, role, seen_at }) => (
                <li key={uid}>
                  <Subject below={[seen_at === null ? null : fill(seenAs(kind), { time: time(seen_at) })]}>
                    {name}
                  </Subject>
                  <span class="badge">{roleOf(kind, role)}</span>
                </li>
              ))}
            </ul>
          )}
        </Card>
      </div>
    </>
  )
}
