/** Pharmacies, their catalogue, prescriptions and orders of a file. */
import { Effect, Layer, Option, Schema } from "effect"
import { OrganisationUid, type PharmacyUid } from "../../../../schemas/ids.ts"
import { DomainClock } from "../../../../services/DomainClock.ts"
import { rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { BirthDates, NOT_BORN } from "../../../../services/patients/BirthDates.ts"
import { Catalogue } from "../../../../services/pharmacy/Catalogue.ts"
import { OrdersRepo } from "../../../../services/pharmacy/OrdersRepo.ts"
import { NO_ACCOUNT, PayoutProjector } from "../../../../services/pharmacy/PayoutProjector.ts"
import { PayoutsRepo } from "../../../../services/pharmacy/PayoutsRepo.ts"
import { Pharmacies } from "../../../../services/pharmacy/Pharmacies.ts"
import { SkusRepo } from "../../../../services/pharmacy/SkusRepo.ts"
import { totalOf } from "../../../../services/pharmacy/shopChanges.ts"
import { PrescriptionsRepo } from "../../../../services/prescriptions/PrescriptionsRepo.ts"
import type { ProvisioningFile } from "../../schemas/ProvisioningFile.ts"
import type { PharmacyOrderEntry } from "../../schemas/provisionedRecords.ts"
import { type Entry, list, MISSING, mustFind, mustNotFind, reject } from "./entry.ts"

/** Written before shops, which may refer to a pharmacy. */
export const pharmacyLists = Effect.gen(function* () {
  const sql = yield* Sql
  const clock = yield* DomainClock
  const pharmacies = yield* Pharmacies
  const catalogue = yield* Catalogue
  const skus = yield* SkusRepo

  return [
    list("pharmacy_groups", {
      key: ({ uid }) => uid,
      write: pharmacies.provisionGroup,
      rows: ({ uid }) => [["pharmacy_groups", { pharmacy_group_uid: uid }]]
    }),
    list("pharmacies", {
      key: ({ uid }) => uid,
      write: (pharmacy, path) =>
        Effect.gen(function* () {
          const { uid, group_uid } = pharmacy
          yield* mustNotFind(
            `${path}.uid`,
            "is an organisation's",
            sql`SELECT 1 FROM organisations WHERE organisation_uid = ${uid}`
          )
          if (group_uid !== null)
            yield* mustFind(
              `${path}.group_uid`,
              sql`SELECT 1 FROM pharmacy_groups WHERE pharmacy_group_uid = ${group_uid}`
            )
          yield* pharmacies.provision(pharmacy)
        }),
      rows: ({ uid }) => [["pharmacies", { pharmacy_uid: uid }]]
    }),
    list("products", {
      key: ({ uid }) => uid,
      write: catalogue.provisionProduct,
      rows: ({ uid }) => [["products", { product_uid: uid }]]
    }),
    list("skus", {
      key: ({ uid }) => uid,
      write: catalogue.provisionSku,
      rows: ({ uid }) => [["skus", { sku_uid: uid }]]
    }),
    list("pharmacy_skus", {
      key: ({ uid }) => uid,
      write: (sku, path) =>
        Effect.gen(function* () {
          const foreign = yield* sql`SELECT 1 FROM pharmacy_skus
            WHERE uid = ${sku.uid} AND pharmacy_uid <> ${sku.pharmacy_uid} LIMIT 1`
          if (foreign.length > 0) return yield* reject(`${path}.uid`, "belongs to another pharmacy")
          yield* mustFind(
            `${path}.pharmacy_uid`,
            Effect.map(Effect.option(pharmacies.lockForChange(sku.pharmacy_uid)), Option.toArray)
          )
          const copied = yield* mustFind(`${path}.sku_uid`, skus.copied(sku.sku_uid))
          yield* skus.provision(sku, copied, yield* clock.now)
        }),
      rows: ({ uid, pharmacy_uid }) => [["pharmacy_skus", { pharmacy_uid, uid }]]
    })
  ]
})

/** Reprojects payouts of open orders with the new terms and prices of these pharmacies. */
export const payoutRefresh = Effect.gen(function* () {
  const projector = yield* PayoutProjector
  const pharmacies = yield* Pharmacies
  const payouts = yield* PayoutsRepo
  const orders = yield* OrdersRepo
  const clock = yield* DomainClock

  const affectedBy = (file: ProvisioningFile, written: ReadonlyArray<Entry>): ReadonlyArray<PharmacyUid> => {
    const indices = (name: keyof ProvisioningFile) =>
      written.filter((entry) => entry.list === name).map(({ index }) => index)
    const uids = [
      ...indices("pharmacies").map((index) => file.pharmacies[index]?.uid),
      ...indices("pharmacy_skus").map((index) => file.pharmacy_skus[index]?.pharmacy_uid)
    ]
    return [...new Set(uids.filter((uid) => uid !== undefined))].sort()
  }

  return Effect.fnUntraced(function* (file: ProvisioningFile, written: ReadonlyArray<Entry>) {
    for (const uid of affectedBy(file, written)) {
      const pharmacy = yield* Effect.orDie(pharmacies.lockForChange(uid))
      yield* projector.reproject(pharmacy)
      // The sweep routes them: the command line, which may run this, has no queue
      if (pharmacy.payment_account === null) continue
      for (const order of yield* payouts.unpark(uid, { reason: NO_ACCOUNT }))
        yield* orders.update(uid, order, {}, yield* clock.now)
    }
  })
})

/** Written after shops and doctors, to which prescriptions and orders refer. */
export const orderLists = Effect.gen(function* () {
  const births = yield* BirthDates
  const sql = yield* Sql
  const clock = yield* DomainClock
  const prescriptions = yield* PrescriptionsRepo
  const orders = yield* OrdersRepo
  const pharmacies = yield* Pharmacies
  const projector = yield* PayoutProjector
  const owners = rowsOf(Schema.Struct({ organisation_uid: OrganisationUid }))

  const skuExists = (sku_uid: string, path: string) =>
    mustFind(path, sql`SELECT 1 FROM skus WHERE sku_uid = ${sku_uid}`)

  /** References to other tenants' records, which have no foreign keys. */
  const references = Effect.fnUntraced(function* (order: PharmacyOrderEntry, path: string) {
    const pharmacy = yield* Effect.catchTag(pharmacies.lockTerms(order.pharmacy_uid), "PharmacyNotFound", () =>
      reject(`${path}.pharmacy_uid`, MISSING)
    )
    const { organisation_uid } = yield* mustFind(
      `${path}.shop_uid`,
      owners.all(sql`SELECT organisation_uid FROM shops WHERE uid = ${order.shop_uid}`)
    )
    for (const [i, { sku_uid }] of order.lines.entries()) yield* skuExists(sku_uid, `${path}.lines[${i}].sku_uid`)
    if (order.prescription_uid !== null)
      yield* mustFind(
        `${path}.prescription_uid`,
        sql`SELECT 1 FROM prescriptions
          WHERE organisation_uid = ${organisation_uid} AND uid = ${order.prescription_uid}`
      )
    yield* ensureBorn(organisation_uid, order.patient, path)
    return { pharmacy, organisation_uid }
  })

  const ensureBorn = (
    owner: OrganisationUid,
    patient: { readonly date_of_birth?: number | null } | null,
    path: string
  ) => {
    const born = patient?.date_of_birth ?? null
    return born === null
      ? Effect.void
      : Effect.flatMap(births.isPast(owner, born), (isPast) =>
          isPast ? Effect.void : reject(`${path}.patient.date_of_birth`, NOT_BORN)
        )
  }

  /** Writes an order as if sent by a shop, but without stock changes and events. */
  const writeOrder = Effect.fnUntraced(function* (order: PharmacyOrderEntry, path: string) {
    const { pharmacy, organisation_uid } = yield* references(order, path)
    if (order.payment_id !== null) yield* orders.provisionPayment(organisation_uid, order.payment_id)
    const lines = order.lines.map(({ sku_uid, quantity, unit_price }) => ({
      sku_uid,
      quantity,
      total_price: unit_price * quantity
    }))
    if (!(yield* orders.provision(order, yield* clock.now)))
      yield* orders.insert({
        ...order,
        currency: pharmacy.currency,
        paid_amount: order.paid ? totalOf({ lines, shipping_price: order.shipping_price }) : 0,
        refunded_amount: 0,
        organisation_uid,
        takes_stock: false,
        created_at: order.created_at ?? (yield* clock.now),
        lines
      })
    yield* projector.project(pharmacy, [order.uid])
  })

  return [
    list("prescriptions", {
      key: ({ uid, organisation_uid }) => `${organisation_uid}/${uid}`,
      write: (prescription, path) =>
        Effect.gen(function* () {
          for (const [i, { sku_uid }] of prescription.items.entries())
            yield* skuExists(sku_uid, `${path}.items[${i}].sku_uid`)
          yield* ensureBorn(prescription.organisation_uid, prescription.patient, path)
          yield* prescriptions.provision(prescription, yield* clock.now)
        }),
      rows: ({ uid, organisation_uid }) => [
        ["prescriptions", { organisation_uid, uid }],
        ["prescription_items", { organisation_uid, prescription_uid: uid }]
      ]
    }),
    list("pharmacy_orders", {
      key: ({ uid, pharmacy_uid }) => `${pharmacy_uid}/${uid}`,
      write: writeOrder,
      rows: ({ uid, pharmacy_uid }) => [["pharmacy_orders", { pharmacy_uid, uid }]]
    })
  ]
})

/** What writes these lists. */
export const pharmacyServices = Layer.mergeAll(
  BirthDates.Default,
  Catalogue.Default,
  OrdersRepo.Default,
  PayoutProjector.Default,
  PayoutsRepo.Default,
  Pharmacies.Default,
  PrescriptionsRepo.Default,
  SkusRepo.Default
)
