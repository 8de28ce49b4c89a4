/** Prescriptions and the pharmacy orders with their articles: status changes of each affect the other. */
import { describe, expect, test } from "bun:test"
import { Effect } from "effect"
import type {
  OrganisationUid,
  PharmacyOrderUid,
  PharmacyUid,
  PrescriptionUid,
  ShopUid,
  SkuUid
} from "../../src/schemas/ids.ts"
import { Orders } from "../../src/services/pharmacy/Orders.ts"
import { PrescriptionFiles } from "../../src/services/prescriptions/PrescriptionFiles.ts"
import { Prescriptions } from "../../src/services/prescriptions/Prescriptions.ts"
import { shopState } from "../pharmacy/shopStates.ts"
import { openedEvents } from "../support/records.ts"
import { sized } from "../support/scale.ts"
import { type Services, testServer } from "../support/server.ts"
import { random } from "../support/world.ts"
import { testExaminer } from "./support/examiner.ts"
import { rendered as renderedSheet, signedElliptically } from "./support/signed.ts"
import { PATIENT, type PrescriptionWorld, prescriptionWorld } from "./support/world.ts"

const server = testServer()
const { judged } = testExaminer()
const newWorld = () => prescriptionWorld(server.current)
const using = <A, E>(use: (orders: Orders) => Effect.Effect<A, E, Services>) =>
  server.current.run(Effect.flatMap(Orders, use))

/** Creates an order of the shop; returns its uid. */
const newOrder = async (world: PrescriptionWorld, prescription_uid: string, paid: boolean) => {
  const order = await using((orders) =>
    orders.create({
      pharmacy_uid: world.pharmacy_uid as PharmacyUid,
      name: "#1001",
      paid,
      organisation_uid: world.organisation_uid as OrganisationUid,
      shop_uid: world.shop_uid as ShopUid,
      prescription_uid: prescription_uid as PrescriptionUid,
      payment_id: null,
      order_id: random("order"),
      paid_amount: 1_000,
      refunded_amount: 0,
      shipping_price: 0,
      patient: null,
      shipping_address: null,
      lines: [{ sku_uid: world.sku_uid as SkuUid, quantity: 1, total_price: 1000 }]
    })
  )
  return order.uid
}
const pay = (world: PrescriptionWorld, order: PharmacyOrderUid) =>
  using((orders) => orders.follow(world.pharmacy_uid as PharmacyUid, order, shopState({ paid: true })))

const orderPath = (uid: string) => `/v1/external_pharmacy_api/pharmacy_orders/${uid}`

/** Creates a prescription with a signed PDF; returns its uid and the PDF. */
const incoming = async (world: PrescriptionWorld) => {
  const prescription_uid = random("prx") as PrescriptionUid
  const organisation_uid = world.organisation_uid as OrganisationUid
  const pdf = await signedElliptically(await renderedSheet(), "Dr. Größ")
  const signature = await judged(pdf)
  await server.current.run(
    Effect.gen(function* () {
      const ref = { organisation_uid, prescription_uid }
      const file = yield* (yield* PrescriptionFiles).put("signed", ref, pdf)
      const item = { sku_uid: world.sku_uid as SkuUid, quantity: 1, dosage: null, anamnesis_uid: null }
      const fields = { uid: prescription_uid, organisation_uid, shop_uid: world.shop_uid as ShopUid, doctor_uid: null }
      const patient = { ...PATIENT, gender: "female" as const }
      yield* (yield* Prescriptions).createSigned({ ...fields, patient, items: [item] }, file, signature)
    })
  )
  return { uid: prescription_uid, pdf }
}

describe("a prescription that came in signed", () => {
  test("shows its signature and its PDF, byte for byte, and cannot be signed or rendered again", async () => {
    const world = await newWorld()
    const { uid, pdf } = await incoming(world)
    const { body } = await world.get(uid)
    expect(body).toMatchObject({
      status: "signed",
      rendered: true,
      doctor: null,
      signature: { present: true, intact: true, covers_whole_file: true, signer: "Dr. Größ", trust: "unchecked" }
    })
    expect(Buffer.from(await (await fetch(body.file.url)).arrayBuffer()).equals(pdf)).toBe(true)
    expect((await world.render(uid)).body.message).toContain("nothing was started")
    expect((await world.externalSign(uid)).status).toBe(409)
  })

  test("is dispatched when an order becomes paid, and completed with it; the order shows patient and PDF", async () => {
    const world = await newWorld()
    const { uid } = await incoming(world)
    const order = await newOrder(world, uid, false)
    expect((await world.get(uid)).body.status).toBe("signed")
    await pay(world, order)
    expect((await world.get(uid)).body.status).toBe("dispatched")
    const { body } = await server.current.api("GET", orderPath(order), { key: world.pharmacyKey })
    expect(body).toMatchObject({
      prescription_uid: uid,
      patient: PATIENT,
      prescription_file: { size: expect.any(Number) }
    })
    expect((await fetch(body.prescription_file.url)).headers.get("content-type")).toBe("application/pdf")
    for (const status of ["accepted", "in_preparation"])
      await server.current.api("PATCH", `${orderPath(order)}/status`, { key: world.pharmacyKey, body: { status } })
    await server.current.api("PATCH", `${orderPath(order)}/complete_order`, { key: world.pharmacyKey })
    expect((await world.get(uid)).body.status).toBe("completed")
  })
})

