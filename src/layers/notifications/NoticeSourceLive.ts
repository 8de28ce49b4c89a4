/** Messages about records: each kind is written by the domain of its record. */
import { Effect, Layer, Option } from "effect"
import type { RecordNoticeKind } from "../../schemas/notifications/notices.ts"
import { WEEK } from "../../schemas/seconds.ts"
import { Extensions } from "../../services/Extensions.ts"
import { NoticeSource, type NoticeWriter } from "../../services/notifications/NoticeSource.ts"
import { SeriesNotice, seriesNotice } from "./SeriesNotice.ts"

export const NoticeSourceLive = Layer.effect(
  NoticeSource,
  Effect.gen(function* () {
    const extensions = yield* Extensions
    const series = yield* SeriesNotice
    const core: Readonly<Record<string, NoticeWriter>> = {
      series: {
        find: series.find,
        sample: (facts, recipient) =>
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
          )
      }
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
).pipe(Layer.provide(SeriesNotice.Default))
