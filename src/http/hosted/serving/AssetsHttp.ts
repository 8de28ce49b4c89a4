/** The pages' own files, and the widget's script under the one name that partners' pages know. */
import { HttpApiBuilder, HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { Images } from "../../../services/access/Images.ts"
import { reply } from "../../problems.ts"
import { uncodedTag } from "../../server/compression.ts"
import { chargeRefusal } from "../../server/RateLimit.ts"
import { type Asset, Assets } from "./Assets.ts"
import { Respond } from "./Respond.tsx"

const IMMUTABLE = "public, max-age=31536000, immutable"
const A_WHILE = "public, max-age=300"

const serve = ({ answer, etag }: Asset, caching: string, more: Readonly<Record<string, string>> = {}) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const known = headers["if-none-match"]
    const shared = { "cache-control": caching, ...more }
    if (known !== undefined && uncodedTag(known) === etag)
      return HttpServerResponse.empty({ status: 304, headers: { ...shared, etag: known, vary: "accept-encoding" } })
    return HttpServerResponse.setHeaders(answer, { ...shared, etag, "x-content-type-options": "nosniff" })
  })

const missing = reply(404, "not_found", "No such file")

export const AssetsHttp = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const assets = yield* Assets
    const { route } = yield* Respond
    const images = yield* Images
    const find = (file: string, caching: string, more = {}) => {
      const asset = assets.find(file)
      return asset === undefined ? missing : serve(asset, caching, more)
    }
    yield* router.get(
      route("/assets/:file"),
      Effect.flatMap(HttpRouter.params, ({ file = "" }) => find(file, IMMUTABLE))
    )
    // named by its content: kept for ever, and shown wherever the address is
    yield* router.get(
      route("/images/:name"),
      Effect.flatMap(HttpRouter.params, ({ name = "" }) =>
        Effect.flatMap(
          images.find(name),
          Option.match({
            // names are not guessed: whoever asks for others has the database look for each
            onNone: () => Effect.zipRight(chargeRefusal, missing),
            onSome: ({ content_type, bytes }) =>
              HttpServerResponse.uint8Array(bytes, {
                contentType: content_type,
                headers: {
                  "cache-control": IMMUTABLE,
                  "content-security-policy": "default-src 'none'",
                  "cross-origin-resource-policy": "cross-origin",
                  "x-content-type-options": "nosniff"
                }
              })
          })
        )
      )
    )
    // any page may load the widget; what it may show is decided by the pages' frame-ancestors
    yield* router.get(
      route("/booking-widget.js"),
      find(assets.of("widget").file, A_WHILE, {
        "cross-origin-resource-policy": "cross-origin",
        "access-control-allow-origin": "*"
      })
    )
  })
)
