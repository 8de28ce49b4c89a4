/** Messages about records: each kind is written by the domain of its record. */
import { Effect, Layer, type Option } from "effect"
import type { RecordNoticeKind } from "../../schemas/notifications/notices.ts"
import { NoticeSource, type RecordMessage, type RecordNotice } from "../../services/notifications/NoticeSource.ts"
import type { Addressee } from "../../services/notifications/Recipients.ts"
import { Recalls } from "../../services/scheduling/recalls/Recalls.ts"
import { Offers } from "../../services/scheduling/waitlist/Offers.ts"
import type { CurrentTenant } from "../../services/tenancy/Tenancy.ts"
import { SeriesNotice } from "./SeriesNotice.ts"
import { waitlistNotices } from "./waitlistNotices.ts"

type Find = (
  message: RecordMessage,
  recipient: Addressee
) => Effect.Effect<Option.Option<RecordNotice>, never, CurrentTenant>

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
    return { find: (message, recipient) => sources[message.kind](message, recipient) }
  })
).pipe(Layer.provide([Recalls.Default, SeriesNotice.Default, Offers.Default]))
