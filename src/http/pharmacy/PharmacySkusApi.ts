/** Contract: a pharmacy's products and SKUs (Rule 10.3). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { query } from "../../schemas/fields.ts"
import { PharmacySkuUid } from "../../schemas/ids.ts"
import { Listed, Paged } from "../../schemas/paging.ts"
import { PharmacyNotFound, PharmacySkuNotFound } from "../../schemas/pharmacy/errors.ts"
import {
  BulkChanges,
  BulkResult,
  ExternalIdChange,
  PharmacyProduct,
  PharmacySku,
  ProductQuery,
  SkuChanges,
  SkuQuery,
  StockChange
} from "../../schemas/pharmacy/PharmacySku.ts"
import { Invalid, PreconditionFailed } from "../../schemas/problems.ts"
import { ValuesLimit } from "../admission/bodyLimits.ts"
import { Noun, Recorded } from "../annotations.ts"
import { apiGroup } from "../apiGroup.ts"
import { IfMatch } from "../conditional.ts"
import { PharmacyKey } from "../credentials/credentials.ts"
import { GroupPermissions } from "../credentials/requiredPermissions.ts"
import { problem } from "../problems.ts"
import { pharmacyScope } from "./scope.ts"

const path = Schema.Struct({ pharmacy_sku_uid: PharmacySkuUid })
const scope = query(pharmacyScope)
const writes = ["stock_write", "pharmacy_sku_write"] as const

/** A change of one SKU. */
const change = <const Name extends string, B extends Schema.Schema.Any>(
  name: Name,
  at: `/pharmacy_skus/:pharmacy_sku_uid${string}`,
  body: B,
  summary: string
) =>
  HttpApiEndpoint.patch(name, at)
    .setPath(path)
    .setHeaders(IfMatch)
    .setUrlParams(scope)
    .setPayload(body)
    .addSuccess(PharmacySku)
    .addError(problem(PreconditionFailed, PharmacySkuNotFound))
    .annotate(OpenApi.Summary, summary)

export class PharmacySkusApi extends apiGroup(
  "pharmacy.skus",
  HttpApiEndpoint.get("products", "/pharmacy_products/")
    .setUrlParams(query({ ...pharmacyScope, ...ProductQuery.fields }))
    .addSuccess(Paged(PharmacyProduct))
    .annotate(OpenApi.Identifier, "listPharmacyProducts")
    .annotate(OpenApi.Summary, "List the products that the pharmacy carries, with their SKUs"),
  HttpApiEndpoint.get("list", "/pharmacy_skus/")
    .setUrlParams(query({ ...pharmacyScope, ...SkuQuery.fields }))
    .addSuccess(Paged(PharmacySku))
    .annotate(OpenApi.Summary, "List the pharmacy's SKUs")
    .annotate(OpenApi.Description, "SKUs of a type that is hidden from the pharmacy are neither listed nor counted."),
  HttpApiEndpoint.patch("updateAll", "/pharmacy_skus/")
    .setUrlParams(scope)
    .setPayload(BulkChanges)
    .addSuccess(Listed(BulkResult))
    .annotate(ValuesLimit, 50_000) // rows may be sent back as they are listed: some 20 values each
    .annotate(OpenApi.Summary, "Update up to 1,000 SKUs")
    .annotate(
      OpenApi.Description,
      "Every row is validated separately; `data` has the result of each, in the order of the request. All valid rows change in one transaction."
    ),
  change(
    "update",
    "/pharmacy_skus/:pharmacy_sku_uid",
    SkuChanges,
    "Update price, stock, external id; only sent fields change"
  ).annotate(OpenApi.Description, "A new price changes the projected payouts of open orders."),
  change("updateStock", "/pharmacy_skus/:pharmacy_sku_uid/stock", StockChange, "Update the stock").annotate(
    OpenApi.Identifier,
    "updatePharmacySkuStock"
  ),
  change(
    "updateExternalId",
    "/pharmacy_skus/:pharmacy_sku_uid/external_id",
    ExternalIdChange,
    "Update the external id"
  ).annotate(OpenApi.Identifier, "updatePharmacySkuExternalId")
)
  .addError(problem(Invalid, PharmacyNotFound))
  .middleware(PharmacyKey)
  .prefix("/v1/external_pharmacy_api")
  .annotate(GroupPermissions, { read: ["stock_read"], change: writes })
  .annotate(Noun, "PharmacySku")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Pharmacy: SKUs and products")
  .annotate(OpenApi.Description, "A pharmacy's prices, stock and identifiers") {}
