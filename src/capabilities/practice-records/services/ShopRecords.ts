/** An organisation's shops, as managed by the organisation: create, read and update. Rule 12.1.2. */
import { Effect } from "effect"
import { Settings } from "../../../config.ts"
import type { StorefrontSettings } from "../../../schemas/checkout/StorefrontSettings.ts"
import { isNothing } from "../../../schemas/fields.ts"
import { type OrganisationUid, type PharmacyUid, ShopUid, type SkuUid } from "../../../schemas/ids.ts"
import { paged } from "../../../schemas/paging.ts"
import { invalid } from "../../../schemas/problems.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { Service } from "../../../services/Service.ts"
import { newUid } from "../../../services/uid.ts"
import type { NewShop, ShopChanges, ShopQuery } from "../../shared/schemas/Shop.ts"
import { ShopsRepo } from "../../shared/services/ShopsRepo.ts"

interface Pharmacies {
  readonly default_pharmacy_uid?: PharmacyUid | null
  readonly pharmacy_uids?: ReadonlyArray<PharmacyUid> | null
}

/**
 * A public domain name, without scheme, port or path: over https a server must prove that name, so that hosts of the internal network are
 * unreachable (SSRF). Provisioning accepts any address, and so does an installation that allows webhooks to private ones; the resolved
 * address is checked at each request (`layers/outgoing`).
 */
const DOMAIN =
  /^(?=.{1,253}$)(?!.*\.(localhost|local|internal)$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i

const MISSING = "refers to something that does not exist"

export class ShopRecords extends Service<ShopRecords>()("access/ShopRecords", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const shops = yield* ShopsRepo
    const { webhookAllowPrivate } = yield* Settings

    const ensureDomain = (storefront: StorefrontSettings | undefined) =>
      storefront?.kind === "shopify" && !webhookAllowPrivate && !DOMAIN.test(storefront.shop_domain)
        ? invalid("storefront.shop_domain", "must be a domain, e.g. example.myshopify.com")
        : Effect.void

    /** The pharmacies of a shop: those sent, else all that the organisation may use. Rule 12.1.17. */
    const pharmaciesOf = Effect.fnUntraced(function* (owner: OrganisationUid, sent: Pharmacies) {
      const granted = yield* shops.grantedPharmacies(owner)
      const listed = sent.pharmacy_uids ?? []
      const chosen = sent.default_pharmacy_uid ?? null
      const named = chosen === null ? listed : [...listed, chosen]
      const place = yield* shops.unknownPharmacy(named, granted)
      if (place !== undefined)
        return yield* invalid(place < listed.length ? `pharmacy_uids[${place}]` : "default_pharmacy_uid", MISSING)
      return sent.pharmacy_uids ?? granted
    })

    const ensureSkus = Effect.fnUntraced(function* (uids: ReadonlyArray<SkuUid> = []) {
      const place = yield* shops.unknownSku(uids)
      if (place !== undefined) return yield* invalid(`anamnesis_sku_uids[${place}]`, MISSING)
    })

    /** A page of the shops, by identifier. */
    const list = Effect.fn("ShopRecords.list")((owner: OrganisationUid, query: ShopQuery) =>
      Effect.map(shops.list(owner, query), paged)
    )

    /**
     * Fails with `Invalid` for a pharmacy that the organisation may not use, for an address that is not a domain and at the limit, and
     * with `AlreadyUsed` for a taken identifier.
     */
    const create = Effect.fn("ShopRecords.create")(function* (owner: OrganisationUid, shop: NewShop) {
      yield* ensureDomain(shop.storefront)
      yield* ensureSkus(shop.anamnesis_sku_uids)
      yield* shops.ensureShopsBelowLimit(owner)
      const pharmacy_uids = yield* pharmaciesOf(owner, shop)
      const uid = yield* newUid(ShopUid)
      return yield* shops.write({ ...shop, uid, organisation_uid: owner, pharmacy_uids }, yield* clock.now)
    }, transaction)

    /** Updates the fields sent. Fails with `ShopNotFound`, and as `create`. */
    const update = Effect.fn("ShopRecords.update")(function* (
      owner: OrganisationUid,
      uid: ShopUid,
      changes: ShopChanges
    ) {
      const before = yield* shops.findForChange(owner, uid)
      if (isNothing(changes)) return before
      yield* ensureDomain(changes.storefront)
      yield* ensureSkus(changes.anamnesis_sku_uids)
      const named = yield* pharmaciesOf(owner, changes)
      const pharmacy_uids = changes.pharmacy_uids === undefined ? before.pharmacy_uids : named
      const storefront = changes.storefront ?? (yield* shops.storefrontOf(owner, uid))
      return yield* shops.write({ ...before, ...changes, storefront, pharmacy_uids }, yield* clock.now)
    }, transaction)

    return { list, find: shops.find, findForChange: shops.findForChange, create, update } as const
  }),
  dependencies: [ShopsRepo.Default]
}) {}
