/** The calendar of the demo practice: four weeks behind and four ahead of today, the same for the same day. */
import { PCGRandom } from "effect/Utils"
import { DAY, HOUR, MINUTE } from "../../../../../schemas/seconds.ts"
import { temporal } from "../../../../../schemas/timeZones.ts"
import { type DemoDoctor, doctors, kinds, patients } from "./people.ts"

export interface DemoAppointment {
  readonly uid: string
  readonly doctor_uid: string
  readonly patient_uid: string
  readonly appointment_type_uid: string
  readonly status: "confirmed" | "completed" | "no_show" | "cancelled"
  readonly start_date: number
  readonly end_date: number
  readonly created_at: number
  readonly visit_reason: string | null
  readonly meeting_format: "DIGITAL" | "IN_PERSON"
}

const WEEKS = 4

const reasons = [
  "Husten seit zwei Wochen",
  "Rückenschmerzen nach dem Umzug",
  "Ausschlag am Unterarm",
  "Schlafstörungen",
  "Blutdruck besprechen",
  "Laborwerte besprechen",
  "Folgerezept",
  "Kind mit Fieber",
  "Migräne",
  "Knie geschwollen"
]

/** How full a day is: 85 % of what is behind, and less the further ahead, so that times are free. */
const fullness = (day: number) => (day < 1 ? 0.85 : Math.max(0.3, 0.8 - day * 0.018))

/** The state of an appointment: what is behind has ended in one way or another. */
const statusOf = (isOver: boolean, draw: number): DemoAppointment["status"] => {
  if (draw < 0.08) return "cancelled"
  if (!isOver) return "confirmed"
  return draw < 0.12 ? "no_show" : "completed"
}

/**
 * The appointments of all doctors. `now`, Unix seconds: `aroundNow` is left out of the calendar, since what happens there is made one
 * by one. `isOff` says on which days a doctor is away.
 */
export const calendarOf = (
  now: number,
  aroundNow: { readonly doctor_uid: string; readonly from: number; readonly to: number },
  isOff: (doctor: DemoDoctor, day: number) => boolean
): ReadonlyArray<DemoAppointment> => {
  const random = new PCGRandom(7)
  return doctors.flatMap((doctor) => {
    const today = temporal.Instant.fromEpochMilliseconds(now * 1000)
      .toZonedDateTimeISO(doctor.timezone)
      .toPlainDate()
    const days = Array.from({ length: 2 * WEEKS * 7 }, (_, i) => i - WEEKS * 7)
    return days.flatMap((day) => {
      const date = today.add({ days: day })
      if (isOff(doctor, day)) return []
      return doctor.hours
        .filter(([weekdays]) => weekdays.includes(date.dayOfWeek - 1))
        .flatMap(([, from, to]) => {
          const midnight = date.toZonedDateTime({ timeZone: doctor.timezone }).epochMilliseconds / 1000
          const made: Array<DemoAppointment> = []
          let at = from
          while (at < to) {
            const kind = doctor.kinds[random.integer(doctor.kinds.length)] ?? "video"
            const { minutes, inPerson } = kinds[kind]
            const start_date = midnight + at * MINUTE
            const end_date = start_date + minutes * MINUTE
            at += minutes
            const isTaken = random.number() < fullness(day)
            const patient = patients[random.integer(patients.length)]
            const draw = random.number()
            const daysBefore = 1 + random.integer(20)
            const reason = reasons[random.integer(reasons.length * 2)]
            const isAround =
              doctor.uid === aroundNow.doctor_uid && start_date < aroundNow.to && end_date > aroundNow.from
            if (!isTaken || at > to || isAround || patient === undefined) continue
            made.push({
              uid: `apt_${doctor.uid.slice(4)}_${date}_${at}`,
              doctor_uid: doctor.uid,
              patient_uid: patient.uid,
              appointment_type_uid: `aty_${kind}`,
              status: statusOf(end_date + HOUR < now, draw),
              start_date,
              end_date,
              created_at: Math.min(start_date - daysBefore * DAY, now - HOUR),
              visit_reason: reason ?? null,
              meeting_format: inPerson ? "IN_PERSON" : "DIGITAL"
            })
          }
          return made
        })
    })
  })
}

/** What happens with the first doctor just now: somebody waits, somebody has not come, and the next is announced late. */
export const aroundNow = (now: number) => {
  const start = Math.floor(now / (5 * MINUTE)) * 5 * MINUTE
  const doctor_uid = doctors[0]?.uid ?? ""
  const at = (name: string, patient: number, offset: number): DemoAppointment => ({
    uid: `apt_now_${name}`,
    doctor_uid,
    patient_uid: `pat_garten_${patient}`,
    appointment_type_uid: "aty_video",
    status: "confirmed",
    start_date: start + offset * MINUTE,
    end_date: start + (offset + kinds.video.minutes) * MINUTE,
    created_at: start - 3 * DAY,
    visit_reason: reasons[patient] ?? null,
    meeting_format: "DIGITAL"
  })
  return {
    doctor_uid,
    from: start - 45 * MINUTE,
    to: start + 45 * MINUTE,
    appointments: [at("overdue", 2, -40), at("waiting", 1, 0), at("late", 3, 20)]
  }
}

/** Midnight of a day relative to today, UTC, as overrides have it. */
export const dateIn = (now: number, days: number) => Math.floor(now / DAY + days) * DAY
