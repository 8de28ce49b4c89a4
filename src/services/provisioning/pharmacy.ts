/** Pharmacies, what they carry and what they have been asked for, from the file. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type {
  OrganisationUid,
  PharmacyOrderUid,
  PharmacyUid,
  PrescriptionUid,
  ShopUid,
  SkuUid
} from "../../schemas/ids.ts"
import type { ProvisioningFile } from "../../schemas/provisioning/ProvisioningFile.ts"
import { DomainClock } from "../DomainClock.ts"
import { OrdersRepo } from "../pharmacy/OrdersRepo.ts"
import { NO_ACCOUNT, PayoutProjector } from "../pharmacy/PayoutProjector.ts"
import { PayoutsRepo } from "../pharmacy/PayoutsRepo.ts"
import { Pharmacies } from "../pharmacy/Pharmacies.ts"
import { eachEntry, mustFind, reject } from "./entry.ts"

/** Products and SKUs, then the pharmacies that carry them. New prices and terms bear on what is open. */
export const provisionPharmacies = Effect.fn("provisioning.pharmacies")(function* (file: ProvisioningFile) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Effect.flatMap(DomainClock, (clock) => clock.now)

  yield* eachEntry(
    "pharmacy_groups",
    file.pharmacy_groups,
    ({ uid, name }) =>
      sql`INSERT INTO pharmacy_groups (pharmacy_group_uid, name) VALUES (${uid}, ${name})
      ON CONFLICT (pharmacy_group_uid) DO UPDATE SET name = excluded.name`
  )
  yield* eachEntry("pharmacies", file.pharmacies, ({ uid, group_uid, name, hidden_sku_types, payout_terms }, path) =>
    Effect.gen(function* () {
      if (group_uid !== null)
        yield* mustFind(`${path}.group_uid`, sql`SELECT 1 FROM pharmacy_groups WHERE pharmacy_group_uid = ${group_uid}`)
      const hidden = [...new Set(hidden_sku_types)] as never // text[], which the driver takes and its types do not know
      const fields = { pharmacy_group_uid: group_uid, name, ...payout_terms, hidden_sku_types: hidden }
      yield* sql`INSERT INTO pharmacies ${sql.insert({ pharmacy_uid: uid, ...fields })}
        ON CONFLICT (pharmacy_uid) DO UPDATE SET ${sql.update(fields)}`
    })
  )
  yield* eachEntry(
    "products",
    file.products,
    ({ uid, ...fields }) =>
      sql`INSERT INTO products ${sql.insert({ product_uid: uid, ...fields })}
      ON CONFLICT (product_uid) DO UPDATE SET ${sql.update(fields)}`
  )
  yield* eachEntry(
    "skus",
    file.skus,
    ({ uid, ...fields }) =>
      sql`INSERT INTO skus ${sql.insert({ sku_uid: uid, ...fields })}
      ON CONFLICT (sku_uid) DO UPDATE SET ${sql.update(fields)}`
  )
  yield* eachEntry("pharmacy_skus", file.pharmacy_skus, ({ pharmacy_uid, uid, ...fields }, path) =>
    Effect.gen(function* () {
      const foreign = yield* sql`SELECT 1 FROM pharmacy_skus WHERE uid = ${uid} AND pharmacy_uid <> ${pharmacy_uid}`
      if (foreign.length > 0) return yield* reject(`${path}.uid`, "belongs to another pharmacy")
      yield* sql`INSERT INTO pharmacy_skus (pharmacy_uid, uid, sku_uid, external_id, price, stock, created_at, updated_at)
        VALUES (${pharmacy_uid}, ${uid}, ${fields.sku_uid}, ${fields.external_id}, ${fields.price}, ${fields.stock},
          to_timestamp(${now}), to_timestamp(${now}))
        ON CONFLICT (pharmacy_uid, uid) DO UPDATE SET ${sql.update(fields)}, updated_at = excluded.updated_at,
          deleted_at = NULL
        WHERE (pharmacy_skus.sku_uid, pharmacy_skus.external_id, pharmacy_skus.price, pharmacy_skus.stock)
          IS DISTINCT FROM (excluded.sku_uid, excluded.external_id, excluded.price, excluded.stock)`
    })
  )
  yield* refreshPayouts(file)
})

