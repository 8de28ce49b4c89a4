/** A time that was pressed in the calendar: what speaks against it, and the button that books it for somebody. Rule 17.6.28. */

import { clockTime } from "../../../../pages/time.ts"
import type { Patient } from "../../../../schemas/access/Patient.ts"
import type { Appointment } from "../../../../schemas/scheduling/Appointment.ts"
import { fill } from "../../../../texts/fill.ts"
import { Press, useDesk } from "../../../shared/pages/Desk.tsx"
import { useMoment } from "../../../shared/pages/rows.tsx"
import type { CalendarSubject } from "../../../shared/schemas/Calendar.ts"
import type { Wishes } from "../parts/Times.tsx"
import { useTexts } from "../useTexts.ts"

export interface ChosenTime {
  readonly start: number
  readonly end: number
  readonly type: string
  readonly doctor: string
  readonly names: ReadonlyMap<string, string>
  /** Whether the patient is squeezed in, whatever speaks against it. */
  readonly squeeze: boolean
  readonly format: Wishes["format"]
  /** The doctor's hours around the time. */
  readonly subject: CalendarSubject | null
  /** The doctor's appointments at the time. */
  readonly taken: ReadonlyArray<Appointment>
}

/** Why the time is not offered. */
const useReasons = ({ start, end, subject, taken }: ChosenTime) => {
  const { why } = useTexts().calendar
  const { language, zone, inCalendar } = useDesk()
  const lies = ({ from, to }: { readonly from: number; readonly to: number }) => from < end && to > start
  const isOpen = subject?.open.some(({ from, to }) => from <= start && to >= end) ?? false
  const others = taken.map((one) => `${clockTime(language, zone, one.start_date)} ${one.patient_display_name}`)
  return [
    ...(isOpen ? [] : [why.closed]),
    ...(subject === null
      ? []
      : inCalendar(subject)
          .filter(lies)
          .map(({ text }) => fill(why.busy, { what: text }))),
    ...(subject?.busy.some(lies) ? [why.elsewhere] : []),
    ...(others.length === 0 ? [] : [fill(why.taken, { others: others.join(", ") })])
  ]
}

/** The time, and what speaks against it where somebody is squeezed in. */
export const ChosenNotice = ({ chosen, text }: { readonly chosen: ChosenTime; readonly text: string }) => {
  const at = useMoment()
  const reasons = useReasons(chosen)
  const time = [at(chosen.start), chosen.names.get(chosen.doctor), chosen.names.get(chosen.type)].join(" · ")
  const isWarned = chosen.squeeze && reasons.length > 0
  return (
    <div class={isWarned ? "notice warn" : "notice"}>
      {fill(text, { time })}
      {isWarned ? (
        <ul>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

interface BookProps {
  readonly chosen: ChosenTime
  readonly patient: Pick<Patient, "uid" | "shop_uid">
  readonly name: string
}

/** Books the time for the patient by one press; the page after it is the patient's. */
export const BookChosen = ({ chosen, patient, name }: BookProps) => {
  const { calendar, practice } = useTexts()
  const at = useMoment()
  const { type, doctor, start, squeeze, format } = chosen
  const text = squeeze ? calendar.squeezeNow : practice.book
  return (
    <Press
      operation="POST /v1/management/scheduling/appointments"
      hidden={{
        shop_uid: patient.shop_uid,
        patient_uid: patient.uid,
        appointment_type_uid: type,
        doctor_uid: doctor,
        start_date: start,
        squeeze_in: squeeze ? "true" : undefined,
        meeting_format: format || undefined
      }}
      back={`/console/practice/patients/${patient.uid}`}
      text={text}
      label={`${text}: ${name}, ${at(start)}`}
      look={squeeze ? "primary danger" : "primary"}
    />
  )
}
