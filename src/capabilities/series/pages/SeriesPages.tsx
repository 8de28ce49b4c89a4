import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { fill, plural } from "../../../texts/fill.ts"
import type { AddedCardProps } from "../../shared/pages/added.ts"
import { Card, Do, Field, PageHead, Submit, useDesk, useTexts } from "../../shared/pages/Desk.tsx"
import { calendarDate } from "../../shared/pages/format.ts"
import { type Choices, RecordLink, Subject, useMoment } from "../../shared/pages/rows.tsx"
import { dayIn } from "../../shared/pages/zoned.ts"
import type { SeriesAppointment } from "../schemas/Series.ts"
import { deskTextsOf } from "../texts/desk.ts"

/** What a series is to be, as the query asks for it. */
export interface WantedSeries {
  readonly type: string
  readonly doctor: string
  readonly day: string
  readonly time: string
  readonly count: number
  readonly weeks: number
  readonly conflict: "skip" | "shift"
}

/** One date of a plan: the regular start, and what becomes of it. */
export interface PlannedStart {
  readonly start: number
  readonly outcome: "free" | "slot_taken" | "slot_not_offered"
  /** The start that is booked instead; null: the regular one. */
  readonly instead: number | null
  /** The patient's other appointments at the time. */
  readonly overlaps: ReadonlyArray<Overlap>
}

export type Overlap = SeriesAppointment["overlaps"][number]

interface SeriesProps {
  readonly patient: { readonly uid: string; readonly shop_uid: string; readonly name: string }
  readonly types: Choices
  readonly doctors: Choices
  readonly wanted: WantedSeries
  /** Null before it was asked for. */
  readonly plan: ReadonlyArray<PlannedStart> | null
  /** Unix seconds of the first start. */
  readonly first: number
}

const Plan = ({ patient, wanted, plan, first }: SeriesProps & { readonly plan: ReadonlyArray<PlannedStart> }) => {
  const { words } = useTexts()
  const texts = deskTextsOf(useDesk().language)
  const { language } = useDesk()
  const at = useMoment()
  const free = plan.filter(({ outcome }) => outcome === "free").length
  const faults = { slot_taken: texts.taken, slot_not_offered: texts.notOffered }
  return (
    <Card id="plan" title={texts.planned}>
      {free === 0 ? <p>{texts.none}</p> : <p class="help">{texts.choose}</p>}
      <Do
        operation="POST /v1/management/scheduling/appointment-series"
        hidden={{
          patient_uid: patient.uid,
          shop_uid: patient.shop_uid,
          appointment_type_uid: wanted.type,
          doctor_uid: wanted.doctor,
          start_date: first,
          count: wanted.count,
          interval_weeks: wanted.weeks,
          on_conflict: wanted.conflict
        }}
        back={`/console/practice/patients/${encodeURIComponent(patient.uid)}`}
        label={texts.planned}
      >
        <ol class="rows">
          {plan.map(({ start, outcome, instead, overlaps }) => (
            <li key={start}>
              <Subject below={[instead === null ? null : fill(texts.moved, { time: at(start) })]}>
                {at(instead ?? start)}
              </Subject>
              {overlaps.map((one) => (
                <span key={one.uid} class="badge warn">
                  {fill(words.atTheSameTime, { others: `${at(one.start_date)} ${one.doctor_display_name}` })}
                </span>
              ))}
              {outcome === "free" ? (
                <label class="choice">
                  <input
                    type="checkbox"
                    name="except"
                    value={start}
                    aria-label={`${texts.leaveOut}: ${at(instead ?? start)}`}
                  />
                  {texts.leaveOut}
                </label>
              ) : (
                <span class="badge warn">{faults[outcome]}</span>
              )}
            </li>
          ))}
        </ol>
        {free === 0 ? null : <Submit text={plural(language, texts.bookAll, free)} />}
      </Do>
    </Card>
  )
}

