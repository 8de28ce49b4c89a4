/** The page that shows an interface and tries it out. It comes whole from here and may fetch nothing from elsewhere. */
import { HttpApi, HttpApiBuilder, HttpApiScalar, HttpServerResponse } from "@effect/platform"
import { Context, Effect, Layer } from "effect"
import { constant } from "../compression.ts"

/** The page is one document with its script and styles inside; it talks to this service alone. */
const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' 'wasm-unsafe-eval'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** Serves at `path` what there is to know of `api`. */
export const docsPage = (api: HttpApi.HttpApi.Any, path: `/${string}`) => {
  // Built apart from all else, the page's own layer has a router to itself, whose answer can be given the policy.
  const Page = HttpApiScalar.layer({ path, scalar: { withDefaultFonts: false } }).pipe(
    // The cast: the tag is typed for an interface of no groups; the page only reads the contract.
    Layer.provide(Layer.succeed(HttpApi.Api, { api: api as never, context: Context.empty() })),
    Layer.merge(HttpApiBuilder.Router.Live)
  )
  return HttpApiBuilder.Router.use((router) =>
    Effect.gen(function* () {
      const page = yield* Effect.flatMap(Layer.build(Page), (context) =>
        Effect.provide(HttpApiBuilder.Router.router, context)
      )
      const guarded = Effect.map(page, (response) =>
        constant(
          HttpServerResponse.setHeaders(response, {
            "content-security-policy": POLICY,
            "referrer-policy": "no-referrer",
            "x-content-type-options": "nosniff"
          })
        )
      )
      yield* router.get(path, guarded)
    })
  )
}
