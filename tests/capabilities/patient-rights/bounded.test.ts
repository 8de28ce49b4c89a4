/** What an erasure reaches beside the patient's own records: files, orders that wait, a pharmacy's events. Rules 12.2.2 and 12.2.6. */
import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, Option } from "effect"
import { DataKeyRotation } from "../../../src/capabilities/key-rotation/services/DataKeyRotation.ts"
import { Erasures } from "../../../src/capabilities/patient-rights/services/Erasures.ts"
import { Retaining } from "../../../src/capabilities/patient-rights/services/Retaining.ts"
import { system } from "../../../src/schemas/access/Actor.ts"
import { OrganisationUid, PrescriptionUid } from "../../../src/schemas/ids.ts"
import type { PrescriptionRef } from "../../../src/schemas/prescriptions/Prescription.ts"
import { FileStore } from "../../../src/services/prescriptions/FileStore.ts"
import { fileName, PrescriptionFiles } from "../../../src/services/prescriptions/PrescriptionFiles.ts"
import { PrescriptionRendering } from "../../../src/services/prescriptions/PrescriptionRendering.ts"
import { PrescriptionSigner } from "../../../src/services/prescriptions/PrescriptionSigner.ts"
import { PrescriptionsRepo } from "../../../src/services/prescriptions/PrescriptionsRepo.ts"
import type { CurrentTenant } from "../../../src/services/tenancy/Tenancy.ts"
import { makeShop, PATIENT, pdf } from "../../checkout/support/shop.ts"
import { prescriptionWorld } from "../../prescriptions/support/world.ts"
import { present } from "../../support/body.ts"
import { openedEvents } from "../../support/records.ts"
import { testServer } from "../../support/server.ts"
import { recording } from "../../support/statements.ts"
import { waitingPrescriptions } from "../../support/waitingPrescriptions.ts"
import { DAY, makeWorld, random } from "../../support/world.ts"
import { notes, sendWaiting, shopWithPatient } from "./scene.ts"

const server = testServer()

/** The days for which each archived file of an organisation is kept. */
const keptDays = async (organisation_uid: string) => {
  const rows = await server.current.sql<{
    readonly days: number
  }>`SELECT extract(epoch FROM kept_until - created_at)::bigint / ${DAY}::integer AS days
    FROM retained_records WHERE organisation_uid = ${organisation_uid} AND what = 'files'`
  return rows.map(({ days }) => days)
}
const { first_name, last_name } = PATIENT
const profile = { first_name, last_name, date_of_birth: "1990-05-01" }

test("each signed prescription is archived by itself, for a day until the erasure has been committed", async () => {
  const shop = await shopWithPatient(server.current, profile)
  const owner = OrganisationUid.make(shop.organisation_uid)
  const files = ["one", "other"].map(pdf)
  const made: Array<PrescriptionRef> = []
  for (const pdf_base64 of files) {
    const id = random("rx")
    const lines = [{ sku_uid: shop.skus.drops.uid, quantity: 1, prescription_id: id }]
    const { body } = await shop.prescribe({ prescriptions: [{ id, pdf_base64 }], lines })
    const prescription_uid = PrescriptionUid.make(body.prescriptions[0].prescription_uid)
    made.push({ organisation_uid: owner, prescription_uid })
  }
  await server.current.run(
    Effect.gen(function* () {
      const stored = yield* Effect.flatMap(PrescriptionsRepo, ({ findAll }) => findAll(made))
      const { addPdfs } = yield* Retaining
      yield* addPdfs(owner, shop.patient, stored, present(stored[0]).created_at)
    }).pipe(Effect.provide([PrescriptionsRepo.Default, Retaining.Default]))
  )
  expect(await keptDays(owner)).toEqual([1, 1])
  const { body } = await shop.erase()
  expect(body.kept).toContainEqual(expect.objectContaining({ what: "files", count: 2 }))
  expect((await keptDays(owner)).filter((days) => days > 3_600)).toHaveLength(2)
  const records = await server.current.run(Effect.flatMap(Erasures, ({ retained }) => retained(owner, shop.patient)))
  const opened = records.flatMap(({ what, content }) => (what === "files" ? [content] : []))
  for (const pdf_base64 of files) expect(opened).toContainEqual(expect.objectContaining({ pdf_base64 }))
})

