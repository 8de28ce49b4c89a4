/** Writes every request of an API key to the request log. Section 2.11. */
import { type HttpApp, HttpServerRequest } from "@effect/platform"
import { Effect, FiberRef } from "effect"
import { problemCode } from "../../../http/problems.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { realNow } from "../../../services/DomainClock.ts"
import { currentTenancy } from "../../../services/tenancy/Tenancy.ts"
import { RequestLog } from "../services/RequestLog.ts"

const PATH_MAX = 255
/** Requests for the log are not logged, or polling it would fill it. */
const OWN_PATH = "/v1/requests"

export const makeLogged = Effect.map(
  RequestLog,
  ({ note }) =>
    <E, R>(app: HttpApp.Default<E, R>) =>
      Effect.gen(function* () {
        const start = performance.now()
        const response = yield* app
        const { request: of } = yield* currentTenancy
        const { method, url } = yield* HttpServerRequest.HttpServerRequest
        const path = url.split("?", 1)[0] ?? ""
        if (of === null || of.actor.kind !== "api_key" || path === OWN_PATH) return response
        note(of.actor.uid, {
          trace_id: of.trace_id,
          at: UnixSeconds.make(yield* realNow),
          method,
          path: path.slice(0, PATH_MAX),
          status: response.status,
          code: yield* FiberRef.get(problemCode),
          duration_ms: Math.round(performance.now() - start)
        })
        return response
      })
)
