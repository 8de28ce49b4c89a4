import type { ComponentChildren } from "preact"
import type { Appointment } from "../../../../schemas/scheduling/Appointment.ts"
import type { Resource } from "../../../../schemas/scheduling/Resource.ts"
import {
  Card,
  Do,
  Field,
  PageHead,
  Press,
  Rows,
  Submit,
  useAddress,
  useDesk,
  YesNoField
} from "../../../shared/pages/Desk.tsx"
import { moment } from "../../../shared/pages/format.ts"
import { RecordLink } from "../../../shared/pages/rows.tsx"
import { WeekHead } from "../parts/WeekHead.tsx"
import { useTexts } from "../useTexts.ts"

const RESOURCES = "/v1/management/scheduling/resources"

const ResourceFields = ({ one }: { readonly one: Resource | null }) => {
  const { practice: texts } = useTexts()
  return (
    <div class="entries">
      <Field label={texts.name} name="name" value={one?.name} required />
      <Field label={texts.kind} name="kind" value={one?.kind} options={Object.entries(texts.takes.kinds)} />
      <Field label={texts.takes.site} name="site" value={one?.site} />
      <YesNoField label={texts.takes.always} name="always_available" value={one?.always_available ?? true} />
    </div>
  )
}

/** Appointments with their doctor and type, each linked to its page. */
const Listed = ({ appointments }: { readonly appointments: ReadonlyArray<Appointment> }) => {
  const { language, zone } = useDesk()
  return (
    <Rows of={appointments} empty={{ what: "week" }}>
      {(one) => (
        <li key={one.uid}>
          <RecordLink of="appointments" uid={one.uid} class="grow" text={moment(language, zone, one.start_date)} />
          <span class="help">{[one.doctor_display_name, one.appointment_type_name].filter(Boolean).join(", ")}</span>
        </li>
      )}
    </Rows>
  )
}

interface ResourcesProps {
  readonly resources: ReadonlyArray<Resource>
  readonly chosen: {
    readonly resource: Resource
    /** Monday of the shown week, and its midnight. */
    readonly monday: string
    readonly midnight: number
    readonly week: ReadonlyArray<Appointment>
    /** Appointments to come, which its removal would hit. */
    readonly hit: ReadonlyArray<Appointment>
    readonly hours: ComponentChildren
  } | null
}

/** Rooms, devices and persons: each with its week, its hours, and what its removal would hit. */
export const ResourcesPage = ({ resources, chosen }: ResourcesProps) => {
  const { practice: texts, frame } = useTexts()
  const address = useAddress()
  return (
    <>
      {chosen === null ? (
        <PageHead title={texts.pages.resources} />
      ) : (
        <WeekHead monday={chosen.monday} midnight={chosen.midnight} label={texts.takes.week} />
      )}
      <div class="board">
        <Card id="resources" title={texts.pages.resources}>
          <Rows of={resources} empty={{ what: "resources" }}>
            {(one) => (
              <li key={one.uid}>
                <a
                  class="grow"
                  href={address({ resource: one.uid })}
                  aria-current={one.uid === chosen?.resource.uid ? "true" : undefined}
                >
                  {one.name}
                </a>
                <span class="help">{texts.takes.kinds[one.kind]}</span>
                <span class={one.active ? "badge" : "badge warn"}>{one.active ? texts.active : texts.inactive}</span>
              </li>
            )}
          </Rows>
          <details open={resources.length === 0}>
            <summary>{texts.takes.newResource}</summary>
            <Do operation={`POST ${RESOURCES}`}>
              <ResourceFields one={null} />
              <Submit text={texts.create} />
            </Do>
          </details>
        </Card>
        {chosen === null ? null : (
          <>
            <Card id="week" title={`${texts.takes.week}: ${chosen.resource.name}`}>
              <Listed appointments={chosen.week} />
            </Card>
            <Card id="chosen" title={chosen.resource.name}>
              <Do operation={`PATCH ${RESOURCES}/${chosen.resource.uid}`}>
                <ResourceFields one={chosen.resource} />
                <YesNoField label={texts.active} name="active" value={chosen.resource.active} />
                <Submit text={frame.save} />
              </Do>
              <details>
                <summary>{`${frame.remove}: ${chosen.resource.name}`}</summary>
                {chosen.hit.length === 0 ? (
                  <p class="help">{texts.takes.hitNone}</p>
                ) : (
                  <>
                    <p>{texts.takes.hit}</p>
                    <Listed appointments={chosen.hit} />
                  </>
                )}
                <Press
                  operation={`DELETE ${RESOURCES}/${chosen.resource.uid}`}
                  text={frame.remove}
                  label={`${frame.remove}: ${chosen.resource.name}`}
                  look="quiet"
                  back="/console/practice/resources"
                />
              </details>
            </Card>
          </>
        )}
      </div>
      {chosen?.hours}
    </>
  )
}