const refreshPayouts = Effect.fnUntraced(function* (file: ProvisioningFile) {
  const projector = yield* PayoutProjector
  const pharmacies = yield* Pharmacies
  const payouts = yield* PayoutsRepo
  const touched = new Set([
    ...file.pharmacies.map(({ uid }) => uid),
    ...file.pharmacy_skus.map(({ pharmacy_uid }) => pharmacy_uid)
  ])
  for (const uid of [...touched].sort()) {
    const pharmacy = yield* Effect.orDie(pharmacies.lockForChange(uid as PharmacyUid))
    yield* projector.reproject(pharmacy)
    // The sweep finds them; the command line, which may be what runs this, has no queue.
    if (pharmacy.payment_account !== null) yield* payouts.unpark(pharmacy.pharmacy_uid, { reason: NO_ACCOUNT })
  }
})

/**
 * Orders as if shops had sent them, except that stock is left alone and nobody is told. An order that is there already
 * has lived on: only its name, payment and prescription follow the file.
 */
export const provisionOrders = Effect.fn("provisioning.orders")(function* (file: ProvisioningFile) {
  const sql = yield* SqlClient.SqlClient
  const orders = yield* OrdersRepo
  const projector = yield* PayoutProjector
  const now = yield* Effect.flatMap(DomainClock, (clock) => clock.now)

  yield* eachEntry("pharmacy_orders", file.pharmacy_orders, (order, path) =>
    Effect.gen(function* () {
      const uid = order.uid as PharmacyOrderUid
      const pharmacy_uid = order.pharmacy_uid as PharmacyUid
      const { currency } = yield* mustFind(
        `${path}.pharmacy_uid`,
        sql<{ currency: string }>`SELECT currency FROM pharmacies WHERE pharmacy_uid = ${pharmacy_uid}`
      )
      const { organisation_uid } = yield* mustFind(
        `${path}.shop_uid`,
        sql<{ organisation_uid: OrganisationUid }>`SELECT organisation_uid FROM shops WHERE uid = ${order.shop_uid}`
      )
      for (const [i, { sku_uid }] of order.lines.entries())
        yield* mustFind(`${path}.lines[${i}].sku_uid`, sql`SELECT 1 FROM skus WHERE sku_uid = ${sku_uid}`)
      if (order.prescription_uid !== null)
        yield* mustFind(
          `${path}.prescription_uid`,
          sql`SELECT 1 FROM prescriptions
            WHERE organisation_uid = ${organisation_uid} AND uid = ${order.prescription_uid}`
        )
      const lived = yield* sql`UPDATE pharmacy_orders SET name = ${order.name}, payment_id = ${order.payment_id},
          prescription_uid = ${order.prescription_uid}
        WHERE pharmacy_uid = ${pharmacy_uid} AND uid = ${uid} RETURNING uid`
      if (lived.length === 0)
        yield* orders.insert({
          ...order,
          pharmacy_uid,
          uid,
          currency,
          organisation_uid,
          shop_uid: order.shop_uid as ShopUid,
          prescription_uid: order.prescription_uid as PrescriptionUid | null,
          patient: null,
          shipping_address: null,
          takes_stock: false,
          created_at: order.created_at ?? now,
          lines: order.lines.map((line) => ({
            sku_uid: line.sku_uid as SkuUid,
            quantity: line.quantity,
            total_price: line.unit_price * line.quantity
          }))
        })
      yield* Effect.orDie(projector.project(pharmacy_uid, [uid]))
    })
  )
})
