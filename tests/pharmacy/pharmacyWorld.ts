import { Effect } from "effect"
import { pharmacyPermissions } from "../../src/schemas/access/permissions.ts"
import { Provisioning } from "../../src/services/provisioning/Provisioning.ts"
import { openedEvents } from "../support/records.ts"
import type { Ask, TestServer } from "../support/server.ts"
import { random } from "../support/world.ts"

export const BASE = "/v1/external_pharmacy_api"

export interface PharmacyOptions {
  readonly pharmacy?: Readonly<Record<string, unknown>>
  readonly terms?: Readonly<Record<string, unknown>>
}

/** A new pharmacy in a group, with its key, two physical SKUs and a digital one. */
export const makePharmacy = async (server: TestServer, { pharmacy = {}, terms = {} }: PharmacyOptions = {}) => {
  const provision = (json: unknown) => server.run(Effect.flatMap(Provisioning, ({ apply }) => apply(json)))
  const ids = {
    organisation_uid: random("org"),
    shop_uid: random("shop"),
    group_uid: random("grp"),
    pharmacy_uid: random("pha"),
    product_uid: random("pro"),
    key: random("spr_key_that_is_long_enough"),
    group_key: random("spr_key_that_is_long_enough")
  }
  const { pharmacy_uid, organisation_uid, product_uid } = ids
  const carried = (name: string, price: number, digital = false) => ({
    sku: random("sku"),
    uid: random("psk"),
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

  /** Calls the pharmacy API, by default with the pharmacy's own key. */
  const call = (method: string, path: string, ask: Ask = {}) =>
    server.api(method, BASE + path, { key: ids.key, ...ask })

  const line = (sku: { readonly sku: string; readonly price: number }, quantity = 1, unit_price = sku.price) => ({
    sku_uid: sku.sku,
    quantity,
    unit_price
  })

  /** Provisions an order; returns its uid. */
  const order = async (over: Readonly<Record<string, unknown>> = {}) => {
    const uid = random("pho")
    await provision({
      pharmacy_orders: [
        { uid, name: `#${uid.slice(-4)}`, pharmacy_uid, shop_uid: ids.shop_uid, lines: [line(skus.drops)], ...over }
      ]
    })
    return uid
  }

  /** A key of this pharmacy with these permissions only. */
  const keyWith = async (...permissions: ReadonlyArray<string>) => {
    const key = random("spr_key_that_is_long_enough")
    await provision({ api_keys: [{ key, name: "some", permissions, pharmacy_uid }] })
    return key
  }

  return { ...ids, entry, skus, provision, call, line, order, keyWith }
}
export type PharmacyWorld = Awaited<ReturnType<typeof makePharmacy>>

/** Events of a pharmacy, in order. */
export const eventsIn = async (server: TestServer, pharmacy_uid: string) =>
  (await openedEvents(server, (sql) => sql`owner_uid = ${pharmacy_uid}`)).map(({ type, subject, data }) => ({
    type,
    subject,
    data
  }))
