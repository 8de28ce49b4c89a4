import { HttpServer } from "@effect/platform"
import { Effect, Layer, Schedule } from "effect"
import type { Traffic } from "./observe.ts"

const LONGEST = "20 seconds"
/** What has been answered may still be on its way through the socket. */
const LAST_BYTES = "50 millis"

/**
 * On the way out: every answer asks its connection to close, and the server goes only when nothing is under way, or after
 * twenty seconds. Built upon the running server, so that it ends first.
 */
export const drained = (traffic: Traffic) =>
  Layer.scopedDiscard(
    Effect.zipRight(
      HttpServer.HttpServer,
      Effect.addFinalizer(() =>
        Effect.gen(function* () {
          traffic.closing = true
          // no time-out around it: whoever launched us has been interrupted, and so would be whatever may be
          const patience = Schedule.spaced("10 millis").pipe(Schedule.upTo(LONGEST))
          yield* Effect.repeat(
            Effect.sync(() => traffic.underWay),
            { until: (count) => count === 0, schedule: patience }
          )
          yield* Effect.sleep(LAST_BYTES)
        })
      )
    )
  )
