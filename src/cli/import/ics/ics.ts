/** Appointments of one doctor from a calendar file (RFC 5545): the patient is the attendee who is not the doctor. */
import { Effect } from "effect"
import { CalendarUnreadable, expand } from "../../../layers/calendars/expand.ts"
import { DAY } from "../../../schemas/seconds.ts"
import type { KnownDoctor } from "../../../services/provisioning/ImportTarget.ts"
import { type Goal, hashed, ImportUnreadable, isMail, planFor } from "../plan.ts"

/** Repeated events are read for so long, from now on. */
const PERIOD = 2 * 366 * DAY

interface Person {
  readonly email: string
  readonly name: string
}

/** The mail address and name of a line such as `ATTENDEE;CN="Ada Example":mailto:ada@example.org`. */
const personOf = (line: string): Person | undefined => {
  const [, email] = /:mailto:(.+)$/i.exec(line) ?? []
  const [, quoted, name] = /;CN=(?:"([^"]*)"|([^;:]*))/i.exec(line) ?? []
  const isThing = /;CUTYPE="?(?:RESOURCE|ROOM|GROUP)/i.test(line)
  return email === undefined || isThing ? undefined : { email: email.trim().toLowerCase(), name: quoted ?? name ?? "" }
}

/** The events of a file as they stand there, by uid, and its zones. */
const blocksOf = (text: string) => {
  const lines = text.replace(/\r\n?|\n/g, "\n").replace(/\n[ \t]/g, "")
  const zones = [...lines.matchAll(/^BEGIN:VTIMEZONE\n[\s\S]*?\nEND:VTIMEZONE$/gim)].map(([block]) => block)
  const events = [...lines.matchAll(/^BEGIN:VEVENT\n[\s\S]*?\nEND:VEVENT$/gim)].map(([block]) => ({
    block,
    lines: block.split("\n"),
    uid: /^UID(?:;[^:]*)?:(.*)$/im.exec(block)?.[1]?.trim() ?? hashed(block)
  }))
  return { zones, events: Map.groupBy(events, ({ uid }) => uid) }
}

export const planOfIcs = Effect.fnUntraced(function* (text: string, goal: Goal, doctor: KnownDoctor) {
  const plan = planFor("ics", goal)
  if (!/^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text))
    return yield* new ImportUnreadable({ why: "It is no calendar file: it does not begin with BEGIN:VCALENDAR" })
  const { zones, events } = blocksOf(text)
  const { now } = goal.known
  let n = 0
  for (const [uid, versions] of events) {
    const label = `event ${++n} (${uid.slice(0, 40)})`
    const people = versions
      .flatMap(({ lines }) => lines)
      .flatMap((line) => {
        const person = personOf(line)
        return person === undefined
          ? []
          : [{ ...person, isOrganizer: /^ORGANIZER/i.test(line), isAsked: /^ATTENDEE/i.test(line) }]
      })
    const isDoctor = ({ email }: Person) =>
      isMail(doctor.email, email) ||
      (doctor.email === null && people.some((one) => one.isOrganizer && one.email === email))
    const others = new Map(people.filter((one) => one.isAsked && !isDoctor(one)).map((one) => [one.email, one]))
    const calendar = ["BEGIN:VCALENDAR", ...zones, ...versions.map(({ block }) => block), "END:VCALENDAR"].join("\r\n")
    const period = { timezone: doctor.timezone, from: now, to: now + PERIOD, now, all_day_blocks: false }
    const read = yield* Effect.try({
      try: () => expand({ text: calendar, ...period }),
      catch: (error) => (error instanceof CalendarUnreadable ? error.reason : String(error))
    }).pipe(Effect.either)
    if (read._tag === "Left") {
      plan.leave(label, read.left)
      continue
    }
    const { ranges, all_day_events, notice } = read.right
    if (notice !== null)
      plan.leave(label, `${notice.kind === "zone" ? "unknown zone" : "cannot be read:"} ${notice.detail}`)
    if (all_day_events > 0) plan.leave(label, "lasts whole days")
    const starts = ranges.flatMap((start, at) =>
      at % 2 === 0 && start > now ? [[start, ranges[at + 1] ?? start] as const] : []
    )
    const [patient, more] = others.values()
    if (starts.length === 0) plan.skipPast()
    else if (notice !== null) continue
    else if (patient === undefined) plan.leave(label, "has no attendee but the doctor")
    else if (more !== undefined) plan.leave(label, "has several attendees beside the doctor")
    else {
      const name = patient.name.includes("@") ? "" : patient.name
      const profile = plan.profileOf(label, { last_name: name, email: patient.email })
      const patient_uid = plan.patient(label, { key: hashed(patient.email), profile })
      const repeats = versions.some(({ block }) => /^(RRULE|RDATE|RECURRENCE-ID)/im.test(block))
      if (patient_uid === undefined) continue
      for (const [start_date, end_date] of starts)
        plan.appointment(label, {
          key: hashed(repeats ? `${uid} ${start_date}` : uid),
          doctor_uid: doctor.uid,
          patient_uid,
          appointment_type_uid: null,
          start_date,
          end_date,
          meeting_format: "IN_PERSON"
        })
    }
  }
  return plan
})
