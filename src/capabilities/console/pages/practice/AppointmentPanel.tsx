/** An appointment beside the calendar, or on its own page: what is known, and what can be done. */

import type { Appointment } from "../../../../schemas/scheduling/Appointment.ts"
import { isReopenable } from "../../../../schemas/scheduling/AppointmentStates.ts"
import { fill } from "../../../../texts/fill.ts"
import { Ask, Card, Do, Field, Press, Submit, useAddress, useDesk, useIsRefused } from "../../../shared/pages/Desk.tsx"
import { birthDate } from "../../../shared/pages/format.ts"
import { RecordLink, useMoment } from "../../../shared/pages/rows.tsx"
import { dayIn } from "../../../shared/pages/zoned.ts"
import { reasonOf } from "../calendar/TimeGrid.tsx"
import { type FreeTime, useOverlaps } from "../parts/Times.tsx"
import { useTexts } from "../useTexts.ts"

interface OpenProps {
  readonly kind: "open"
  readonly now: number
  readonly one: Appointment
  /** The patient's profile. */
  readonly profile: Readonly<Record<string, unknown>>
}

interface MoveProps {
  readonly kind: "move"
  readonly one: Appointment
  /** The time that was pressed; null: none yet. */
  readonly to: Pick<FreeTime, "doctor_uid" | "start_date"> | null
  /** The patient's other confirmed appointments from now on. */
  readonly others: ReadonlyArray<Appointment>
  /** Whether the appointment can be moved there. */
  readonly fits: boolean
  readonly doctorNames: ReadonlyMap<string, string>
}
export type PanelProps = OpenProps | MoveProps

const textIn = (profile: OpenProps["profile"], field: string) => {
  const value = profile[field]
  return typeof value === "string" && value !== "" ? value : null
}

/** Who comes to whom, when and why, and how the patient can be reached. */
export const AppointmentFacts = ({
  one,
  profile,
  replacement
}: Pick<OpenProps, "one" | "profile"> & { readonly replacement?: Appointment | null }) => {
  const { practice: texts, formats, doctor, calendar } = useTexts()
  const when = useMoment()
  const { language } = useDesk()
  const [phone, email, born] = ["phone", "email", "date_of_birth"].map((field) => textIn(profile, field))
  return (
    <>
      <p>
        <RecordLink of="patients" uid={one.patient_uid} text={one.patient_display_name} />
        {born ? ` · ${fill(doctor.born, { date: birthDate(language, born) })}` : null}
        {phone ? (
          <>
            <br />
            <a href={`tel:${phone.replaceAll(/[^+\d]/g, "")}`}>{phone}</a>
          </>
        ) : null}
        {email ? (
          <>
            <br />
            <a href={`mailto:${email}`}>{email}</a>
          </>
        ) : null}
      </p>
      <p>
        {one.doctor_display_name}
        <br />
        {[one.appointment_type_name, formats[one.meeting_format], ...one.resources.map(({ name }) => name)]
          .filter(Boolean)
          .join(" · ")}
      </p>
      {one.visit_reason === null ? null : <p>{one.visit_reason}</p>}
      {reasonOf(one) === null ? null : <p>{`${texts.cancelledBecause}: ${reasonOf(one)}`}</p>}
      {replacement == null ? null : (
        <p>
          {`${calendar.movedTo} `}
          <RecordLink
            of="appointments"
            uid={replacement.uid}
            text={`${when(replacement.start_date)}, ${replacement.doctor_display_name}`}
          />
        </p>
      )}
    </>
  )
}

