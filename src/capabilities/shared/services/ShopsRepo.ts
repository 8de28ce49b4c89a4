/** Shops, with the encrypted settings of their storefronts. */
import { Effect, Option, Schema } from "effect"
import { AlreadyUsed, ShopNotFound } from "../../../schemas/access/errors.ts"
import { StorefrontSettings } from "../../../schemas/checkout/StorefrontSettings.ts"
import type { UnixSeconds } from "../../../schemas/fields.ts"
import { type OrganisationUid, PharmacyUid, type ShopUid, SkuUid } from "../../../schemas/ids.ts"
import { storefrontPlace } from "../../../services/checkout/Shops.ts"
import { changedSince } from "../../../services/database/changedSince.ts"
import { anyOr, countOf, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { onConstraint, sqlErrorsDie, timestamp } from "../../../services/database/SqlErrors.ts"
import { pageOf, windowOf } from "../../../services/database/totals.ts"
import { ensureBelowLimit, RECORD_LIMITS } from "../../../services/recordLimits.ts"
import { SecretBox } from "../../../services/sealing/SecretBox.ts"
import { newCode } from "../../../services/uid.ts"
import type { Shop as ShopEntry } from "../schemas/provisionedRecords.ts"
import { Shop, type ShopQuery } from "../schemas/Shop.ts"

const Settings = Schema.parseJson(StorefrontSettings)
const notFound = () => new ShopNotFound()
const isSame = Schema.equivalence(StorefrontSettings)

export class ShopsRepo extends Effect.Service<ShopsRepo>()("access/ShopsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const box = yield* SecretBox
    const sealedSettings = rowsOf(Schema.Struct({ storefront_sealed: Schema.String }))

    const shops = rowsOf(Shop)
    const skus = rowsOf(Schema.Struct({ sku_uid: SkuUid }))
    const pharmacies = rowsOf(Schema.Struct({ pharmacy_uid: PharmacyUid }))
    const grants = rowsOf(Schema.Struct({ granted: Schema.NullOr(Schema.Array(PharmacyUid)) }))
    const columns = sql`organisation_uid, uid, shop_identifier, name, default_pharmacy_uid, pharmacy_uids, pharmacy_choice, anamnesis_sku_uids,
      json_build_object('kind', storefront_kind, 'shop_domain', storefront_domain) AS storefront, created_at, updated_at`

    const stored = Effect.fnUntraced(function* (organisation_uid: OrganisationUid, uid: ShopUid) {
      const row = yield* sealedSettings.first(
        sql`SELECT storefront_sealed FROM shops WHERE organisation_uid = ${organisation_uid} AND uid = ${uid}`
      )
      if (Option.isNone(row)) return undefined
      const { storefront_sealed: sealed } = row.value
      const opened = yield* box.open(storefrontPlace(organisation_uid, uid), sealed)
      return { sealed, settings: yield* Effect.orDie(Schema.decode(Settings)(opened)) }
    })

    /**
     * Creates or replaces a shop. An embedded shop without a webhook secret gets a generated one, which it then keeps. Unchanged settings
     * are not encrypted again. Fails with `AlreadyUsed` if another shop has the identifier. Does not map other SQL errors.
     */
    const provision = Effect.fn("ShopsRepo.provision")(function* (shop: ShopEntry, now: UnixSeconds) {
      const { organisation_uid, uid, storefront } = shop
      const before = yield* stored(organisation_uid, uid)
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
      const among = shop.default_pharmacy_uid === null ? [] : [shop.default_pharmacy_uid]
      const pharmacy_uids = shop.pharmacy_uids && [...new Set([...shop.pharmacy_uids, ...among])]
      const row = {
        shop_identifier: shop.shop_identifier,
        name: shop.name ?? shop.shop_identifier,
        default_pharmacy_uid: shop.default_pharmacy_uid,
        pharmacy_uids,
        pharmacy_choice: shop.pharmacy_choice,
        anamnesis_sku_uids: [...new Set(shop.anamnesis_sku_uids)],
        storefront_kind: storefront.kind,
        storefront_domain: storefront.kind === "shopify" ? storefront.shop_domain : null,
        storefront_sealed: sealed,
        updated_at: timestamp(now)
      }
      return yield* sql`INSERT INTO shops ${sql.insert({ organisation_uid, uid, ...row, created_at: timestamp(now) })}
        ON CONFLICT (organisation_uid, uid) DO UPDATE SET ${sql.update(row)}`.pipe(
        onConstraint("shops_identifier", () => new AlreadyUsed({ field: "shop_identifier" }))
      )
    })
    /**
     * The pharmacies that an organisation may assign to its shops itself; null: all. They are those provisioned for the organisation,
     * else those that its shops already have. Rule 12.1.17.
     */
    const grantedPharmacies = Effect.fn("ShopsRepo.grantedPharmacies")(function* (owner: OrganisationUid) {
      const { granted } = yield* grants.one(sql`SELECT CASE
          WHEN o.pharmacy_uids IS NOT NULL THEN o.pharmacy_uids
          WHEN EXISTS (SELECT FROM shops s WHERE s.organisation_uid = ${owner} AND s.pharmacy_uids IS NULL) THEN NULL
          ELSE ARRAY(SELECT DISTINCT unnest(s.pharmacy_uids) FROM shops s WHERE s.organisation_uid = ${owner})
        END AS granted FROM organisations o WHERE o.organisation_uid = ${owner}`)
      return granted
    })

    /** Index of the first of these pharmacies that does not exist or is not granted; undefined if there is none. */
    const unknownPharmacy = Effect.fn("ShopsRepo.unknownPharmacy")(function* (
      uids: ReadonlyArray<PharmacyUid>,
      granted: ReadonlyArray<PharmacyUid> | null = null
    ) {
      if (uids.length === 0) return undefined
      // A database function, since pharmacies are other tenants
      const found = yield* pharmacies.all(sql`SELECT pharmacy_uid FROM known_pharmacies(${[...uids]})`)
      const known = new Set(found.map(({ pharmacy_uid }) => pharmacy_uid))
      const place = uids.findIndex((uid) => !known.has(uid) || (granted !== null && !granted.includes(uid)))
      return place < 0 ? undefined : place
    })

    /** Index of the first of these articles that does not exist; undefined if there is none. */
    const unknownSku = Effect.fn("ShopsRepo.unknownSku")(function* (uids: ReadonlyArray<SkuUid>) {
      if (uids.length === 0) return undefined
      const found = yield* skus.all(sql`SELECT sku_uid FROM skus WHERE sku_uid = ANY (${[...uids]})`)
      const known = new Set(found.map(({ sku_uid }) => sku_uid))
      const place = uids.findIndex((uid) => !known.has(uid))
      return place < 0 ? undefined : place
    })

    const one = (name: string, locking = sql``) =>
      Effect.fn(name)((owner: OrganisationUid, uid: ShopUid) =>
        shops.firstOr(
          sql`SELECT ${columns} FROM shops WHERE organisation_uid = ${owner} AND uid = ${uid} ${locking}`,
          notFound
        )
      )
    /** The record. Fails with `ShopNotFound`. */
    const find = one("ShopsRepo.find")
    /** Creates or replaces a shop with existing pharmacies; returns the record. */
    const write = (shop: ShopEntry, now: UnixSeconds) =>
      Effect.zipRight(
        sqlErrorsDie(provision(shop, now)),
        Effect.orDieWith(find(shop.organisation_uid, shop.uid), () => new Error("the shop was not written"))
      )
    /** As `find`, locked until the transaction ends. */
    const findForChange = one("ShopsRepo.findForChange", sql`FOR NO KEY UPDATE`)

    /** The settings of its storefront with decrypted secrets. Fails with `ShopNotFound`. */
    const storefrontOf = Effect.fn("ShopsRepo.storefrontOf")(function* (owner: OrganisationUid, uid: ShopUid) {
      return (yield* stored(owner, uid))?.settings ?? (yield* notFound())
    })

    /** A page of the organisation's shops, by identifier, and their total. */
    const list = (owner: OrganisationUid, query: ShopQuery) => {
      const where = sql.and([sql`organisation_uid = ${owner}`, ...changedSince(sql, query)])
      const window = windowOf(query)
      const afterCursor = query.after === undefined ? [] : [sql`shop_identifier > ${query.after[0]}`]
      return pageOf(
        query,
        shops.all(sql`SELECT ${columns} FROM shops WHERE ${sql.and([where, ...afterCursor])}
          ORDER BY shop_identifier LIMIT ${window.limit} OFFSET ${window.offset}`),
        ({ shop_identifier }) => [shop_identifier] as const,
        countOf(sql`SELECT count(*) FROM shops WHERE ${where}`)
      )
    }

    /** Fails with `Invalid` at the limit of shops. */
    const ensureShopsBelowLimit = Effect.fn("ShopsRepo.ensureShopsBelowLimit")((owner: OrganisationUid) =>
      ensureBelowLimit(
        sql`SELECT count(*) AS count FROM shops WHERE organisation_uid = ${owner}`,
        RECORD_LIMITS.shops,
        "shop_identifier",
        "shops"
      )
    )

    /** Fails with `ShopNotFound` unless the shop is the organisation's. */
    const ensure = Effect.fn("ShopsRepo.ensure")((owner: OrganisationUid, uid: ShopUid) =>
      anyOr(sql`SELECT 1 FROM shops WHERE organisation_uid = ${owner} AND uid = ${uid}`, notFound)
    )
    return {
      provision,
      write,
      grantedPharmacies,
      unknownPharmacy,
      unknownSku,
      find,
      findForChange,
      storefrontOf,
      list,
      ensureShopsBelowLimit,
      ensure
    } as const
  })
}) {}
