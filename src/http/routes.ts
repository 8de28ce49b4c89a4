/** Which methods an address answers to, for 405 and its `Allow`. */
import { HttpApiBuilder, type HttpServerRequest } from "@effect/platform"
import { Chunk, Effect, Either, Encoding } from "effect"

const { Router } = HttpApiBuilder

const escaped = (text: string) => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&")

/** The paths that a pattern such as `/a/:b` stands for, with or without a slash at the end, as the router reads it. */
const pathsOf = (pattern: string) =>
  new RegExp(
    `^${escaped(pattern.replace(/(?<=.)\/$/, ""))
      .replace(/:\w+/g, "[^/]+")
      .replaceAll("*", ".*")}/?$`
  )

/** The router decodes segments: a path with a broken escape is no route's. */
const isDecodable = (path: string) => Either.isRight(Encoding.decodeUriComponent(path))

/** Every route, built when the first request has met none: routes are added while the service starts. */
const patterns = Effect.gen(function* () {
  const { routes } = yield* Router.router
  return Chunk.toReadonlyArray(Chunk.map(routes, ({ method, path }) => ({ method, paths: pathsOf(path) })))
})

/** Of a request that has met no route: by which methods it would have met one. */
export const methodsOf = Effect.gen(function* () {
  const once = yield* Effect.cached(Effect.provideService(patterns, Router, yield* Router))
  return ({ url }: HttpServerRequest.HttpServerRequest) =>
    Effect.map(once, (all) => {
      const path = url.replace(/\?.*$/s, "")
      if (!isDecodable(path)) return []
      return [...new Set(all.filter(({ paths }) => paths.test(path)).map(({ method }) => method))].sort()
    })
})
