/** The pharmacy part of the API, for a separate OpenAPI document. */
import { HttpApi, OpenApi } from "@effect/platform"
import { Api } from "../../../http/Api.ts"

export const PHARMACY_BASE = "/v1/external_pharmacy_api"

/** All groups whose paths start with the base, so that a new group is included automatically. */
const groups = Object.values(Api.groups).filter((group) =>
  Object.values(group.endpoints).every(({ path }) => path.startsWith(`${PHARMACY_BASE}/`))
)

export const PharmacyApi = groups.reduce<HttpApi.HttpApi.Any>(
  (api, group) => (api as typeof Api).add(group as never), // a list of groups has no type that `add` could follow
  HttpApi.make("external_pharmacy_api")
    .annotate(OpenApi.Title, "Sprechstunde for pharmacies")
    .annotate(OpenApi.Version, "1.0.0")
    .annotate(
      OpenApi.Description,
      "Stock and prices, orders, payouts and webhooks of a pharmacy. Send the key as `X-API-Key`; group-wide keys name a pharmacy with `pharmacy_uid`. All timestamps are Unix seconds, all amounts cents."
    )
)
