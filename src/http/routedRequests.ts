/** Behaviour common to all routes, for requests over the network and from pages of staff. */
import { HttpRouter, HttpServerRespondable } from "@effect/platform"
import { Chunk, Effect } from "effect"
import { makeAdmitted } from "./admission/rate.ts"
import { makeAudited } from "./audited.ts"
import { Routes } from "./inRequest.ts"
import { announceDeprecation } from "./server/deprecation.ts"

/**
 * The router with admission, audit logging and deprecation headers. All methods but GET are uninterruptible: if the client disconnects
 * the change still completes and its idempotent response is stored.
 */
export const routedRequests = Effect.gen(function* () {
  const service = yield* Routes
  const audited = yield* makeAudited
  const admitted = yield* makeAdmitted
  return {
    ...service,
    router: Effect.map(service.router, (router) =>
      HttpRouter.fromIterable(
        Chunk.map(router.routes, ({ method, path, handler }) =>
          HttpRouter.makeRoute(
            method,
            path,
            Effect.zipRight(
              announceDeprecation(path),
              admitted(method, path)(audited(method, path)(Effect.flatMap(handler, HttpServerRespondable.toResponse)))
            ),
            { uninterruptible: method !== "GET" }
          )
        )
      )
    )
  }
})
