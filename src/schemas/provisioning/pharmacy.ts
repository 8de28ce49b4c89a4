/** Provisioning of pharmacies, their articles and their orders. */
import { Schema } from "effect"
import { Cents, integer, MailAddress, Name, named, Opaque, withDefault } from "../fields.ts"
import { PharmacyGroupUid, PharmacySkuUid, ProductUid, SkuUid } from "../ids.ts"
import { SkuType } from "../pharmacy/PharmacySku.ts"
import { optional, pharmacy_uid } from "./tenancy.ts"

const BasisPoints = integer(0, 10_000, "Basis points, 10000 = 100 %")

const Currency = Schema.String.pipe(
  Schema.pattern(/^[A-Z]{3}$/, { message: () => "must be a currency's three capital letters, e.g. EUR" })
)
const Measure = Schema.Positive.pipe(
  Schema.finite(),
  Schema.annotations({ message: () => ({ message: "must be a number greater than 0", override: true }) })
)

const product_uid = named(ProductUid)
const sku_uid = named(SkuUid)

const email = optional(MailAddress.annotations({ description: "Of its staff, who sign in by it" }))

export const PharmacyGroup = Schema.Struct({ uid: named(PharmacyGroupUid), name: Name, email })
export type PharmacyGroup = typeof PharmacyGroup.Type

export const Pharmacy = Schema.Struct({
  uid: pharmacy_uid,
  name: Name,
  email,
  group_uid: optional(named(PharmacyGroupUid)),
  hidden_sku_types: withDefault(Schema.Array(SkuType), []),
  payout_terms: withDefault(
    Schema.Struct({
      currency: withDefault(Currency, "EUR"),
      commission_bps: withDefault(BasisPoints, 0),
      markup_share_bps: withDefault(BasisPoints, 0),
      shipping_share_bps: withDefault(BasisPoints, 10_000),
      payment_account: optional(Opaque(255))
    }),
    { currency: "EUR", commission_bps: 0, markup_share_bps: 0, shipping_share_bps: 10_000, payment_account: null }
  )
})

export type Pharmacy = typeof Pharmacy.Type

export const Product = Schema.Struct({ uid: product_uid, display_name: Name, handle: Opaque(255) })
export type Product = typeof Product.Type

export const Sku = Schema.Struct({
  uid: sku_uid,
  product_uid,
  display_name: Name,
  pzn: optional(Opaque(32)),
  standard_selling_unit: Measure,
  unit: Opaque(64),
  digital: withDefault(Schema.Boolean, false),
  selling_price: Cents,
  storefront_variant_id: optional(Opaque(255)),
  /** Every shop sells it only with an anamnesis; one shop alone says so in its `anamnesis_sku_uids`. */
  needs_anamnesis: withDefault(Schema.Boolean, false)
})

export type Sku = typeof Sku.Type

export const PharmacySku = Schema.Struct({
  uid: named(PharmacySkuUid),
  pharmacy_uid,
  sku_uid,
  external_id: Opaque(255),
  price: Cents,
  stock: integer(-2_147_483_648, 2_147_483_647, "Pieces in stock; negative when oversold")
})

export type PharmacySku = typeof PharmacySku.Type
