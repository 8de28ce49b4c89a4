/** Shops, for checkouts and webhooks. */
import { Effect, Schema } from "effect"
import { ShopNotFound } from "../../schemas/access/errors.ts"
import { StorefrontSettings } from "../../schemas/checkout/StorefrontSettings.ts"
import { OrganisationUid, PharmacyUid, ShopUid, SkuUid } from "../../schemas/ids.ts"
import { rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { type Place, SecretBox } from "../sealing/SecretBox.ts"
import { enter, ofOrganisationWith } from "../tenancy/Tenancy.ts"

export const Shop = Schema.Struct({
  organisation_uid: OrganisationUid,
  organisation_name: Schema.String,
  shop_uid: ShopUid,
  shop_identifier: Schema.String,
  name: Schema.String,
  default_pharmacy_uid: Schema.NullOr(PharmacyUid),
  /** The pharmacies that may receive its orders; null: all. */
  pharmacy_uids: Schema.NullOr(Schema.Array(PharmacyUid)),
  pharmacy_choice: Schema.Literal("any", "patient"),
  /** Articles that it sells only with an anamnesis. */
  anamnesis_sku_uids: Schema.Array(SkuUid),
  storefront_kind: Schema.Literal("embedded", "shopify")
})
export type Shop = typeof Shop.Type

type ShopKey = Pick<Shop, "organisation_uid" | "shop_uid">

/** Where a shop's sealed settings are. */
export const storefrontPlace = (organisation_uid: OrganisationUid, uid: ShopUid): Place => ({
  table: "shops",
  column: "storefront_sealed",
  row: [organisation_uid, uid]
})

const decodeSettings = Schema.decodeUnknown(Schema.parseJson(StorefrontSettings))

export class Shops extends Effect.Service<Shops>()("checkout/Shops", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const box = yield* SecretBox

    const shops = rowsOf(Shop)
    const sealed = rowsOf(Schema.Struct({ storefront_sealed: Schema.String }))
    const columns = sql`s.organisation_uid, o.name AS organisation_name, s.uid AS shop_uid, s.shop_identifier, s.name,
      CASE WHEN o.pharmacy_uids IS NULL OR s.default_pharmacy_uid = ANY(o.pharmacy_uids)
        THEN s.default_pharmacy_uid END AS default_pharmacy_uid,
      CASE WHEN s.pharmacy_uids IS NULL OR o.pharmacy_uids IS NULL THEN coalesce(s.pharmacy_uids, o.pharmacy_uids)
        ELSE ARRAY(SELECT unnest(s.pharmacy_uids) INTERSECT SELECT unnest(o.pharmacy_uids)) END AS pharmacy_uids,
      s.pharmacy_choice, s.anamnesis_sku_uids, s.storefront_kind`
    const from = sql`FROM shops s JOIN organisations o USING (organisation_uid)`

    const find = (shop_identifier: string) =>
      shops
        .firstOr(sql`SELECT ${columns} ${from} WHERE s.shop_identifier = ${shop_identifier}`, () => new ShopNotFound())
        .pipe(ofOrganisationWith({ kind: "shop_identifier", key: shop_identifier }))

    /** The shop of an identifier in a webhook's path; enters its organisation. Fails with `ShopNotFound`. */
    const byIdentifier = Effect.fn("Shops.byIdentifier")((shop_identifier: string) =>
      Effect.tap(find(shop_identifier), enter)
    )

    /** A shop of this organisation. Fails with `ShopNotFound`, also for another's. */
    const ofOrganisation = Effect.fn("Shops.ofOrganisation")(function* (
      organisation_uid: OrganisationUid,
      shop_identifier: string
    ) {
      const shop = yield* find(shop_identifier)
      if (shop.organisation_uid !== organisation_uid) return yield* new ShopNotFound()
      return shop
    })

    /** The storefront's settings with decrypted secrets: only for adapters and signatures. */
    const settings = Effect.fn("Shops.settings")(function* ({ organisation_uid, shop_uid }: ShopKey) {
      const { storefront_sealed } = yield* sealed.one(sql`SELECT storefront_sealed FROM shops
        WHERE organisation_uid = ${organisation_uid} AND uid = ${shop_uid}`)
      return yield* decodeSettings(yield* box.open(storefrontPlace(organisation_uid, shop_uid), storefront_sealed))
    }, Effect.orDie)

    return { byIdentifier, ofOrganisation, settings } as const
  })
}) {}
