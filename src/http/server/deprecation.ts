/** Headers of operations that are to go away (Rule 2.1.9): since when, until when at least, and where that is explained. */
import { HttpApp, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"

interface Deprecated {
  /** The beginning of the paths, as the routes have them. */
  readonly paths: string
  /** Midnight, UTC, of the days. */
  readonly since: string
  readonly sunset: string
}

const deprecations: ReadonlyArray<Deprecated> = [
  { paths: "/v1/admin/scheduling/organisations/:organisation_uid/", since: "2026-12-01", sunset: "2027-12-01" }
]

const headersOf = ({ since, sunset }: Deprecated) => ({
  deprecation: `@${Date.parse(since) / 1000}`,
  sunset: new Date(sunset).toUTCString(),
  link: '</docs/guides/versions>; rel="deprecation"; type="text/html"'
})

/** Adds the headers to every answer of a route that is deprecated, refusals included. */
export const announceDeprecation = (path: string) => {
  const found = deprecations.find(({ paths }) => path.startsWith(paths))
  if (found === undefined) return Effect.void
  const headers = headersOf(found)
  return HttpApp.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, headers))
  )
}
