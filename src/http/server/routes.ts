/** Which methods an address answers to, for 405 and its `Allow`. */
import { HttpApiBuilder, type HttpServerRequest } from "@effect/platform"
import { Chunk, Effect } from "effect"

const { Router } = HttpApiBuilder

const escaped = (text: string) => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&")

/** The paths that a pattern such as `/a/:b` stands for, with or without a slash at the end, as the router reads it. */
export const pathsOf = (pattern: string) =>
  new RegExp(
    `^${escaped(pattern.replace(/(?<=.)\/$/, ""))
      .replace(/:\w+/g, "[^/]+")
      .replaceAll("*", ".*")}/?$`
  )

/** Every route, built when the first request has met none: routes are added while the service starts. */
const patterns = Effect.gen(function* () {
  const { routes } = yield* Router.router
  return Chunk.toReadonlyArray(Chunk.map(routes, ({ method, path }) => ({ method, paths: pathsOf(path) })))
})

/**
 * Of a request that has met no route: by which methods it would have met one. None where its own method is among them:
 * the router refused the path itself, whose escapes are broken or whose parameters are too long.
 */
export const methodsOf = Effect.gen(function* () {
  const once = yield* Effect.cached(Effect.provideService(patterns, Router, yield* Router))
  return ({ method: asked, url }: HttpServerRequest.HttpServerRequest) =>
    Effect.map(once, (all) => {
      const path = url.replace(/\?.*$/s, "")
      const methods = new Set<string>(all.filter(({ paths }) => paths.test(path)).map(({ method }) => method))
      return methods.has(asked) ? [] : [...methods].sort()
    })
})
