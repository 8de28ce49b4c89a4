/** Shops, with the sealed settings of their storefronts. */
import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { ShopNotFound } from "../../schemas/access/errors.ts"
import type { OrganisationUid, ShopUid } from "../../schemas/ids.ts"
import { type Shop, StorefrontSettings } from "../../schemas/provisioning/tenancy.ts"
import { anyOr, rowsOf } from "../rows.ts"
import { type Place, SecretBox } from "../SecretBox.ts"
import { newCode } from "../uid.ts"

const Settings = Schema.parseJson(StorefrontSettings)
const isSame = Schema.equivalence(StorefrontSettings)

export const storefrontPlace = (organisation_uid: OrganisationUid, uid: ShopUid): Place => ({
  table: "shops",
  column: "storefront_sealed",
  row: [organisation_uid, uid]
})

export class ShopsRepo extends Effect.Service<ShopsRepo>()("access/ShopsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const box = yield* SecretBox
    const sealedSettings = rowsOf(Schema.Struct({ storefront_sealed: Schema.String }))

    const stored = Effect.fnUntraced(function* ({ organisation_uid, uid }: Shop) {
      const row = yield* sealedSettings.first(
        sql`SELECT storefront_sealed FROM shops WHERE organisation_uid = ${organisation_uid} AND uid = ${uid}`
      )
      if (Option.isNone(row)) return undefined
      const { storefront_sealed: sealed } = row.value
      const opened = yield* box.open(storefrontPlace(organisation_uid, uid), sealed)
      return { sealed, settings: yield* Effect.orDie(Schema.decode(Settings)(opened)) }
    })

    /**
     * Creates or replaces a shop of a provisioning file. An embedded shop without a webhook secret gets a generated one,
     * which it then keeps. Settings that have not changed are not sealed again.
     */
    const provision = Effect.fn("ShopsRepo.provision")(function* (shop: Shop) {
      const { organisation_uid, uid, storefront } = shop
      const before = yield* stored(shop)
      const kept = before?.settings.kind === "embedded" ? before.settings.webhook_secret : null
      const webhook_secret = storefront.webhook_secret ?? kept ?? (yield* newCode("whs"))
      const settings: StorefrontSettings = { ...storefront, webhook_secret }
      const sealed =
        before !== undefined && isSame(before.settings, settings)
          ? before.sealed
          : yield* box.seal(
              storefrontPlace(organisation_uid, uid),
              yield* Effect.orDie(Schema.encode(Settings)(settings))
            )
      const row = {
        shop_identifier: shop.shop_identifier,
        name: shop.name ?? shop.shop_identifier,
        default_pharmacy_uid: shop.default_pharmacy_uid,
        storefront_kind: storefront.kind,
        storefront_domain: storefront.kind === "shopify" ? storefront.shop_domain : null,
        storefront_sealed: sealed
      }
      yield* sql`INSERT INTO shops ${sql.insert({ organisation_uid, uid, ...row })}
        ON CONFLICT (organisation_uid, uid) DO UPDATE SET ${sql.update(row)}`
      const among = shop.default_pharmacy_uid === null ? [] : [shop.default_pharmacy_uid]
      const pharmacy_uids = shop.pharmacy_uids && [...new Set([...shop.pharmacy_uids, ...among])]
      yield* sql`UPDATE shops SET pharmacy_uids = ${pharmacy_uids}::text[]
        WHERE organisation_uid = ${organisation_uid} AND uid = ${uid}`
    })

    /** Fails with `ShopNotFound` unless the shop is the organisation's. */
    const ensure = Effect.fn("ShopsRepo.ensure")((owner: OrganisationUid, uid: ShopUid) =>
      anyOr(sql`SELECT 1 FROM shops WHERE organisation_uid = ${owner} AND uid = ${uid}`, () => new ShopNotFound())
    )
    return { provision, ensure } as const
  })
}) {}
