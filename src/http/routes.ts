/** Which methods an address answers to, for 405 and its `Allow`: the router is asked, which knows every route. */
import { HttpApiBuilder, HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Chunk, Effect } from "effect"

const { Router } = HttpApiBuilder

/** A router of the same routes that does nothing but find them, built when the first request has met none. */
const finder = Effect.gen(function* () {
  const { routes } = yield* Router.router
  const found = Chunk.map(routes, ({ method, path }) => HttpRouter.makeRoute(method, path, HttpServerResponse.empty()))
  const methods = new Set(Chunk.map(routes, ({ method }) => method))
  return { find: yield* HttpRouter.toHttpApp(HttpRouter.fromIterable(found)), methods: [...methods].sort() }
})

/** Of a request that has met no route: by which methods it would have met one. */
export const methodsOf = Effect.gen(function* () {
  const once = yield* Effect.cached(Effect.provideService(finder, Router, yield* Router))
  return (request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(once, ({ find, methods }) =>
      Effect.filter(methods, (method) =>
        // Everything but the method is the original's: its getters run on the object made from it.
        Effect.isSuccess(
          Effect.provideService(
            find,
            HttpServerRequest.HttpServerRequest,
            Object.create(request, { method: { value: method } })
          )
        )
      )
    )
})