/** What can be done with an appointment now; each act that cannot be undone asks first. */
export const AppointmentActs = ({ one, now }: Pick<OpenProps, "one" | "now">) => {
  const { practice: texts, calendar } = useTexts()
  const path = `/v1/management/scheduling/appointments/${one.uid}`
  const cancel = `POST ${path}/cancel`
  const when = useMoment()
  const question = (text: string) => fill(text, { who: one.patient_display_name, time: when(one.start_date) })
  return (
    <>
      {one.status === "confirmed" && now >= one.start_date ? (
        <>
          <Ask
            operation={`POST ${path}/complete`}
            text={texts.complete}
            question={question(calendar.completeQuestion)}
          />
          <Ask operation={`POST ${path}/no-show`} text={texts.noShow} question={question(calendar.noShowQuestion)} />
        </>
      ) : null}
      {isReopenable(one, now) ? <Press operation={`POST ${path}/reopen`} text={calendar.undo} /> : null}
      {one.status === "confirmed" || one.status === "held" ? (
        <details open={useIsRefused(cancel)}>
          <summary>{`${texts.cancel} …`}</summary>
          <Do operation={cancel}>
            <p>{question(calendar.cancelQuestion)}</p>
            <Field label={texts.reason} name="reason" required />
            <Submit text={texts.cancel} look="primary danger" />
          </Do>
        </details>
      ) : null}
    </>
  )
}

/** The appointment beside the calendar. */
export const AppointmentPanel = ({ one, now, profile }: OpenProps) => {
  const { practice: texts, statuses, calendar } = useTexts()
  const { zone } = useDesk()
  const link = useAddress()
  const when = useMoment()
  return (
    <aside id="panel" aria-label={texts.appointment}>
      <Card id="chosen" title={when(one.start_date)}>
        <p>
          <span class="badge">{statuses[one.status]}</span>
        </p>
        <AppointmentFacts one={one} profile={profile} />
        {one.status === "confirmed" ? (
          <>
            <form class="press" action={`/console/practice/appointments/${one.uid}`}>
              <Field
                label={calendar.moveElsewhere}
                name="day"
                type="date"
                value={dayIn(one.start_date, zone)}
                required
              />
              <Submit text={texts.findTimes} look="secondary" />
            </form>
            <p class="actions">
              <a class="secondary" href={link({ move: one.uid, appointment: null, to: null })}>
                {calendar.moveHere}
              </a>
            </p>
          </>
        ) : null}
        <AppointmentActs one={one} now={now} />
        {one.status === "confirmed" && one.start_date >= now ? (
          <p>
            <a
              class="quiet"
              href={`/console/practice/patients?${new URLSearchParams({
                type: one.appointment_type_uid ?? "",
                doctor: one.doctor_uid,
                start: String(one.start_date),
                squeeze: "true"
              })}`}
            >
              {calendar.squeezeIn}
            </a>
          </p>
        ) : null}
        <p class="actions">
          <RecordLink of="appointments" uid={one.uid} class="quiet" text={calendar.wholePage} />
          <a class="quiet" href={link({ appointment: null })}>
            {calendar.close}
          </a>
        </p>
      </Card>
    </aside>
  )
}

/** Asks before an appointment is moved: nothing is sent to the patient until then. */
export const MovePanel = ({ one, to, others, fits, doctorNames }: MoveProps) => {
  const { practice: texts, calendar } = useTexts()
  const link = useAddress()
  const when = useMoment()
  const back = link({ move: null, to: null, appointment: null })
  const overlapsOf = useOverlaps(others)
  const length = one.end_date - one.start_date
  const overlap = to && overlapsOf({ start_date: to.start_date, end_date: to.start_date + length })
  return (
    <aside id="panel" aria-label={texts.move}>
      <Card id="chosen" title={texts.move}>
        <p>{`${one.patient_display_name}: ${when(one.start_date)} · ${one.doctor_display_name}`}</p>
        {to === null ? (
          <p>{calendar.pressTarget}</p>
        ) : fits ? (
          <Do
            operation={`POST /v1/scheduling/appointments/${one.uid}/rebook`}
            hidden={{ new_start_date: to.start_date, new_doctor_uid: to.doctor_uid }}
            back={back}
          >
            <p>
              {fill(calendar.moveQuestion, {
                time: `${when(to.start_date)}, ${doctorNames.get(to.doctor_uid) ?? to.doctor_uid}`
              })}
            </p>
            {overlap === null ? null : <p class="notice warn">{overlap}</p>}
            <Submit text={calendar.moveNow} />
          </Do>
        ) : (
          <p class="notice warn" role="alert">
            {calendar.doesNotFit}
          </p>
        )}
        <p class="actions">
          <a class="quiet" href={back}>
            {calendar.dontMove}
          </a>
        </p>
      </Card>
    </aside>
  )
}
