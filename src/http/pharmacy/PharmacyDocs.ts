/** The pharmacies' own interface as a document and as a page to read and try it: exactly this API, and nobody else's. */
import { HttpApi, HttpApiBuilder, HttpApiScalar, HttpServerResponse, OpenApi } from "@effect/platform"
import { Context, Layer } from "effect"
import { documentOf } from "../system/openapi.ts"
import { PharmacyOrdersApi } from "./PharmacyOrdersApi.ts"
import { PharmacySkusApi } from "./PharmacySkusApi.ts"
import { PharmacyWebhooksApi } from "./PharmacyWebhooksApi.ts"

const BASE = "/v1/external_pharmacy_api"

export const PharmacyApi = HttpApi.make("external_pharmacy_api")
  .add(PharmacySkusApi)
  .add(PharmacyOrdersApi)
  .add(PharmacyWebhooksApi)
  .annotate(OpenApi.Title, "Sprechstunde for pharmacies")
  .annotate(OpenApi.Version, "1.0.0")
  .annotate(
    OpenApi.Description,
    "Stock and prices, orders, payouts and webhooks of a pharmacy. Send the key as `X-API-Key`; group-wide keys name a pharmacy with `pharmacy_uid`. All timestamps are Unix seconds, all amounts cents."
  )

const document = documentOf(PharmacyApi)

export const PharmacyDocs = Layer.mergeAll(
  HttpApiBuilder.Router.use((router) => router.get(`${BASE}/openapi.json`, HttpServerResponse.json(document))),
  // The page comes whole from here: no script, style or font from elsewhere.
  HttpApiScalar.layer({ path: `${BASE}/apidocs`, scalar: { withDefaultFonts: false } }).pipe(
    // The tag is typed for an interface without handlers of its own; the page only reads the contract.
    Layer.provide(Layer.succeed(HttpApi.Api, { api: PharmacyApi as never, context: Context.empty() }))
  )
)
