/** A pharmacy's articles, with its own price and stock (Rule 10.3.1). */
import { Schema } from "effect"
import {
  body,
  Cents,
  Count,
  changes,
  described,
  IDENTIFIER,
  integer,
  Opaque,
  query,
  UnixSeconds,
  withExample
} from "../fields.ts"
import { PharmacySkuUid, PharmacyUid, ProductUid, SkuUid } from "../ids.ts"
import { keys, pageQuery, updatedAfter } from "../paging.ts"

/** Types of SKU that can be hidden from a pharmacy. */
export const SkuType = Schema.Literal("digital", "physical")
export type SkuType = typeof SkuType.Type

export const Price = described(Cents, "Price of one unit in euro cents")
export const Stock = integer(-2_147_483_648, 2_147_483_647, "Units in stock; below 0 when oversold")
export const ExternalId = Opaque(255).annotations({
  description: "Identifier in the pharmacy's own system",
  [IDENTIFIER]: true
})

export const PharmacySku = Schema.Struct({
  uid: PharmacySkuUid,
  external_id: described(Schema.String, "Identifier in the pharmacy's own system"),
  price: described(Count, "Euro cents"),
  stock: described(Count, "May be below 0: oversold"),
  pharmacy: PharmacyUid,
  sku: Schema.Struct({
    uid: SkuUid,
    display_name: described(Schema.String, "Name of the article"),
    pzn: described(Schema.NullOr(Schema.String), "Central pharmaceutical number (PZN); null without one"),
    product_uid: ProductUid,
    product_display_name: described(Schema.String, "Name of the product"),
    standard_selling_unit: described(Schema.Number, "Amount of `unit` in one piece"),
    unit: described(Schema.String, "Unit of the amount, e.g. ml"),
    product_handle: described(Schema.String, "The product's name in addresses"),
    digital: described(Schema.Boolean, "Whether it is delivered without a parcel")
  }).annotations({ description: "The article, the same for every pharmacy" }),
  created_at: UnixSeconds,
  updated_at: UnixSeconds,
  deleted_at: described(Schema.NullOr(UnixSeconds), "Unix seconds; null while it is sold")
}).annotations({ identifier: "PharmacySku" })
export type PharmacySku = typeof PharmacySku.Type

/** Maximum characters of the `names` filter of a list of SKUs. */
export const NAMES_MAX = 2_048

export const SkuQuery = query({
  ...pageQuery(500, Schema.Tuple(keys.text)),
  names: Schema.optionalWith(Opaque(NAMES_MAX), { exact: true }).annotations({
    description: "Only SKUs whose uid, external id or PZN is one of these, one a line",
    jsonSchema: { examples: ["psk_demo_ibuprofen"] }
  }),
  ...updatedAfter
})
export type SkuQuery = typeof SkuQuery.Type

export const ProductQuery = query({ ...pageQuery(500, Schema.Tuple(keys.text)), ...updatedAfter })
export type ProductQuery = typeof ProductQuery.Type

/** A product with those of its SKUs that the pharmacy stocks. */
export const PharmacyProduct = Schema.Struct({
  uid: ProductUid,
  display_name: described(Schema.String, "Name of the article"),
  handle: described(Schema.String, "The product's name in addresses"),
  skus: described(Schema.Array(PharmacySku), "SKUs of the product that the pharmacy carries"),
  updated_at: described(UnixSeconds, "The latest change of one of these SKUs, Unix seconds")
}).annotations({ identifier: "PharmacyProduct" })
export type PharmacyProduct = typeof PharmacyProduct.Type

/** Only sent fields change. */
export const SkuChanges = withExample(changes({ price: Price, stock: Stock, external_id: ExternalId }), {
  price: 599,
  stock: 40
})
export type SkuChanges = typeof SkuChanges.Type

export const StockChange = body({ stock: Stock })
export const ExternalIdChange = body({
  external_id: described(ExternalId, "Identifier in the pharmacy's own system")
})

/** Maximum SKUs per request. */
export const BULK_LIMIT = 1_000

/** Each row is validated separately, so the body does not decode their fields. */
export const BulkChanges = withExample(
  body({
    data: Schema.Array(Schema.Unknown).pipe(
      Schema.minItems(1, { message: () => "must hold at least one row" }),
      Schema.maxItems(BULK_LIMIT, { message: () => `must hold at most ${BULK_LIMIT} rows` })
    )
  }).annotations({
    identifier: "BulkChanges",
    description: "Rows `{uid, price?, stock?, external_id?, if_match?}`; each succeeds or fails on its own"
  }),
  { data: [{ uid: "psk_demo_ibuprofen", price: 599, stock: 40 }] }
)

/** One row of a bulk change: only sent fields change. */
export const BulkRow = Schema.extend(
  body({
    uid: described(PharmacySkuUid, "The SKU to change"),
    if_match: Schema.optional(Schema.String).annotations({
      description: "The SKU's `ETag`: if it is no longer current the row is 412 and does not change"
    })
  }),
  SkuChanges
)

/** Result of one row of a bulk change, in the order of the request. */
export const BulkResult = Schema.Struct({
  uid: described(Schema.NullOr(Schema.String), "uid of the row; null when it has none"),
  status: Schema.Literal(200, 400, 404, 412).annotations({
    jsonSchema: {
      type: "integer",
      enum: [200, 400, 404, 412],
      description: "200 changed, 400 refused, 404 not found, 412 changed since it was read"
    }
  }),
  pharmacy_sku: described(Schema.NullOr(PharmacySku), "The SKU after the change; null when nothing changed"),
  error: described(Schema.Array(Schema.String), "Every fault of the row as `field: message`")
}).annotations({ identifier: "BulkResult" })
export type BulkResult = typeof BulkResult.Type
