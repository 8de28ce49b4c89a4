/** The methods that a path supports, for 405 and its `Allow` header. */
import { HttpApiBuilder, type HttpServerRequest } from "@effect/platform"
import { Chunk, Effect } from "effect"

const { Router } = HttpApiBuilder

const escaped = (text: string) => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&")

/** Matches what the router matches for a pattern such as `/a/:b`, with or without a trailing slash. */
export const pathsOf = (pattern: string) =>
  new RegExp(
    `^${escaped(pattern.replace(/(?<=.)\/$/, ""))
      .replace(/:\w+/g, "[^/]+")
      .replaceAll("*", ".*")}/?$`
  )

/** All routes. Built on the first unmatched request, since routes are added during start-up. */
const patterns = Effect.gen(function* () {
  const { routes } = yield* Router.router
  return Chunk.toReadonlyArray(Chunk.map(routes, ({ method, path }) => ({ method, paths: pathsOf(path) })))
})

/**
 * For a request that matched no route: the methods by which its path would match. Empty if its own method is among them:
 * then the router rejected the path itself, for malformed escapes or a parameter that is too long.
 */
export const methodsOf = Effect.gen(function* () {
  const once = yield* Effect.cached(Effect.provideService(patterns, Router, yield* Router))
  return ({ method: requested, url }: HttpServerRequest.HttpServerRequest) =>
    Effect.map(once, (all) => {
      const path = url.replace(/\?.*$/s, "")
      const methods = new Set<string>(all.filter(({ paths }) => paths.test(path)).map(({ method }) => method))
      return methods.has(requested) ? [] : [...methods].sort()
    })
})