/** Plans several appointments as one act: what is free, what is not, and which dates to leave out. */
export const SeriesPage = (props: SeriesProps) => {
  const { patient, types, doctors, wanted, plan } = props
  const { words } = useTexts()
  const texts = deskTextsOf(useDesk().language)
  return (
    <>
      <PageHead title={fill(texts.planFor, { name: patient.name })} />
      <div class="board">
        <Card id="wanted" title={texts.title}>
          <form class="stack" action="/console/practice/series">
            <input type="hidden" name="patient" value={patient.uid} />
            <div class="entries">
              <Field label={words.type} name="type" value={wanted.type} options={types} />
              <Field label={words.doctor} name="doctor" value={wanted.doctor} options={doctors} />
              <Field label={texts.day} name="day" type="date" value={wanted.day} required />
              <Field label={texts.time} name="time" type="time" value={wanted.time} required />
              <Field label={texts.count} name="count" type="number" min={2} max={26} value={wanted.count} required />
              <Field label={texts.interval} name="weeks" type="number" min={1} max={52} value={wanted.weeks} required />
              <Field
                label={texts.conflict}
                name="conflict"
                value={wanted.conflict}
                options={Object.entries(texts.conflicts)}
              />
            </div>
            <button type="submit" class="primary" name="plan" value="1">
              {texts.show}
            </button>
          </form>
        </Card>
        {plan === null ? null : <Plan {...props} plan={plan} />}
      </div>
    </>
  )
}

interface MembersProps {
  readonly series: string
  readonly patient: { readonly uid: string; readonly name: string }
  /** By start. */
  readonly members: ReadonlyArray<Appointment>
  readonly now: number
}

/** The appointments of a series; those from one on are cancelled by one act. */
export const SeriesMembersPage = ({ series, patient, members, now }: MembersProps) => {
  const { words, statuses } = useTexts()
  const texts = deskTextsOf(useDesk().language)
  const { language, zone } = useDesk()
  const at = useMoment()
  const ahead = members.filter(({ status, start_date }) => status === "confirmed" && start_date > now)
  const back = `/console/practice/patients/${encodeURIComponent(patient.uid)}`
  return (
    <>
      <PageHead title={`${texts.title}: ${patient.name}`}>
        <a class="quiet" href={back}>
          {patient.name}
        </a>
      </PageHead>
      <Card id="members" title={texts.members}>
        <ol class="rows">
          {members.map((one) => {
            const later = ahead.filter(({ start_date }) => start_date >= one.start_date).length
            const day = calendarDate(language, dayIn(one.start_date, zone))
            return (
              <li key={one.uid}>
                <RecordLink of="appointments" uid={one.uid} class="grow" text={at(one.start_date)} />
                <span class="help">{one.doctor_display_name}</span>
                <span class="badge">{statuses[one.status]}</span>
                {ahead.includes(one) ? (
                  <details>
                    <summary aria-label={`${texts.cancelFrom}: ${day}`}>{texts.cancelFrom}</summary>
                    <Do
                      operation={`POST /v1/management/scheduling/appointment-series/${series}/cancel`}
                      hidden={{ from: one.start_date }}
                    >
                      <p>{fill(plural(language, texts.cancelQuestion, later), { day })}</p>
                      <Field label={words.reason} name="reason" required />
                      <Submit text={plural(language, texts.cancelNow, later)} look="primary danger" />
                    </Do>
                  </details>
                ) : null}
              </li>
            )
          })}
        </ol>
      </Card>
    </>
  )
}

/** From an appointment to the series that it belongs to. */
export const ToSeries = ({ one }: AddedCardProps["appointmentDetails"]) => {
  const texts = deskTextsOf(useDesk().language)
  return one.series_uid === null ? null : (
    <p>
      <a href={`/console/practice/series?${new URLSearchParams({ series: one.series_uid, patient: one.patient_uid })}`}>
        {texts.toSeries}
      </a>
    </p>
  )
}

/** From a patient to planning a series. */
export const PlanSeries = ({ patient_uid }: AddedCardProps["patientHead"]) => (
  <a class="secondary" href={`/console/practice/series?${new URLSearchParams({ patient: patient_uid })}`}>
    {deskTextsOf(useDesk().language).plan}
  </a>
)
