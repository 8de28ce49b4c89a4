/** Prescriptions and the pharmacy orders with their articles: status changes of each affect the other. */
import { describe, expect, test } from "bun:test"
import { Effect, Stream } from "effect"
import { system } from "../../src/schemas/access/Actor.ts"
import type { PharmacyOrderUid, PharmacyUid, PrescriptionUid } from "../../src/schemas/ids.ts"
import type { PharmacyOrderStatus } from "../../src/schemas/pharmacy/PharmacyOrderStates.ts"
import { Orders } from "../../src/services/pharmacy/Orders.ts"
import { PrescriptionFiles } from "../../src/services/prescriptions/PrescriptionFiles.ts"
import { PrescriptionRendering } from "../../src/services/prescriptions/PrescriptionRendering.ts"
import { Prescriptions } from "../../src/services/prescriptions/Prescriptions.ts"
import { onlyOwner } from "../../src/services/tenancy/Tenancy.ts"
import { testExaminer } from "../capabilities/signatures/support/examiner.ts"
import { shopState } from "../pharmacy/shopStates.ts"
import { present } from "../support/body.ts"
import { openedEvents } from "../support/records.ts"
import { sized } from "../support/scale.ts"
import { type Services, testLayers } from "../support/server.ts"
import { random } from "../support/world.ts"
import { rendered, signedElliptically } from "./support/signed.ts"
import { type LayeredPrescriptions, layeredPrescriptions, PATIENT } from "./support/world.ts"

const layers = testLayers()
const { judged } = testExaminer()
const newWorld = () => layeredPrescriptions(layers.current)
/** What the pharmacy does with its orders. */
const pharmacy = <A, E>(
  { pharmacy_uid }: LayeredPrescriptions,
  use: (orders: Orders, own: PharmacyUid) => Effect.Effect<A, E, Services>
) => layers.current.run(onlyOwner({ pharmacy_uid })(Effect.flatMap(Orders, (orders) => use(orders, pharmacy_uid))))
const steps = (world: LayeredPrescriptions, uid: PharmacyOrderUid, ...statuses: ReadonlyArray<PharmacyOrderStatus>) =>
  pharmacy(world, (orders, own) => Effect.forEach(statuses, (status) => orders.changeStatus(own, uid, { status })))
const complete = (world: LayeredPrescriptions, uid: PharmacyOrderUid) =>
  pharmacy(world, (orders, own) => orders.complete(own, uid))
const statusOf = async (world: LayeredPrescriptions, uid: PrescriptionUid) => (await world.shown(uid)).status

/** Creates an order of the shop; returns its uid. */
const newOrder = async (world: LayeredPrescriptions, prescription_uid: PrescriptionUid, paid: boolean) => {
  const { pharmacy_uid, organisation_uid, shop_uid, sku_uid } = world
  const bought = { paid_amount: 1_000, refunded_amount: 0, shipping_price: 0, patient: null, shipping_address: null }
  const lines = [{ sku_uid, quantity: 1, total_price: 1000 }]
  const ids = {
    pharmacy_uid,
    organisation_uid,
    shop_uid,
    prescription_uid,
    payment_id: null,
    order_id: random("order")
  }
  const { uid } = await pharmacy(world, (orders) => orders.create({ ...ids, ...bought, name: "#1001", paid, lines }))
  return uid
}
const pay = (world: LayeredPrescriptions, order: PharmacyOrderUid) =>
  pharmacy(world, (orders, own) => orders.follow(own, order, shopState({ paid: true })))

/** A prescription that came in signed. */
const incoming = async (world: LayeredPrescriptions) => {
  const uid = await world.prescription({ status: "SIGNED" })
  await world.store(uid, "signed")
  return uid
}
/** The file of an address. */
const downloaded = (world: LayeredPrescriptions, url: string) =>
  world.inside(
    Effect.flatMap(Prescriptions, ({ download }) => download(url.split("/").at(-1) ?? "")).pipe(
      Effect.flatMap(Stream.runCollect),
      Effect.map((parts) => Buffer.concat([...parts]))
    )
  )

describe("a prescription that came in signed", () => {
  test("shows its signature and its PDF, byte for byte, and cannot be signed or rendered again", async () => {
    const world = await newWorld()
    const { organisation_uid, shop_uid, sku_uid, refOf } = world
    const uid = random("prx") as PrescriptionUid
    const pdf = await signedElliptically(await rendered(), "Dr. Größ")
    const signature = await judged(pdf)
    await world.inside(
      Effect.gen(function* () {
        const file = yield* (yield* PrescriptionFiles).put("signed", refOf(uid), pdf)
        const item = { sku_uid, quantity: 1, dosage: null, anamnesis_uid: null }
        const patient = { ...PATIENT, gender: "female" as const }
        const fields = { uid, organisation_uid, shop_uid, doctor_uid: null, patient, items: [item] }
        yield* (yield* Prescriptions).createSigned(fields, file, signature)
      })
    )
    const shown = await world.shown(uid)
    expect(shown).toMatchObject({
      status: "signed",
      rendered: true,
      doctor: null,
      signature: { present: true, intact: true, covers_whole_file: true, signer: "Dr. Größ", trust: "unchecked" }
    })
    expect((await downloaded(world, present(shown.file?.url))).equals(pdf)).toBe(true)
    const started = Effect.flatMap(PrescriptionRendering, ({ start }) => start(refOf(uid), system))
    expect((await world.inside(started)).message).toContain("nothing was started")
    expect(await world.inside(Effect.flip(world.signing(uid)))).toMatchObject({ _tag: "PrescriptionNotWaiting" })
  })

  test("is dispatched when an order becomes paid, and completed with it; the order shows patient and PDF", async () => {
    const world = await newWorld()
    const uid = await incoming(world)
    const order = await newOrder(world, uid, false)
    expect(await statusOf(world, uid)).toBe("signed")
    await pay(world, order)
    expect(await statusOf(world, uid)).toBe("dispatched")
    const shown = await pharmacy(world, (orders, own) => orders.get(own, order))
    expect(shown).toMatchObject({ prescription_uid: uid, patient: PATIENT })
    expect(`${await downloaded(world, present(shown.prescription_file?.url))}`).toBe(`%PDF-1.7 ${uid}`)
    await steps(world, order, "accepted", "in_preparation")
    await complete(world, order)
    expect(await statusOf(world, uid)).toBe("completed")
  })
})