test("a cancelled order leaves its prescription as it is, and another order completes it", async () => {
  for (const end of ["rejected", "cancelled"]) {
    const world = await newWorld()
    const { uid } = await incoming(world)
    const set = (order: string, status: string) =>
      server.current.api("PATCH", `${orderPath(order)}/status`, { key: world.pharmacyKey, body: { status } })
    expect((await set(await newOrder(world, uid, false), end)).status).toBe(200)
    expect((await world.get(uid)).body.status).toBe("signed")
    expect((await set(await newOrder(world, uid, true), end)).status).toBe(200)
    expect((await world.get(uid)).body.status).toBe("dispatched")
    const second = await newOrder(world, uid, true)
    for (const status of ["accepted", "in_preparation"]) await set(second, status)
    await server.current.api("PATCH", `${orderPath(second)}/complete_order`, { key: world.pharmacyKey })
    expect((await world.get(uid)).body.status).toBe("completed")
  }
})

test("the event of a signature goes to the pharmacy that carries the prescription, else to the shop's default one, else to none", async () => {
  const world = await newWorld()
  const publishedEvents = async (uid: string) => {
    await world.render(uid)
    await world.rendered(uid)
    expect((await world.externalSign(uid)).status).toBe(200)
    const sent = await openedEvents(
      server.current,
      (sql) => sql`type = 'pharmacy_manager.send_prescription' AND owner_kind = 'pharmacy'`
    )
    return sent
      .filter(({ data }) => data.prescription_uid === uid)
      .map(({ owner_uid, subject, data }) => ({ owner_uid, subject, order: data.pharmacy_order_uid }))
  }
  const carried = await world.prescription()
  const order = await newOrder(world, carried, false)
  expect(await publishedEvents(carried)).toEqual([{ owner_uid: world.pharmacy_uid, subject: order, order }])
  expect(await publishedEvents(await world.prescription())).toEqual([])
  const { shop_uid, shop_identifier, organisation_uid, pharmacy_uid } = world
  await world.provision({
    shops: [{ uid: shop_uid, shop_identifier, organisation_uid, default_pharmacy_uid: pharmacy_uid }]
  })
  const alone = await world.prescription()
  expect(await publishedEvents(alone)).toEqual([{ owner_uid: pharmacy_uid, subject: alone, order: null }])
  await world.provision({
    organisations: [{ uid: organisation_uid, name: "Praxis", timezone: "UTC", pharmacy_uids: [] }]
  })
  expect(await publishedEvents(await world.prescription())).toEqual([]) // no longer assigned to the organisation, Rule 12.1.17
})

test("orders of two organisations on one page show each their own patient, where both call a prescription alike", async () => {
  const [one, other] = [await newWorld(), await newWorld()]
  const uid = random("prx")
  await one.prescription({ uid })
  await other.prescription({ uid, patient: { ...PATIENT, first_name: "Ada" } })
  const shared = { ...other, pharmacy_uid: one.pharmacy_uid, sku_uid: one.sku_uid }
  const orders = { Zoë: await newOrder(one, uid, false), Ada: await newOrder(shared, uid, false) }
  const { body } = await server.current.api("GET", orderPath(""), { key: one.pharmacyKey })
  const shown = body.data.map((order: { uid: string; patient: { first_name: string } }) => [
    order.patient.first_name,
    order.uid
  ])
  expect(Object.fromEntries(shown)).toEqual(orders)
})

test("a prescription that is signed and paid for concurrently ends dispatched, in either order", async () => {
  const world = await newWorld()
  const prepared = await Promise.all(
    Array.from({ length: sized(4, 12) }, async () => {
      const uid = await world.prescription()
      await world.render(uid)
      const order = await newOrder(world, uid, false)
      await world.rendered(uid)
      return { uid, order }
    })
  )
  await Promise.all(prepared.flatMap(({ uid, order }) => [world.externalSign(uid), pay(world, order)]))
  const statuses = await Promise.all(prepared.map(async ({ uid }) => (await world.get(uid)).body.status))
  expect(new Set(statuses)).toEqual(new Set(["dispatched"]))
})

test("an order is completed only after its prescription is signed, even if both happen concurrently", async () => {
  const world = await newWorld()
  const prepared = await Promise.all(
    Array.from({ length: sized(3, 8) }, async () => {
      const uid = await world.prescription()
      await world.render(uid)
      const order = await newOrder(world, uid, true)
      for (const status of ["accepted", "in_preparation"])
        await server.current.api("PATCH", `${orderPath(order)}/status`, { key: world.pharmacyKey, body: { status } })
      await world.rendered(uid)
      const complete = () =>
        server.current.api("PATCH", `${orderPath(order)}/complete_order`, { key: world.pharmacyKey })
      return { uid, complete }
    })
  )
  expect(await prepared[0]?.complete()).toMatchObject({ status: 409, body: { code: "prescription_not_signed" } })
  const [completed] = await Promise.all([
    Promise.all(prepared.map((one) => one.complete())),
    Promise.all(prepared.map(({ uid }) => world.externalSign(uid)))
  ])
  for (const [i, { uid, complete }] of prepared.entries()) {
    if (completed[i]?.status === 409) expect((await complete()).status).toBe(200)
    expect((await world.get(uid)).body.status).toBe("completed")
  }
})
