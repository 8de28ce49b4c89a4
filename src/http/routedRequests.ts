/** What holds for every route, whether its request comes over the network or from a page of the console. */
import { HttpApiBuilder, HttpRouter, HttpServerRespondable } from "@effect/platform"
import { Chunk, Effect } from "effect"
import { makeAudited } from "./audited.ts"
import { announceDeprecation } from "./server/deprecation.ts"

/**
 * The router whose routes tell the audit log of their requests, and whose methods but GET run to their end when the caller
 * hangs up, so that a change is whole and its answer is kept.
 */
export const routedRequests = Effect.zipWith(HttpApiBuilder.Router, makeAudited, (service, audited) => ({
  ...service,
  router: Effect.map(service.router, (router) =>
    HttpRouter.fromIterable(
      Chunk.map(router.routes, ({ method, path, handler }) =>
        HttpRouter.makeRoute(
          method,
          path,
          Effect.zipRight(
            announceDeprecation(path),
            audited(method, path)(Effect.flatMap(handler, HttpServerRespondable.toResponse))
          ),
          { uninterruptible: method !== "GET" }
        )
      )
    )
  )
}))
