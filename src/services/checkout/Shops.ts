/** Shops as checkouts and webhooks know them. */
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { OrganisationUid, PharmacyUid, ShopUid } from "../../schemas/ids.ts"
import { NotFound } from "../../schemas/problems.ts"
import { StorefrontSettings } from "../../schemas/provisioning/tenancy.ts"
import { SecretBox } from "../SecretBox.ts"

export interface Shop {
  readonly organisation_uid: OrganisationUid
  readonly organisation_name: string
  readonly shop_uid: ShopUid
  readonly shop_identifier: string
  readonly name: string
  readonly default_pharmacy_uid: PharmacyUid | null
  readonly storefront_kind: "embedded" | "shopify"
}

type ShopKey = Pick<Shop, "organisation_uid" | "shop_uid">

const decodeSettings = Schema.decodeUnknown(Schema.parseJson(StorefrontSettings))

export class Shops extends Effect.Service<Shops>()("checkout/Shops", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const box = yield* SecretBox

    const columns = sql`s.organisation_uid, o.name AS organisation_name, s.uid AS shop_uid, s.shop_identifier, s.name,
      s.default_pharmacy_uid, s.storefront_kind`
    const from = sql`FROM shops s JOIN organisations o USING (organisation_uid)`

    const first = ([shop]: ReadonlyArray<Shop>) =>
      shop === undefined ? Effect.fail(new NotFound({ what: "Shop" })) : Effect.succeed(shop)

    /** By the identifier that webhooks and checkouts carry in their path; unique across organisations. */
    const byIdentifier = Effect.fn("Shops.byIdentifier")((shop_identifier: string) =>
      Effect.flatMap(
        Effect.orDie(sql<Shop>`SELECT ${columns} ${from} WHERE s.shop_identifier = ${shop_identifier}`),
        first
      )
    )

    /** The same, of this organisation alone: another's is not there. */
    const ofOrganisation = Effect.fn("Shops.ofOrganisation")(function* (
      organisation_uid: OrganisationUid,
      shop_identifier: string
    ) {
      const shop = yield* byIdentifier(shop_identifier)
      if (shop.organisation_uid !== organisation_uid) return yield* new NotFound({ what: "Shop" })
      return shop
    })

    /** How to reach its storefront, secrets opened: for adapters and signatures, never for an answer. */
    const settings = Effect.fn("Shops.settings")(function* ({ organisation_uid, shop_uid }: ShopKey) {
      const rows = yield* sql<{ storefront_sealed: string }>`SELECT storefront_sealed FROM shops
        WHERE organisation_uid = ${organisation_uid} AND uid = ${shop_uid}`
      return yield* decodeSettings(yield* box.open(rows[0]?.storefront_sealed ?? ""))
    }, Effect.orDie)

    return { byIdentifier, ofOrganisation, settings } as const
  })
}) {}
