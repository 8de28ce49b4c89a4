/** The pharmacy API as an OpenAPI document and as a page of the documentation. */
import { Effect } from "effect"
import { Routes } from "../../../http/inRequest.ts"
import { PHARMACY_BASE } from "./PharmacyApi.ts"
import { Site } from "./site.ts"

export const PharmacyDocs = Routes.use((router) =>
  Effect.gen(function* () {
    const site = yield* Site
    yield* router.get(`${PHARMACY_BASE}/openapi.json`, site.document("pharmacy"))
    yield* router.get(`${PHARMACY_BASE}/apidocs`, site.at("reference/pharmacies"))
  })
)
