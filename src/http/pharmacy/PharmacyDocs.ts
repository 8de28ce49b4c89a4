/** The pharmacy API as an OpenAPI document and as a page of the documentation. */
import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Site } from "../system/site.ts"
import { PHARMACY_BASE } from "./PharmacyApi.ts"

export const PharmacyDocs = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const site = yield* Site
    yield* router.get(`${PHARMACY_BASE}/openapi.json`, site.document("pharmacy"))
    yield* router.get(`${PHARMACY_BASE}/apidocs`, site.at("reference/pharmacies"))
  })
)
