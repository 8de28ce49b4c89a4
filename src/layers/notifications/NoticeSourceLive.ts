/** Messages about records: each kind is written by the domain of its record. */
import { Effect, Layer, type Option } from "effect"
import type { RecordNoticeKind } from "../../schemas/notifications/notices.ts"
import { WEEK } from "../../schemas/seconds.ts"
import {
  NoticeSource,
  type RecordMessage,
  type RecordNotice,
  type SampleFacts
} from "../../services/notifications/NoticeSource.ts"
import type { Addressee } from "../../services/notifications/Recipients.ts"
import { Recalls, recallNotice } from "../../services/scheduling/recalls/Recalls.ts"
import { Offers } from "../../services/scheduling/waitlist/Offers.ts"
import type { CurrentTenant } from "../../services/tenancy/Tenancy.ts"
import { SeriesNotice, seriesNotice } from "./SeriesNotice.ts"
import { sampleOffer, samplePause, waitlistNotices } from "./waitlistNotices.ts"

type Find = (
  message: RecordMessage,
  recipient: Addressee
) => Effect.Effect<Option.Option<RecordNotice>, never, CurrentTenant>

const samples: Readonly<Record<RecordNoticeKind, (facts: SampleFacts, recipient: Addressee) => RecordNotice>> = {
  recall: ({ url }, { language }) => recallNotice(null, url, language),
  series: (facts, recipient) =>
    seriesNotice(
      [0, WEEK, 2 * WEEK].map((later) => ({
        ...facts,
        slot_group: "apt_preview",
        start_date: facts.start_date + later,
        end_date: facts.end_date + later,
        meeting_format: "DIGITAL"
      })),
      facts.url,
      facts.start_date,
      recipient
    ),
  waitlist_offer: (facts, { language }) => sampleOffer(facts, language),
  waitlist_paused: (facts, { language }) => samplePause(facts, language)
}

export const NoticeSourceLive = Layer.effect(
  NoticeSource,
  Effect.gen(function* () {
    const recalls = yield* Recalls
    const series = yield* SeriesNotice
    const waitlist = waitlistNotices(yield* Offers)
    const sources: Readonly<Record<RecordNoticeKind, Find>> = {
      recall: recalls.notice,
      series: series.find,
      waitlist_offer: waitlist.offer,
      waitlist_paused: waitlist.paused
    }
    return {
      find: (message, recipient) => sources[message.kind](message, recipient),
      sample: (kind, facts, recipient) => samples[kind](facts, recipient)
    }
  })
).pipe(Layer.provide([Recalls.Default, SeriesNotice.Default, Offers.Default]))