test("waiting orders are the patient's by the checkout's patient or the payer, unless they name another date of birth", async () => {
  const name = { first_name: "Kim", last_name: "Muster" }
  const shop = await shopWithPatient(server.current, { ...name, date_of_birth: "1990-05-01" })
  const shipping_address = { first_name: "Jo", last_name: "Muster" }
  await sendWaiting(shop, { shipping_address, note_attributes: notes(name) })
  await sendWaiting(shop, { shipping_address, billing_address: { first_name: "kim", last_name: "Muster" } })
  await sendWaiting(shop, { shipping_address })
  // the same day, also as midnight in Berlin, and another
  for (const date_of_birth of ["1990-05-01", "641512800", "2015-02-03"])
    await sendWaiting(shop, { note_attributes: notes({ ...name, date_of_birth }) })
  expect(await shop.waiting()).toHaveLength(6)
  // what waits is not decrypted: whom it names is known since it arrived
  const owner = shop.organisation_uid
  await shop.sql`UPDATE storefront_orders SET waiting_encrypted = 'unreadable' WHERE organisation_uid = ${owner}`
  const { body } = await shop.erase()
  expect(body.erased).toContainEqual({ what: "waiting_orders", count: 4 })
  expect(await shop.waiting()).toHaveLength(2)
  await shop.sql`DELETE FROM storefront_orders WHERE organisation_uid = ${owner}`
})

test("a waiting order stays a patient's whose record is merged into another", async () => {
  const shop = await shopWithPatient(server.current)
  await sendWaiting(shop)
  const patients = (path: string, body: object) => shop.api("POST", `/v1/management/patients${path}`, body)
  const { uid } = (await patients("", { shop_uid: shop.shop_uid, profile: { first_name: "Kimberly" } })).body
  expect((await shop.ask("/merge", { into: uid })).status).toBe(200)
  // as of an order that arrived while the records were merged; then twice, as each minute
  await shop.sql`UPDATE storefront_orders SET waiting_patients = ARRAY[${shop.patient}::text]
    WHERE organisation_uid = ${shop.organisation_uid}`
  await shop.retryWaiting()
  await shop.retryWaiting()
  const { body } = await patients(`/${uid}/erase`, { reason: "asked" })
  expect(body.erased).toContainEqual({ what: "waiting_orders", count: 1 })
})

test("a waiting order is found for a patient who came after it, once it has been tried again", async () => {
  const shop = await shopWithPatient(server.current, { first_name: "Other" })
  await sendWaiting(shop)
  await shop.ask("", { profile: { first_name: "Kim", last_name: "Muster" } }, "PATCH")
  await shop.retryWaiting()
  expect((await shop.erase()).body.erased).toContainEqual({ what: "waiting_orders", count: 1 })
})

test("an erasure deletes the event that a shop's default pharmacy got of a prescription without an order", async () => {
  const world = await prescriptionWorld(server.current)
  const { organisation_uid, shop_uid, shop_identifier, pharmacy_uid } = world
  await world.provision({
    shops: [{ uid: shop_uid, shop_identifier, organisation_uid, default_pharmacy_uid: pharmacy_uid }]
  })
  const who = { first_name: "Kim", last_name: random("Muster") }
  const uid = await world.filed({ patient: { ...who, date_of_birth: 641_520_000, gender: "female" } })
  await world.signExternally(uid)
  const dosages = async () =>
    JSON.stringify(await openedEvents(server.current, (sql) => sql`owner_uid = ${pharmacy_uid}`)).includes("1-0-1")
  expect(await dosages()).toBe(true)
  const patient = await world.api("POST", "/v1/management/patients", {
    shop_uid,
    profile: { ...who, date_of_birth: "1990-05-01" }
  })
  const erase = () => world.api("POST", `/v1/management/patients/${patient.body.uid}/erase`, { reason: "asked" })
  const { result, statements } = await recording(erase, server.current.databaseUrl)
  expect([result.status, await dosages()]).toEqual([200, false])
  // one statement for each owner: the pairs of owners and subjects would be their product
  const wiping = statements.filter(({ text }) => /UPDATE "?events"? SET data_encrypted/.test(text))
  expect(wiping).toHaveLength(2)
  for (const { text } of wiping) expect(text).toMatch(/owner_uid = \$\d+ AND subject = ANY/)
})

