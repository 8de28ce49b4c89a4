/** Messages about records: each kind is written by the capability of its record. */
import { Effect, Layer, Option } from "effect"
import type { RecordNoticeKind } from "../../schemas/notifications/notices.ts"
import { Extensions } from "../../services/Extensions.ts"
import { NoticeSource } from "../../services/notifications/NoticeSource.ts"

export const NoticeSourceLive = Layer.effect(
  NoticeSource,
  Effect.map(Extensions, (extensions) => {
    /** None for a message of a capability that is off. */
    const writerOf = (kind: RecordNoticeKind) =>
      Effect.map(extensions.having("notices"), (some) =>
        Option.fromNullable(some.find(({ notices }) => Object.hasOwn(notices, kind))?.notices[kind])
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
)
