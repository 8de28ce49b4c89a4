/** Response headers of deprecated operations (Rule 2.1.9): `Deprecation` and a `Link` to the explanation. */
import { HttpApp, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"

interface Deprecated {
  /** Prefix of the route patterns. */
  readonly paths: string
  /** Date; midnight UTC. */
  readonly since: string
}

const deprecations: ReadonlyArray<Deprecated> = [
  { paths: "/v1/admin/scheduling/organisations/:organisation_uid/", since: "2026-12-01" }
]

/** Adds the headers to every response of a deprecated route, errors included. */
export const announceDeprecation = (path: string) => {
  const found = deprecations.find(({ paths }) => path.startsWith(paths))
  if (found === undefined) return Effect.void
  const headers = {
    deprecation: `@${Date.parse(found.since) / 1000}`,
    link: '</docs/guides/versions>; rel="deprecation"; type="text/html"'
  }
  return HttpApp.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, headers))
  )
}
