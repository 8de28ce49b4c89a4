/** Static assets, images, and the widget's script under its fixed public name. */
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { Images } from "../../../services/access/Images.ts"
import { refuseCredential } from "../../admission/Admission.ts"
import { Routes } from "../../inRequest.ts"
import { reply } from "../../problems.ts"
import { uncodedTag } from "../../server/compression.ts"
import { type Asset, Assets } from "./Assets.ts"
import { Respond } from "./Respond.tsx"

const IMMUTABLE = "public, max-age=31536000, immutable"
const FIVE_MINUTES = "public, max-age=300"

const serve = ({ answer, etag }: Asset, caching: string, more: Readonly<Record<string, string>> = {}) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const known = headers["if-none-match"]
    const shared = { "cache-control": caching, ...more }
    if (known !== undefined && uncodedTag(known) === etag)
      return HttpServerResponse.empty({ status: 304, headers: { ...shared, etag: known, vary: "accept-encoding" } })
    return HttpServerResponse.setHeaders(answer, { ...shared, etag, "x-content-type-options": "nosniff" })
  })

// Clients do not guess names, so a miss, which may cost a query, counts as a refused credential
const missing = reply(404, "not_found", "No such file").pipe(Effect.zipLeft(refuseCredential))

export const AssetsHttp = Routes.use((router) =>
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
    // Named by content hash: cached for ever, and public to anyone who has the URL
    yield* router.get(
      route("/images/:name"),
      Effect.flatMap(HttpRouter.params, ({ name = "" }) =>
        Effect.flatMap(
          images.find(name),
          Option.match({
            onNone: () => missing,
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
    // Any site may load the widget; the pages' frame-ancestors decide which sites may embed them
    yield* router.get(
      route("/booking-widget.js"),
      find(assets.of("widget").file, FIVE_MINUTES, {
        "cross-origin-resource-policy": "cross-origin",
        "access-control-allow-origin": "*"
      })
    )
  })
)
