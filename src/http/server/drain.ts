/** How the server ends: never by an answer that is not true. */
import { HttpServer, HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Schedule } from "effect"
import { Settings } from "../../config.ts"
import { Traffic } from "../../services/operation/Traffic.ts"
import { restarting } from "./restarting.ts"

const LONGEST = "20 seconds"
/** What has been answered may still be on its way through the socket. */
const LAST_BYTES = "50 millis"

/** Served while the service itself is not: before it has started and after it has ended. */
export const Unavailable = HttpServer.serve(
  Effect.map(restarting, (answer) => HttpServerResponse.setHeader(answer, "connection", "close"))
)

/**
 * On the way out: not ready at once; for SHUTDOWN_GRACE_SECONDS requests are still answered, each asking its connection to
 * close, so that a load balancer can take the process out; then what is under way ends, at most 20 seconds; what comes after
 * is 503. Built upon the running server, so that it ends first.
 */
export const Drained = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { state } = yield* Traffic
    const { shutdownGraceSeconds } = yield* Settings
    yield* HttpServer.HttpServer
    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        state.phase = "closing"
        yield* Effect.sleep(shutdownGraceSeconds * 1000)
        // no time-out around it: whoever launched us has been interrupted, and so would be whatever may be
        const patience = Schedule.spaced("10 millis").pipe(Schedule.upTo(LONGEST))
        yield* Effect.repeat(
          Effect.sync(() => state.underWay),
          { until: (count) => count === 0, schedule: patience }
        )
        state.phase = "closed"
        yield* Effect.sleep(LAST_BYTES)
      })
    )
  })
)
