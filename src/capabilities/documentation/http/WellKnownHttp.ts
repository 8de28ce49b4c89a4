/** Addresses that machines know: the catalogue of interfaces (RFC 9727), and whom to tell of a weakness (RFC 9116). */
import { HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Settings } from "../../../config.ts"
import { Routes } from "../../../http/inRequest.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { realNow } from "../../../services/DomainClock.ts"

/** `Expires` of security.txt, from each request on; RFC 9116 asks for less than a year. */
const VALID_SECONDS = 180 * DAY

export const WellKnownHttp = Routes.use((router) =>
  Effect.gen(function* () {
    const { baseUrl, securityContact } = yield* Settings
    const link = (path: string, type: string) => ({ href: baseUrl + path, type })
    const catalogue = {
      linkset: [
        {
          anchor: `${baseUrl}/`,
          "service-desc": [link("/openapi.json", "application/json")],
          "service-doc": [link("/docs", "text/html"), link("/llms.txt", "text/plain")],
          status: [link("/healthz", "application/json")]
        }
      ]
    }
    yield* router.get(
      "/.well-known/api-catalog",
      Effect.succeed(
        HttpServerResponse.text(JSON.stringify(catalogue), {
          contentType: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
          headers: { link: `<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"` }
        })
      )
    )
    if (securityContact === undefined) return
    yield* router.get(
      "/.well-known/security.txt",
      Effect.map(realNow, (now) =>
        HttpServerResponse.text(
          [
            `Contact: ${securityContact}`,
            `Expires: ${new Date((Math.floor(now / DAY) * DAY + VALID_SECONDS) * 1000).toISOString()}`,
            "Preferred-Languages: de, en",
            `Canonical: ${baseUrl}/.well-known/security.txt`,
            ""
          ].join("\n"),
          { contentType: "text/plain; charset=utf-8" }
        )
      )
    )
  })
)
