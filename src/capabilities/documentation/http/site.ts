/** Serves the documentation site built by `bun run build`, with this installation's URL and the demo world's keys filled in. */

import { join } from "node:path"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Duration, Effect, Schema } from "effect"
import { Settings } from "../../../config.ts"
import { Routes } from "../../../http/inRequest.ts"
import { constant, uncodedTag } from "../../../http/server/compression.ts"
import { byWord } from "../../../schemas/byWord.ts"
import { demo } from "../../shared/services/demo.ts"
import { documents, markdownFile, pageFile, SITE, SITE_MANIFEST } from "./siteManifest.ts"

/** Only scripts, styles and requests of this origin; nothing inline, no framing. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

const pageHeaders = {
  "content-security-policy": POLICY,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-cache"
}

const contentTypes = byWord<string>({
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  tgz: "application/gzip"
})
const contentTypeOf = (file: string) => contentTypes[file.split(".").at(-1) ?? ""] ?? "text/plain; charset=utf-8"

const Names = Schema.Array(Schema.String)
const Manifest = Schema.parseJson(Schema.Struct({ pages: Names, assets: Names, downloads: Names }))

const text = (file: string) => Effect.promise(() => Bun.file(file).text())

const built = Effect.tryPromise(() => Bun.file(SITE_MANIFEST).text()).pipe(
  Effect.flatMap(Schema.decode(Manifest)),
  Effect.orDieWith((cause) => new Error("The documentation is not built. Run: bun run build", { cause }))
)

/** Values of the placeholders in the pages. */
const placeholdersFor = (baseUrl: string, isDemo: boolean): Readonly<Record<string, string>> => ({
  BASE_URL: baseUrl,
  MANAGEMENT_KEY: isDemo ? demo.managementKey : "spr_your_management_key",
  PHARMACY_KEY: isDemo ? demo.pharmacyKey : "spr_your_pharmacy_key",
  CHECKOUT_KEY: isDemo ? demo.checkoutKey : "spr_your_checkout_key",
  BOOKING_TOKEN: "your_booking_token",
  ACCESS_TOKEN: "your_access_token",
  DEMO: isDemo ? JSON.stringify(demo) : "",
  KEYS_NOTE: isDemo ? "The demo world's keys are filled in." : "Put your own keys where the samples say so."
})

const tagOf = (content: string | Uint8Array) =>
  `"${new Bun.CryptoHasher("sha256").update(content).digest("base64url").slice(0, 22)}"`

/** One file of the site, memoised on first use; 304 if `If-None-Match` matches. */
const served = (
  content: Effect.Effect<{ readonly response: HttpServerResponse.HttpServerResponse; readonly etag: string }>,
  caching = "no-cache"
) => {
  // A failed read is not cached
  const [made, forget] = Effect.runSync(Effect.cachedInvalidateWithTTL(content, Duration.infinity))
  return Effect.gen(function* () {
    const { response, etag } = yield* Effect.onError(made, () => forget)
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const tags = (headers["if-none-match"] ?? "").split(",").map((tag) => tag.trim())
    const known = tags.find((tag) => uncodedTag(tag) === etag)
    return known === undefined
      ? response
      : HttpServerResponse.empty({
          status: 304,
          headers: { etag: known, "cache-control": caching, vary: "accept-encoding" }
        })
  })
}

const tagged = (response: HttpServerResponse.HttpServerResponse, content: string | Uint8Array) => {
  const etag = tagOf(content)
  return { response: constant(HttpServerResponse.setHeader(response, "etag", etag)), etag }
}

type Served = ReturnType<typeof served>

/**
 * The pages and files of the site by their path below `/docs`; each is prepared on first use.
 * @effect-expect-leaking HttpServerRequest
 */
export class Site extends Effect.Service<Site>()("http/Site", {
  effect: Effect.gen(function* () {
    const { baseUrl, demoWorld } = yield* Settings
    const { pages, assets, downloads } = yield* built
    const words = placeholdersFor(baseUrl, demoWorld)
    const found = new Map<string, Served>()
    /** A text with the values of its placeholders. */
    const plain = (file: string, contentType: string) =>
      Effect.map(text(join(SITE, file)), (template) => {
        const content = template.replace(/%([A-Z_]+)%/g, (whole, name: string) => words[name] ?? whole)
        const headers = { "cache-control": "no-cache", "x-content-type-options": "nosniff" }
        return tagged(HttpServerResponse.text(content, { contentType, headers }), content)
      })
    for (const path of pages) {
      const content = Effect.map(text(join(SITE, pageFile(path))), (page) => {
        const html = page.replace(/%([A-Z_]+)%/g, (whole, name: string) => Bun.escapeHTML(words[name] ?? whole))
        const contentType = "text/html; charset=utf-8"
        return tagged(HttpServerResponse.text(html, { contentType, headers: pageHeaders }), html)
      })
      found.set(path, served(content))
      found.set(`${path}.md`, served(plain(markdownFile(path), "text/markdown; charset=utf-8")))
    }
    const files = [
      ...assets.map((file) => [`assets/${file}`, "public, max-age=31536000, immutable"] as const),
      ...downloads.map((file) => [`downloads/${file}`, "no-cache"] as const)
    ]
    for (const [file, caching] of files) {
      const content = Effect.map(
        Effect.promise(() => Bun.file(join(SITE, file)).bytes()),
        (bytes) => {
          const headers = { "cache-control": caching, "x-content-type-options": "nosniff" }
          return tagged(HttpServerResponse.uint8Array(bytes, { contentType: contentTypeOf(file), headers }), bytes)
        }
      )
      found.set(file, served(content))
    }
    const unknown = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      Effect.fail(new HttpServerError.RouteNotFound({ request }))
    )
    const document = (name: keyof typeof documents) =>
      served(
        Effect.map(text(join(SITE, documents[name])), (template) => {
          const json = template.replaceAll("%BASE_URL%", JSON.stringify(baseUrl).slice(1, -1))
          const headers = { "cache-control": "no-store" }
          return tagged(HttpServerResponse.text(json, { contentType: "application/json", headers }), json)
        }),
        "no-store"
      )
    return {
      /** The list of pages, for machines that read. */
      llms: served(plain(documents.llms, "text/plain; charset=utf-8")),
      /** An OpenAPI document. */
      document,
      /** The page or file at a path below `/docs`. Fails with `RouteNotFound`. */
      at: (
        path: string
      ): Effect.Effect<
        HttpServerResponse.HttpServerResponse,
        HttpServerError.RouteNotFound,
        HttpServerRequest.HttpServerRequest
      > => found.get(path) ?? unknown
    } as const
  })
}) {}

export const SiteHttp = Routes.use((router) =>
  Effect.gen(function* () {
    const site = yield* Site
    yield* router.get("/docs", site.at(""))
    yield* router.get("/docs.md", site.at(".md"))
    yield* router.get("/llms.txt", site.llms)
    yield* router.get(
      "/docs/*",
      Effect.flatMap(HttpRouter.params, (params) => site.at((params["*"] ?? "").replace(/\/$/, "")))
    )
  })
)
