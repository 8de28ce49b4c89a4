/** Shops in the management interface (Rule 12.1.2). */
import { Schema } from "effect"
import { StorefrontSettings } from "../../../schemas/checkout/StorefrontSettings.ts"
import {
  body,
  changes,
  described,
  listOf,
  Name,
  oneOf,
  Segment,
  UnixSeconds,
  withDefault,
  withExample
} from "../../../schemas/fields.ts"
import { OrganisationUid, PharmacyUid, ShopUid, SkuUid } from "../../../schemas/ids.ts"
import { keys, pageQuery, updatedAfter } from "../../../schemas/paging.ts"

const fields = {
  shop_identifier: Segment.annotations({
    description: "Identifier of the shop in booking tokens and checkouts; unique over all organisations",
    examples: ["example-shop"]
  }),
  name: described(Name, "Display name"),
  default_pharmacy_uid: described(Schema.NullOr(PharmacyUid), "Pharmacy of orders that name none"),
  pharmacy_uids: Schema.NullOr(listOf(PharmacyUid, { max: 1_000 })).annotations({
    description: "The pharmacies that its orders may go to, the default one included; null: all of the installation's"
  }),
  pharmacy_choice: oneOf("any", "patient").annotations({
    description:
      "`patient`: the patient chooses, so that an order without the attribute `pharmacy_uid` waits for a person; `any`: the default pharmacy, " +
      "else the cheapest, gets it"
  }),
  anamnesis_sku_uids: listOf(SkuUid, { max: 1_000 }).annotations({
    description:
      "Articles that the shop sells only with an anamnesis: an order whose line has none, or a flag that skips it, waits for a person"
  })
}
const storefront = StorefrontSettings.annotations({
  description: "The storefront of its checkouts. Replaced as a whole; responses contain no secrets"
})

export const Shop = Schema.Struct({
  uid: ShopUid,
  organisation_uid: OrganisationUid,
  ...fields,
  shop_identifier: Schema.String.annotations({
    description: "Identifier of the shop in booking tokens and checkouts; unique over all organisations"
  }),
  storefront: Schema.Struct({
    kind: described(Schema.Literal("embedded", "shopify"), "Kind of storefront"),
    shop_domain: described(Schema.NullOr(Schema.String), "Of a Shopify shop, else null")
  }).annotations({ description: "The storefront of its checkouts" }),
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}).annotations({ identifier: "Shop" })
export type Shop = typeof Shop.Type

export const NewShop = withExample(
  body({
    shop_identifier: fields.shop_identifier,
    name: withDefault(described(Schema.NullOr(Name), "Display name; null: its shop_identifier"), null),
    default_pharmacy_uid: withDefault(fields.default_pharmacy_uid, null),
    pharmacy_uids: withDefault(fields.pharmacy_uids, null),
    pharmacy_choice: withDefault(fields.pharmacy_choice, "any"),
    anamnesis_sku_uids: withDefault(fields.anamnesis_sku_uids, []),
    storefront: withDefault(storefront, { kind: "embedded", webhook_secret: null })
  }),
  { shop_identifier: "example-shop", name: "Example", pharmacy_uids: ["pha_demo"] }
)
export type NewShop = typeof NewShop.Type

export const ShopChanges = withExample(changes({ ...fields, storefront }), { name: "Example" })
export type ShopChanges = typeof ShopChanges.Type

export const ShopQuery = body({
  ...pageQuery(200, Schema.Tuple(keys.text)),
  ...updatedAfter
})
export type ShopQuery = typeof ShopQuery.Type
