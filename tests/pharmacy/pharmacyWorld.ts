import { Effect, Schema } from "effect"
import { Provisioning } from "../../src/capabilities/shared/services/provisioning/Provisioning.ts"
import { pharmacyPermissions } from "../../src/schemas/access/permissions.ts"
import {
  OrganisationUid,
  PharmacyOrderUid,
  PharmacySkuUid,
  PharmacyUid,
  ProductUid,
  ShopUid,
  SkuUid
} from "../../src/schemas/ids.ts"
import { PayoutQuery } from "../../src/schemas/pharmacy/Payout.ts"
import { Orders } from "../../src/services/pharmacy/Orders.ts"
import { PayoutList } from "../../src/services/pharmacy/PayoutList.ts"
import { Pharmacies, type Pharmacy } from "../../src/services/pharmacy/Pharmacies.ts"
import { Skus } from "../../src/services/pharmacy/Skus.ts"
import { onlyOwner } from "../../src/services/tenancy/Tenancy.ts"
import { present } from "../support/body.ts"
import { openedEvents } from "../support/records.ts"
import type { Ask, Services, TestLayers, TestServer } from "../support/server.ts"
import { random } from "../support/world.ts"

export const BASE = "/v1/external_pharmacy_api"

export interface PharmacyOptions {
  readonly pharmacy?: Readonly<Record<string, unknown>>
  readonly terms?: Readonly<Record<string, unknown>>
}

/** A query as a request sends it. */
export const asked =
  <A, I>(schema: Schema.Schema<A, I>) =>
  (query: Readonly<Record<string, string | number>> = {}) =>
    Schema.decodeUnknownSync(schema)(Object.fromEntries(Object.entries(query).map(([key, value]) => [key, `${value}`])))
export const payoutQuery = asked(PayoutQuery)

/** A new pharmacy in a group, with its key, two physical SKUs and a digital one. Its services see its own rows only. */
export const layeredPharmacy = async (server: TestLayers, { pharmacy = {}, terms = {} }: PharmacyOptions = {}) => {
  const provision = (json: unknown) => server.run(Effect.flatMap(Provisioning, ({ apply }) => apply(json)))
  const ids = {
    organisation_uid: OrganisationUid.make(random("org")),
    shop_uid: ShopUid.make(random("shop")),
    group_uid: random("grp"),
    pharmacy_uid: PharmacyUid.make(random("pha")),
    product_uid: ProductUid.make(random("pro")),
    key: random("spr_key_that_is_long_enough"),
    group_key: random("spr_key_that_is_long_enough")
  }
  const { pharmacy_uid, organisation_uid, product_uid } = ids
  const carried = (name: string, price: number, digital = false) => ({
    sku: SkuUid.make(random("sku")),
    uid: PharmacySkuUid.make(random("psk")),
    name,
    price,
    digital
  })
  const skus = { drops: carried("Drops", 1_000), gel: carried("Gel", 2_550), consult: carried("Consult", 900, true) }
  const entry = {
    uid: pharmacy_uid,
    name: "Apotheke",
    group_uid: ids.group_uid,
    payout_terms: {
      commission_bps: 1_000,
      markup_share_bps: 5_000,
      shipping_share_bps: 8_000,
      payment_account: "org_pharmacy",
      ...terms
    },
    ...pharmacy
  }
  await provision({
    organisations: [{ uid: organisation_uid, name: "Praxis" }],
    shops: [{ uid: ids.shop_uid, shop_identifier: random("identifier"), organisation_uid }],
    pharmacy_groups: [{ uid: ids.group_uid, name: "Gruppe" }],
    pharmacies: [entry],
    products: [{ uid: product_uid, display_name: "Remedy", handle: "remedy" }],
    skus: Object.values(skus).map(({ sku, name, digital, price }) => ({
      uid: sku,
      product_uid,
      display_name: name,
      pzn: "01234567",
      standard_selling_unit: 10,
      unit: "ml",
      digital,
      selling_price: price
    })),
    pharmacy_skus: Object.values(skus).map(({ uid, sku, price }) => ({
      uid,
      pharmacy_uid,
      sku_uid: sku,
      external_id: `ext-${uid}`,
      price,
      stock: 10
    })),
    api_keys: [
      { key: ids.key, name: "own", permissions: pharmacyPermissions, pharmacy_uid },
      { key: ids.group_key, name: "group", permissions: pharmacyPermissions, pharmacy_group_uid: ids.group_uid }
    ]
  })

  const run = <A, E>(program: Effect.Effect<A, E, Services>) => server.run(onlyOwner({ pharmacy_uid })(program))
  const orders = <A, E>(use: (orders: Orders, pharmacy: PharmacyUid) => Effect.Effect<A, E, Services>) =>
    run(Effect.flatMap(Orders, (service) => use(service, pharmacy_uid)))
  const stock = <A, E>(use: (skus: Skus, pharmacy: Pharmacy) => Effect.Effect<A, E, Services>) =>
    run(
      Effect.gen(function* () {
        const pharmacies = yield* Pharmacies
        return yield* use(yield* Skus, yield* pharmacies.inScope({ pharmacy_uid, pharmacy_group_uid: null }, undefined))
      })
    )
  const payouts = (query?: Parameters<typeof payoutQuery>[0]) =>
    run(Effect.flatMap(PayoutList, ({ list }) => list(pharmacy_uid, payoutQuery(query))))

  const line = (sku: { readonly sku: string; readonly price: number }, quantity = 1, unit_price = sku.price) => ({
    sku_uid: sku.sku,
    quantity,
    unit_price
  })

  /** Provisions orders with these fields; returns their uids. */
  const ordersWith = async (all: ReadonlyArray<Readonly<Record<string, unknown>>>) => {
    const pharmacy_orders = all.map((over) => {
      const uid = PharmacyOrderUid.make(random("pho"))
      return {
        uid,
        name: `#${uid.slice(-4)}`,
        pharmacy_uid,
        shop_uid: ids.shop_uid,
        lines: [line(skus.drops)],
        ...over
      }
    })
    await provision({ pharmacy_orders })
    return pharmacy_orders.map(({ uid }) => uid)
  }
  const order = async (over: Readonly<Record<string, unknown>> = {}) => present((await ordersWith([over]))[0])

  return { ...ids, entry, skus, provision, run, orders, stock, payouts, line, order, ordersWith }
}
export type LayeredPharmacy = Awaited<ReturnType<typeof layeredPharmacy>>

/** The same, with its API. */
export const makePharmacy = async (server: TestServer, options?: PharmacyOptions) => {
  const world = await layeredPharmacy(server, options)
  const { pharmacy_uid } = world

  /** Calls the pharmacy API, by default with the pharmacy's own key. */
  const call = (method: string, path: string, ask: Ask = {}) =>
    server.api(method, BASE + path, { key: world.key, ...ask })

  /** A key of this pharmacy with these permissions only. */
  const keyWith = async (...permissions: ReadonlyArray<string>) => {
    const key = random("spr_key_that_is_long_enough")
    await world.provision({ api_keys: [{ key, name: "some", permissions, pharmacy_uid }] })
    return key
  }

  return { ...world, call, keyWith }
}
export type PharmacyWorld = Awaited<ReturnType<typeof makePharmacy>>

/** Events of a pharmacy, in order. */
export const eventsIn = async (server: TestLayers, pharmacy_uid: string) =>
  (await openedEvents(server, (sql) => sql`owner_uid = ${pharmacy_uid}`)).map(({ type, subject, data }) => ({
    type,
    subject,
    data
  }))