/** A prescription that waits for a doctor, without a PDF. */
const waitingRef = async (): Promise<PrescriptionRef> => {
  const world = await makeWorld(server.current)
  const [uid] = await waitingPrescriptions(world)
  const organisation_uid = OrganisationUid.make(world.organisation_uid)
  return { organisation_uid, prescription_uid: PrescriptionUid.make(uid) }
}
const render = (ref: PrescriptionRef) => Effect.flatMap(PrescriptionRendering, (_) => _.render(ref))
const isStored = (area: "signed" | "unsigned", ref: PrescriptionRef) =>
  Effect.map(
    Effect.flatMap(FileStore, (store) => store.stat({ area, name: fileName(ref) })),
    Option.isSome
  )

/** As an erasure, as far as files are concerned. */
const eraseFile = ({ organisation_uid, prescription_uid }: PrescriptionRef) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`WITH gone AS (DELETE FROM files
        WHERE organisation_uid = ${organisation_uid} AND prescription_uid = ${prescription_uid})
      UPDATE prescriptions SET status = 'CANCELLED'
        WHERE organisation_uid = ${organisation_uid} AND uid = ${prescription_uid}`
  )
/** Services that store files after this. */
const storingAfter = (erase: Effect.Effect<unknown, unknown>) => {
  const slow = Effect.map(FileStore, (store) => ({
    ...store,
    put: (...file: Parameters<typeof store.put>) => Effect.zipRight(Effect.orDie(erase), store.put(...file))
  }))
  const services = [PrescriptionRendering.Default, PrescriptionSigner.Default, DataKeyRotation.Default] as const
  return Layer.provide(Layer.fresh(Layer.mergeAll(...services)), Layer.effect(FileStore, slow))
}

type Work = PrescriptionRendering | PrescriptionSigner | DataKeyRotation | CurrentTenant
const works: ReadonlyArray<
  readonly [
    what: string,
    area: "signed" | "unsigned",
    work: (ref: PrescriptionRef) => Effect.Effect<unknown, unknown, Work>
  ]
> = [
  ["drawn", "unsigned", render],
  ["signed", "signed", (ref) => Effect.flip(Effect.flatMap(PrescriptionSigner, (_) => _.externalSign(ref, system)))],
  [
    "encrypted again by a rotation",
    "unsigned",
    ({ organisation_uid }) => Effect.flatMap(DataKeyRotation, (_) => _.begin(organisation_uid))
  ]
]

// Shows: signing a prescription while its patient is erased
test.each(works)(
  "a PDF that is %s while its prescription is erased does not stay in the store",
  async (what, area, work) => {
    const ref = await waitingRef()
    const stored = await server.current.run(
      Effect.gen(function* () {
        if (what !== "drawn") yield* render(ref)
        const before = yield* isStored("unsigned", ref)
        const sql = yield* Effect.context<SqlClient.SqlClient>()
        const done = yield* Effect.provide(work(ref), storingAfter(Effect.provide(eraseFile(ref), sql)))
        if (what === "signed") expect(done).toMatchObject({ _tag: "PrescriptionNotWaiting" })
        return [before, yield* isStored(area, ref)]
      })
    )
    expect(stored).toEqual([what !== "drawn", false])
  }
)

test("a PDF that a killed worker left of a prescription that was erased meanwhile goes with the job's next attempt", async () => {
  const ref = await waitingRef()
  const stored = await server.current.run(
    Effect.gen(function* () {
      yield* Effect.flatMap(PrescriptionFiles, (files) => files.put("unsigned", ref, Buffer.from("%PDF")))
      yield* eraseFile(ref)
      yield* render(ref)
      return yield* isStored("unsigned", ref)
    })
  )
  expect(stored).toBe(false)
})

// Shows: an erasure that lists other organisations' records at a shared pharmacy as its patient's prescriptions
test("an erasure leaves prescriptions and orders of other organisations in place", async () => {
  const shop = await shopWithPatient(server.current, profile, { default_pharmacy: true })
  const other = await makeShop(server.current)
  expect((await shop.prescribe()).status).toBe(200)
  await other.sendWebhook("orders/create", other.order({ note_attributes: notes({ pharmacy_uid: shop.pharmacy_uid }) }))
  const [theirs] = await shop.pharmacyOrders()
  const pharmacyEvents = async () => (await shop.asPharmacy("GET", "events")).body.data
  const before = await pharmacyEvents()
  expect(before).toContainEqual(expect.objectContaining({ type: "pharmacy_order.created" }))
  expect((await shop.erase({ prescription_uids: [theirs.uid] })).status).toBe(200)
  expect(await pharmacyEvents()).toEqual(before)
})
