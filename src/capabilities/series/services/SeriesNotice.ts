/** The mail of a series: its appointments as a list and as a calendar file with an entry for each. Rule 4.12.6. */
import { Effect, Option } from "effect"
import { SeriesUid } from "../../../schemas/ids.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Presentations } from "../../../services/hosted/Presentations.ts"
import { calendarOf } from "../../../services/notifications/calendarFile.ts"
import type { RecordMessage, RecordNotice } from "../../../services/notifications/NoticeSource.ts"
import type { Addressee } from "../../../services/notifications/Recipients.ts"
import { longPeriod } from "../../../services/notifications/times.ts"
import { Service } from "../../../services/Service.ts"
import { LinkIssuer } from "../../../services/scheduling/appointments/LinkIssuer.ts"
import { BookingRepo } from "../../../services/scheduling/booking/BookingRepo.ts"
import { catalogue } from "../../../texts/catalogue.ts"
import { fill } from "../../../texts/fill.ts"
import { noticeText } from "../../../texts/notices.ts"

/** One appointment of a series. */
interface InSeries {
  readonly start_date: number
  readonly end_date: number
  readonly doctor_display_name: string
  readonly slot_group: string
  readonly appointment_type_name: string | null
  readonly meeting_format: keyof (typeof catalogue)[Addressee["language"]]["booking"]["formats"]
}

export const seriesNotice = (
  ahead: ReadonlyArray<InSeries>,
  url: string | undefined,
  now: number,
  recipient: Addressee
): RecordNotice => {
  const { messages, booking } = catalogue[recipient.language]
  const texts = noticeText("series", recipient.language)
  const count = String(ahead.length)
  const entries = ahead.map((one) => ({
    first_uid: one.slot_group,
    start_date: one.start_date,
    end_date: one.end_date,
    stamp: now,
    summary: `${one.appointment_type_name ?? booking.formats[one.meeting_format]} · ${one.doctor_display_name}`,
    location: booking.formats[one.meeting_format]
  }))
  return {
    values: { count, doctor: ahead[0]?.doctor_display_name ?? "" },
    facts: ahead.map((one, at) => [
      fill(texts.one, { number: String(at + 1), count }),
      longPeriod(recipient, one.start_date, one.end_date)
    ]),
    links: url === undefined ? [] : [[messages.manage, url]],
    invite: {
      method: "PUBLISH",
      content: calendarOf(fill(texts.subject, { count }), recipient.language, entries, DAY)
    }
  }
}

export class SeriesNotice extends Service<SeriesNotice>()("notifications/SeriesNotice", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const appointments = yield* BookingRepo
    const links = yield* LinkIssuer
    const presentations = yield* Presentations

    /** None once no appointment of the series is ahead. */
    const find = Effect.fn("SeriesNotice.find")(function* (
      { organisation_uid, subject_uid }: RecordMessage,
      recipient: Addressee
    ) {
      const now = yield* clock.now
      const all = yield* appointments.bookedTogether(organisation_uid, SeriesUid.make(subject_uid), now)
      const ahead = all.filter(({ status, start_date }) => status === "confirmed" && start_date > now)
      const [first] = ahead
      if (first === undefined) return Option.none<RecordNotice>()
      const [page] = yield* Effect.orDie(links.issuePages(first, ["cancel"]))
      const type = yield* presentations.type(organisation_uid, first.appointment_type_uid, recipient.language)
      const named = ahead.map((one) => ({ ...one, appointment_type_name: type?.name ?? null }))
      return Option.some(seriesNotice(named, page?.url, now, recipient))
    })
    return { find } as const
  }),
  dependencies: [BookingRepo.Default, LinkIssuer.Default, Presentations.Default]
}) {}
