/** Appointments of one doctor from a calendar file (RFC 5545): the patient is the attendee who is not the doctor. */
import { Array, Effect, Either } from "effect"
import { DoctorUid } from "../../../../schemas/ids.ts"
import { DAY } from "../../../../schemas/seconds.ts"
import { importOf } from "../../../shared/services/importing/importing.ts"
import { type Goal, hashed, isSame, planFor, unreadable } from "../../../shared/services/importing/importPlan.ts"
import { expand } from "./expand.ts"
import { CalendarUnreadable } from "./unreadable.ts"

/** Repeated events are read for so long, from now on. */
const PERIOD = 2 * 366 * DAY

/** The person of a line such as `ATTENDEE;CN="Ada Example":mailto:ada@example.org`; none for rooms and the like. */
const personOf = (line: string) => {
  const [, role = "", email] = /^(ATTENDEE|ORGANIZER)\b.*?:mailto:(.+)$/i.exec(line) ?? []
  const [, quoted, name = ""] = /;CN=(?:"([^"]*)"|([^;:]*))/i.exec(line) ?? []
  if (email === undefined || /;CUTYPE="?(?:RESOURCE|ROOM|GROUP)/i.test(line)) return []
  return [{ email: email.trim().toLowerCase(), name: quoted ?? name, isOrganizer: isSame(role, "ORGANIZER") }]
}

/** The events of a file as they stand there, by uid, and its zones. */
const blocksOf = (text: string) => {
  const lines = text.replace(/\r\n?|\n/g, "\n").replace(/\n[ \t]/g, "")
  const zones = lines.match(/^BEGIN:VTIMEZONE\n[\s\S]*?\nEND:VTIMEZONE$/gim) ?? []
  const events = lines.match(/^BEGIN:VEVENT\n[\s\S]*?\nEND:VEVENT$/gim) ?? []
  const uidOf = (event: string) => /^UID(?:;[^:]*)?:(.*)$/im.exec(event)?.[1]?.trim() ?? hashed(event)
  return { zones, events: Map.groupBy(events, uidOf) }
}

const WHOLE_DAYS = /^DTSTART(?:;[^:\n]*)?:\d{8}$/im
/** Why an event takes no time of the doctor: a line of all of its versions. */
const UNTIMED = [
  [/^STATUS:CANCELLED$/im, "is cancelled"],
  [/^TRANSP:TRANSPARENT$/im, "is shown as free"],
  [WHOLE_DAYS, "lasts whole days"]
] as const

const planOfIcs = Effect.fnUntraced(function* (bytes: Buffer, goal: Goal, doctorUid: DoctorUid) {
  const plan = planFor("ics", goal)
  const text = bytes.toString()
  const { now, doctors } = goal.known
  const doctor = doctors.find(({ uid }) => uid === doctorUid)
  if (doctor === undefined) return yield* unreadable(`The organisation has no doctor ${doctorUid}`)
  if (!/^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text))
    return yield* unreadable("It is no calendar file: it does not begin with BEGIN:VCALENDAR")
  const { zones, events } = blocksOf(text)
  const period = { timezone: doctor.timezone, from: now, to: now + PERIOD, now }

  const addEvent = (label: string, uid: string, versions: ReadonlyArray<string>) => {
    const people = versions.flatMap((version) => version.split("\n").flatMap(personOf))
    const isDoctor = (email: string) =>
      doctor.email === null ? people.some((one) => one.isOrganizer && one.email === email) : isSame(doctor.email, email)
    const others = people.filter((one) => !one.isOrganizer && !isDoctor(one.email))
    const [, untimed] = UNTIMED.find(([line]) => versions.every((version) => line.test(version))) ?? []
    // read as if it took time, which tells whether it is over
    const timed =
      untimed === undefined ? versions : versions.map((one) => one.replace(/^(?:STATUS|TRANSP):.*\n/gim, ""))
    const calendar = ["BEGIN:VCALENDAR", ...zones, ...timed, "END:VCALENDAR"].join("\r\n")
    const read = Either.try({
      try: () => expand({ text: calendar, ...period, all_day_blocks: untimed !== undefined }),
      catch: (error) => (error instanceof CalendarUnreadable ? error.reason : String(error))
    })
    if (Either.isLeft(read)) return plan.leave(label, read.left)
    const { ranges, notice } = read.right
    if (notice !== null)
      plan.leave(label, `${notice.kind === "zone" ? "unknown zone" : "cannot be read:"} ${notice.detail}`)
    if (untimed === undefined && versions.some((version) => WHOLE_DAYS.test(version)))
      plan.leave(label, "lasts whole days, in part")
    const times = Array.chunksOf(ranges, 2).filter(([start]) => start > now)
    const [patient, more] = new Map(others.map((one) => [one.email, one])).values()
    if (times.length === 0) return plan.past++
    if (untimed !== undefined) return plan.leave(label, untimed)
    if (notice !== null) return undefined
    if (patient === undefined) return plan.leave(label, "has no attendee but the doctor")
    if (more !== undefined) return plan.leave(label, "has several attendees beside the doctor")
    const last_name = patient.name.includes("@") ? "" : patient.name
    const profile = plan.profileOf(label, { last_name, email: patient.email })
    const patient_uid = plan.patient(label, { key: hashed(patient.email), profile })
    const repeats = versions.some((version) => /^(RRULE|RDATE|RECURRENCE-ID)/im.test(version))
    if (patient_uid !== undefined)
      for (const [start_date, end_date = start_date] of times)
        plan.appointment(label, {
          key: hashed(repeats ? `${uid} ${start_date}` : uid),
          ...{ doctor_uid: doctor.uid, patient_uid, appointment_type_uid: null, start_date, end_date }
        })
    return undefined
  }
  for (const [n, [uid, versions]] of [...events].entries())
    addEvent(`event ${n + 1} (${uid.slice(0, 40)})`, uid, versions)
  return plan
})

export const icsImport = importOf({
  name: "ics",
  source: "ics",
  description: "Appointments from a doctor's calendar file",
  options: { doctor: { schema: DoctorUid, description: "The doctor whose calendar it is" } },
  planned: (bytes, goal, { doctor }) => planOfIcs(bytes, goal, doctor)
})
