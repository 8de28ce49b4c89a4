/** Messages about records: each kind is written by the domain of its record. */
import { Effect, Layer, Option } from "effect"
import type { RecordNoticeKind } from "../../schemas/notifications/notices.ts"
import { Extensions } from "../../services/Extensions.ts"
import { NoticeSource, type NoticeWriter } from "../../services/notifications/NoticeSource.ts"
import { Offers } from "../../services/scheduling/waitlist/Offers.ts"
import { sampleOffer, samplePause, waitlistNotices } from "./waitlistNotices.ts"

export const NoticeSourceLive = Layer.effect(
  NoticeSource,
  Effect.gen(function* () {
    const extensions = yield* Extensions
    const waitlist = waitlistNotices(yield* Offers)
    const core: Readonly<Record<string, NoticeWriter>> = {
      waitlist_offer: { find: waitlist.offer, sample: (facts, { language }) => sampleOffer(facts, language) },
      waitlist_paused: { find: waitlist.paused, sample: (facts, { language }) => samplePause(facts, language) }
    }
    /** None for a message of a capability that is off. */
    const writerOf = (kind: RecordNoticeKind) =>
      Effect.map(extensions.all, (all) =>
        Option.fromNullable(
          [{ notices: core }, ...all].find(({ notices }) => Object.hasOwn(notices, kind))?.notices[kind]
        )
      )
    return {
      find: (message, recipient) =>
        Effect.flatMap(
          writerOf(message.kind),
          Option.match({
            onNone: () => Effect.succeedNone,
            onSome: ({ find }) => find(message, recipient)
          })
        ),
      sample: (kind, facts, recipient) =>
        Effect.map(Effect.flatten(writerOf(kind)), ({ sample }) => sample(facts, recipient)).pipe(Effect.orDie)
    }
  })
).pipe(Layer.provide(Offers.Default))
