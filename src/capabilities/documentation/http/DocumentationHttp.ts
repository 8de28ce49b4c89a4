/** The OpenAPI document of this installation, the documentation site, and the addresses that machines know. */
import { HttpServerResponse } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Settings } from "../../../config.ts"
import { Capabilities } from "../../../declarations.ts"
import { Routes } from "../../../http/inRequest.ts"
import { ServedApi } from "../../../http/ServedApi.ts"
import { memoised } from "../../../services/memoised.ts"
import { documentOf } from "./openapi/openapi.ts"
import { PharmacyDocs } from "./PharmacyDocs.ts"
import { Site, SiteHttp } from "./site.ts"
import { WellKnownHttp } from "./WellKnownHttp.ts"

/** The document of the capabilities that are on, made on first use. */
const documentOfServed = Effect.zipWith(ServedApi, Settings, (api, { baseUrl }) => {
  const json = memoised(() => JSON.stringify(documentOf(api, baseUrl)))
  return Effect.sync(() => HttpServerResponse.text(json(), { contentType: "application/json" }))
})

const DocumentHttp = Routes.use((router) =>
  Effect.gen(function* () {
    const site = yield* Site
    const { on, installed } = yield* Capabilities
    // The built document has every capability
    const document = on.length === installed.length ? site.document("whole") : yield* documentOfServed
    yield* router.get("/openapi.json", document)
  })
)

export const DocumentationHttp = Layer.mergeAll(DocumentHttp, SiteHttp, PharmacyDocs, WellKnownHttp).pipe(
  Layer.provide(Site.Default)
)