test("a cancelled order leaves its prescription as it is, and another order completes it", async () => {
  const world = await newWorld()
  for (const end of ["rejected", "cancelled"] as const) {
    const uid = await incoming(world)
    await steps(world, await newOrder(world, uid, false), end)
    expect(await statusOf(world, uid)).toBe("signed")
    await steps(world, await newOrder(world, uid, true), end)
    expect(await statusOf(world, uid)).toBe("dispatched")
    const second = await newOrder(world, uid, true)
    await steps(world, second, "accepted", "in_preparation")
    await complete(world, second)
    expect(await statusOf(world, uid)).toBe("completed")
  }
})

test("the event of a signature goes to the pharmacy that carries the prescription, else to the shop's default one, else to none", async () => {
  const world = await newWorld()
  const publishedEvents = async (uid: string) => {
    await world.signExternally(uid)
    const type = "pharmacy_manager.send_prescription"
    const sent = await openedEvents(layers.current, (sql) => sql`type = ${type} AND owner_kind = 'pharmacy'`)
    return sent
      .filter(({ data }) => data.prescription_uid === uid)
      .map(({ owner_uid, subject, data }) => ({ owner_uid, subject, order: data.pharmacy_order_uid }))
  }
  const carried = await world.filed()
  const order = await newOrder(world, carried, false)
  expect(await publishedEvents(carried)).toEqual([{ owner_uid: world.pharmacy_uid, subject: order, order }])
  expect(await publishedEvents(await world.filed())).toEqual([])
  const { shop_uid, shop_identifier, organisation_uid, pharmacy_uid } = world
  const shop = { uid: shop_uid, shop_identifier, organisation_uid, default_pharmacy_uid: pharmacy_uid }
  await world.provision({ shops: [shop] })
  const alone = await world.filed()
  expect(await publishedEvents(alone)).toEqual([{ owner_uid: pharmacy_uid, subject: alone, order: null }])
  await world.provision({ organisations: [{ uid: organisation_uid, name: "Praxis", pharmacy_uids: [] }] })
  expect(await publishedEvents(await world.filed())).toEqual([]) // no longer assigned to the organisation, Rule 12.1.17
})

test("orders of two organisations on one page show each their own patient, where both call a prescription alike", async () => {
  const [one, other] = [await newWorld(), await newWorld()]
  const uid = random("prx") as PrescriptionUid
  await one.prescription({ uid })
  await other.prescription({ uid, patient: { ...PATIENT, first_name: "Ada" } })
  const shared = { ...other, pharmacy_uid: one.pharmacy_uid, sku_uid: one.sku_uid }
  const orders = { Zoë: await newOrder(one, uid, false), Ada: await newOrder(shared, uid, false) }
  const { data } = await pharmacy(one, (list, own) => list.list(own, { page: 0, limit: 50 }))
  expect(Object.fromEntries(data.map((order) => [order.patient?.first_name, order.uid]))).toEqual(orders)
})

test("a prescription that is signed and paid for concurrently ends dispatched, in either order", async () => {
  const world = await newWorld()
  const prepared = await Promise.all(
    Array.from({ length: sized(4, 12) }, async () => {
      const uid = await world.filed()
      return { uid, order: await newOrder(world, uid, false) }
    })
  )
  await Promise.all(prepared.flatMap(({ uid, order }) => [world.signExternally(uid), pay(world, order)]))
  const statuses = await Promise.all(prepared.map(({ uid }) => statusOf(world, uid)))
  expect(new Set(statuses)).toEqual(new Set(["dispatched"]))
})

test("an order is completed only after its prescription is signed, even if both happen concurrently", async () => {
  const world = await newWorld()
  const prepared = await Promise.all(
    Array.from({ length: sized(3, 8) }, async () => {
      const uid = await world.filed()
      const order = await newOrder(world, uid, true)
      await steps(world, order, "accepted", "in_preparation")
      return { uid, order }
    })
  )
  /** Why an order is not completed; null if it is. */
  const refusal = ({ order }: { readonly order: PharmacyOrderUid }) =>
    pharmacy(world, (orders, own) =>
      Effect.match(orders.complete(own, order), { onSuccess: () => null, onFailure: ({ _tag }) => _tag })
    )
  expect(await refusal(present(prepared[0]))).toBe("PrescriptionNotSigned")
  const [refusals] = await Promise.all([
    Promise.all(prepared.map(refusal)),
    Promise.all(prepared.map(({ uid }) => world.signExternally(uid)))
  ])
  for (const [i, { uid, order }] of prepared.entries()) {
    if (refusals[i] === "PrescriptionNotSigned") await complete(world, order)
    expect(await statusOf(world, uid)).toBe("completed")
  }
})
