/** Graceful shutdown of the HTTP server. */
import { HttpServer, HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Schedule } from "effect"
import { Settings } from "../../config.ts"
import { Traffic } from "../../services/operation/Traffic.ts"
import { endOutgoing } from "../../services/outgoing.ts"
import { restarting } from "./restarting.ts"

const DRAIN_TIMEOUT = "20 seconds"
/** Lets the last responses leave their sockets. */
const FLUSH_DELAY = "50 millis"

/** 503 before the service has started and after it has stopped. */
export const Unavailable = HttpServer.serve(
  Effect.map(restarting, (response) => HttpServerResponse.setHeader(response, "connection", "close"))
)

/**
 * On shutdown readiness fails at once. For SHUTDOWN_GRACE_SECONDS requests are still answered, with `Connection: close`, so
 * that load balancers can remove the process. Then requests in flight have 20 seconds to finish, after which their calls to
 * other systems are ended; later ones get 503.
 * Depends on the running server, so that this finalizer runs first.
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
        // No `Effect.timeout`: the launching fiber is interrupted already, which would interrupt anything interruptible here
        const polling = Schedule.spaced("10 millis").pipe(Schedule.upTo(DRAIN_TIMEOUT))
        yield* Effect.repeat(
          Effect.sync(() => state.inFlight),
          { until: (count) => count === 0, schedule: polling }
        )
        state.phase = "closed"
        yield* endOutgoing
        yield* Effect.sleep(FLUSH_DELAY)
      })
    )
  })
)
