/** Erasing a patient with many records: processed in batches. Rules 12.2.2 and 12.2.6. */
import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, Option } from "effect"
import { system } from "../../src/schemas/access/Actor.ts"
import { OrganisationUid, PrescriptionUid } from "../../src/schemas/ids.ts"
import { OrderIntake } from "../../src/services/checkout/intake/OrderIntake.ts"
import { DataKeyRotation } from "../../src/services/operation/DataKeyRotation.ts"
import { FileStore } from "../../src/services/prescriptions/FileStore.ts"
import { fileName, PrescriptionFiles } from "../../src/services/prescriptions/PrescriptionFiles.ts"
import { PrescriptionRendering } from "../../src/services/prescriptions/PrescriptionRendering.ts"
import { PrescriptionSigner } from "../../src/services/prescriptions/PrescriptionSigner.ts"
import { PrescriptionsRepo } from "../../src/services/prescriptions/PrescriptionsRepo.ts"
import { Erasures } from "../../src/services/rights/Erasures.ts"
import { Retaining } from "../../src/services/rights/Retaining.ts"
import { makeShop, PATIENT, pdf } from "../checkout/support/shop.ts"
import { eventually } from "../support/eventually.ts"
import { testServer } from "../support/server.ts"
import { recording } from "../support/statements.ts"
import { waitingPrescriptions } from "../support/waitingPrescriptions.ts"
import { DAY, makeWorld, random } from "../support/world.ts"
import { shopWithPatient } from "./scene.ts"

const server = testServer()

const until = (organisation_uid: string) =>
  server.current.sql<{
    readonly days: number
  }>`SELECT extract(epoch FROM kept_until - created_at)::bigint / ${DAY}::integer AS days
    FROM retained_records WHERE organisation_uid = ${organisation_uid} AND what = 'files'`

test("each signed prescription is archived by itself, for a day until the erasure has been committed", async () => {
  const shop = await shopWithPatient(server.current, {
    first_name: PATIENT.first_name,
    last_name: PATIENT.last_name,
    date_of_birth: "1990-05-01"
  })
  const owner = OrganisationUid.make(shop.organisation_uid)
  const files = ["one", "other"].map(pdf)
  const made: Array<PrescriptionUid> = []
  for (const pdf_base64 of files) {
    const id = random("rx")
    const lines = [{ sku_uid: shop.skus.drops.uid, quantity: 1, prescription_id: id }]
    const { body } = await shop.prescribe({ prescriptions: [{ id, pdf_base64 }], lines })
    made.push(PrescriptionUid.make(body.prescriptions[0].prescription_uid))
  }
  await server.current.run(
    Effect.gen(function* () {
      const repo = yield* PrescriptionsRepo
      const { addPdfs } = yield* Retaining
      const refs = made.map((prescription_uid) => ({ organisation_uid: owner, prescription_uid }))
      const stored = yield* repo.findAll(refs)
      const now = stored[0]?.created_at ?? stored[1]?.created_at
      if (now !== undefined) yield* addPdfs(owner, shop.patient, stored, now)
    }).pipe(Effect.provide([PrescriptionsRepo.Default, Retaining.Default]))
  )
  expect((await until(owner)).map(({ days }) => days)).toEqual([1, 1])
  const { body } = await shop.erase()
  expect(body.kept).toContainEqual(expect.objectContaining({ what: "files", count: 2 }))
  const kept = (await until(owner)).map(({ days }) => days)
  expect(kept.filter((days) => days > 3_600)).toHaveLength(2)
  const records = await server.current.run(Effect.flatMap(Erasures, ({ retained }) => retained(owner, shop.patient)))
  const opened = records.flatMap(({ what, content }) => (what === "files" ? [content] : []))
  for (const pdf_base64 of files) expect(opened).toContainEqual(expect.objectContaining({ pdf_base64 }))
})

test("waiting orders are matched to the patient by the checkout's patient name and by the payer", async () => {
  const shop = await shopWithPatient(server.current, { first_name: "Kim", last_name: "Muster" })
  const line_items = [shop.line(shop.skus.drops, { _prescription_uid: "none" })]
  const shipping_address = { first_name: "Jo", last_name: "Muster" }
  const note_attributes = [
    { name: "first_name", value: "Kim" },
    { name: "last_name", value: "Muster" }
  ]
  const others = { line_items, shipping_address }
  await shop.sendWebhook("orders/create", shop.order({ ...others, note_attributes }))
  await shop.sendWebhook(
    "orders/create",
    shop.order({ ...others, billing_address: { first_name: "kim", last_name: "Muster" } })
  )
  await shop.sendWebhook("orders/create", shop.order(others))
  expect(await shop.waiting()).toHaveLength(3)
  // what waits is not decrypted: whom it names is known since it arrived
  const owner = shop.organisation_uid
  await shop.sql`UPDATE storefront_orders SET waiting_encrypted = 'unreadable' WHERE organisation_uid = ${owner}`
  const { body } = await shop.erase()
  expect(body.erased).toContainEqual({ what: "waiting_orders", count: 2 })
  expect(await shop.waiting()).toHaveLength(1)
  await shop.sql`DELETE FROM storefront_orders WHERE organisation_uid = ${owner}`
})

test("a waiting order stays a patient's whose record is merged into another", async () => {
  const shop = await shopWithPatient(server.current, { first_name: "Kim", last_name: "Muster" })
  const line_items = [shop.line(shop.skus.drops, { _prescription_uid: "none" })]
  await shop.sendWebhook(
    "orders/create",
    shop.order({ line_items, shipping_address: { first_name: "Kim", last_name: "Muster" } })
  )
  const patients = (path: string, body: object) => shop.api("POST", `/v1/management/patients${path}`, body)
  const { uid } = (await patients("", { shop_uid: shop.shop_uid, profile: { first_name: "Kimberly" } })).body
  expect((await patients(`/${shop.patient}/merge`, { into: uid })).status).toBe(200)
  // as of an order that arrived while the records were merged; then twice, as each minute
  await shop.sql`UPDATE storefront_orders SET waiting_patients = ARRAY[${shop.patient}::text]
    WHERE organisation_uid = ${shop.organisation_uid}`
  const retry = Effect.flatMap(OrderIntake, ({ retryWaiting }) => retryWaiting())
  await server.current.run(Effect.zipRight(retry, retry))
  const { body } = await patients(`/${uid}/erase`, { reason: "asked" })
  expect(body.erased).toContainEqual({ what: "waiting_orders", count: 1 })
})

test("a waiting order is found for a patient who came after it, once it has been tried again", async () => {
  const shop = await makeShop(server.current, { default_pharmacy: false })
  await shop.sendWebhook(
    "orders/create",
    shop.order({
      line_items: [shop.line(shop.skus.drops, { _prescription_uid: "none" })],
      shipping_address: { first_name: "Kim", last_name: "Muster" }
    })
  )
  const profile = { first_name: "Kim", last_name: "Muster" }
  const { uid } = (await shop.api("POST", "/v1/management/patients", { shop_uid: shop.shop_uid, profile })).body
  await server.current.run(Effect.flatMap(OrderIntake, ({ retryWaiting }) => retryWaiting()))
  const { body } = await shop.api("POST", `/v1/management/patients/${uid}/erase`, { reason: "asked" })
  expect(body.erased).toContainEqual({ what: "waiting_orders", count: 1 })
})

test("a waiting order for the same name with another date of birth is not the patient's", async () => {
  const shop = await shopWithPatient(server.current, {
    first_name: "Kim",
    last_name: "Muster",
    date_of_birth: "1990-05-01"
  })
  const line_items = [shop.line(shop.skus.drops, { _prescription_uid: "none" })]
  const withBirthDate = (value: string) =>
    shop.sendWebhook(
      "orders/create",
      shop.order({
        line_items,
        shipping_address: { first_name: "Kim", last_name: "Muster" },
        note_attributes: Object.entries({ first_name: "Kim", last_name: "Muster", date_of_birth: value }).map(
          ([name, value]) => ({ name, value })
        )
      })
    )
  await withBirthDate("1990-05-01")
  await withBirthDate("641512800") // the same day, as midnight in Berlin
  await withBirthDate("2015-02-03")
  expect(await shop.waiting()).toHaveLength(3)
  const { body } = await shop.erase()
  expect(body.erased).toContainEqual({ what: "waiting_orders", count: 2 })
  expect(await shop.waiting()).toHaveLength(1)
})

test("an erasure deletes the event that a shop's default pharmacy got of a prescription without an order", async () => {
  const shop = await makeShop(server.current)
  const uid = random("prx")
  const who = { first_name: "Kim", last_name: random("Muster") }
  await shop.provision({
    prescriptions: [
      {
        uid,
        organisation_uid: shop.organisation_uid,
        shop_uid: shop.shop_uid,
        status: "WAITING_FOR_DOCTOR",
        patient: { ...who, date_of_birth: 641_520_000, gender: "female" },
        items: [{ sku_uid: shop.skus.drops.uid, quantity: 1, dosage: "1-0-1" }]
      }
    ]
  })
  const request = (method: string, path: string, body?: object) =>
    server.current.api(method, path, { key: shop.key, ...(body !== undefined && { body }) })
  await request("POST", `/v1/management/prescriptions/${uid}/render`)
  await eventually(
    async () => (await request("GET", `/v1/management/prescriptions/${uid}`)).body.rendered,
    (isRendered) => isRendered === true
  )
  expect((await request("POST", `/v1/management/prescriptions/${uid}/external-sign`)).status).toBe(200)
  const pharmacyEvents = async () =>
    JSON.stringify(
      (await server.current.api("GET", "/v1/external_pharmacy_api/events", { key: shop.pharmacy_key })).body.data
    )
  expect(await pharmacyEvents()).toContain("1-0-1")
  const profile = { ...who, date_of_birth: "1990-05-01" }
  const patient = await request("POST", "/v1/management/patients", { shop_uid: shop.shop_uid, profile })
  const erase = () => request("POST", `/v1/management/patients/${patient.body.uid}/erase`, { reason: "asked" })
  const { result, statements } = await recording(erase, server.current.databaseUrl)
  expect(result.status).toBe(200)
  expect(await pharmacyEvents()).not.toContain("1-0-1")
  // one statement for each owner: the pairs of owners and subjects would be their product
  const wiping = statements.filter(({ text }) => /UPDATE "?events"? SET data_encrypted/.test(text))
  expect(wiping).toHaveLength(2)
  for (const { text } of wiping) expect(text).toMatch(/owner_uid = \$\d+ AND subject = ANY/)
})

const erasedMeanwhile = [
  ["drawn", "unsigned"],
  ["signed", "signed"]
] as const

// Shows: signing a prescription while its patient is erased
test.each(erasedMeanwhile)(
  "a PDF that is %s while its prescription is erased does not stay in the store",
  async (_, area) => {
    const world = await makeWorld(server.current)
    const [uid] = await waitingPrescriptions(world)
    const ref = {
      organisation_uid: OrganisationUid.make(world.organisation_uid),
      prescription_uid: PrescriptionUid.make(uid)
    }
    const erased = await server.current.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const store = yield* FileStore
        const erase = sql`WITH gone AS (DELETE FROM files
          WHERE organisation_uid = ${ref.organisation_uid} AND prescription_uid = ${uid})
        UPDATE prescriptions SET status = 'CANCELLED' WHERE organisation_uid = ${ref.organisation_uid} AND uid = ${uid}`
        const slow = Layer.succeed(FileStore, {
          ...store,
          put: (place, bytes) =>
            Effect.zipRight(place.area === area ? Effect.orDie(erase) : Effect.void, store.put(place, bytes))
        })
        yield* Effect.gen(function* () {
          yield* Effect.flatMap(PrescriptionRendering, ({ render }) => render(ref))
          if (area === "unsigned") return
          const refused = yield* Effect.flip(
            Effect.flatMap(PrescriptionSigner, ({ externalSign }) => externalSign(ref, system))
          )
          expect(refused._tag).toBe("PrescriptionNotWaiting")
        }).pipe(
          Effect.provide(
            Layer.provide(Layer.fresh(Layer.mergeAll(PrescriptionRendering.Default, PrescriptionSigner.Default)), slow)
          )
        )
        return yield* store.stat({ area, name: fileName(ref) })
      })
    )
    expect(Option.isNone(erased)).toBe(true)
  }
)

test("a PDF that a rotation encrypts again while its prescription is erased does not stay in the store", async () => {
  const world = await makeWorld(server.current)
  const [uid] = await waitingPrescriptions(world)
  const organisation_uid = OrganisationUid.make(world.organisation_uid)
  const ref = { organisation_uid, prescription_uid: PrescriptionUid.make(uid) }
  const place = { area: "unsigned", name: fileName(ref) } as const
  const left = await server.current.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* FileStore
      yield* Effect.flatMap(PrescriptionRendering, ({ render }) => render(ref))
      expect(Option.isSome(yield* store.stat(place))).toBe(true)
      const erase = sql`DELETE FROM files WHERE organisation_uid = ${organisation_uid} AND prescription_uid = ${uid}`
      const erasedBefore = Layer.succeed(FileStore, {
        ...store,
        put: (to, bytes) =>
          Effect.orDie(erase).pipe(Effect.zipRight(store.delete(to)), Effect.zipRight(store.put(to, bytes)))
      })
      yield* Effect.flatMap(DataKeyRotation, ({ begin }) => begin(organisation_uid)).pipe(
        Effect.provide(Layer.provide(Layer.fresh(DataKeyRotation.Default), erasedBefore))
      )
      return yield* store.stat(place)
    })
  )
  expect(Option.isNone(left)).toBe(true)
})

test("a PDF that a killed worker left of a prescription that was erased meanwhile goes with the job's next attempt", async () => {
  const world = await makeWorld(server.current)
  const [uid] = await waitingPrescriptions(world)
  const organisation_uid = OrganisationUid.make(world.organisation_uid)
  const ref = { organisation_uid, prescription_uid: PrescriptionUid.make(uid) }
  const left = await server.current.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.flatMap(PrescriptionFiles, (files) => files.put("unsigned", ref, Buffer.from("%PDF")))
      yield* sql`UPDATE prescriptions SET status = 'CANCELLED'
        WHERE organisation_uid = ${organisation_uid} AND uid = ${uid}`
      yield* Effect.flatMap(PrescriptionRendering, ({ render }) => render(ref))
      return yield* Effect.flatMap(FileStore, (store) => store.stat({ area: "unsigned", name: fileName(ref) }))
    })
  )
  expect(Option.isNone(left)).toBe(true)
})

// Shows: an erasure that lists other organisations' records at a shared pharmacy as its patient's prescriptions
test("an erasure leaves prescriptions and orders of other organisations in place", async () => {
  const { first_name, last_name } = PATIENT
  const [shop, other] = [
    await shopWithPatient(server.current, { first_name, last_name, date_of_birth: "1990-05-01" }),
    await makeShop(server.current)
  ]
  await shop.provision({
    shops: [
      {
        uid: shop.shop_uid,
        shop_identifier: shop.shop_identifier,
        organisation_uid: shop.organisation_uid,
        default_pharmacy_uid: shop.pharmacy_uid
      }
    ]
  })
  expect((await shop.prescribe()).status).toBe(200)
  const note_attributes = [{ name: "pharmacy_uid", value: shop.pharmacy_uid }]
  await other.sendWebhook("orders/create", other.order({ note_attributes }))
  const [theirs] = await shop.pharmacyOrders()
  const pharmacyEvents = async () =>
    (await server.current.api("GET", "/v1/external_pharmacy_api/events", { key: shop.pharmacy_key })).body.data
  const before = await pharmacyEvents()
  expect(before).toContainEqual(expect.objectContaining({ type: "pharmacy_order.created" }))
  const erased = await shop.api("POST", `/v1/management/patients/${shop.patient}/erase`, {
    reason: "asked",
    prescription_uids: [theirs.uid]
  })
  expect(erased.status).toBe(200)
  expect(await pharmacyEvents()).toEqual(before)
})

test("a patient's export page shows a partner's number that is not a time unchanged", async () => {
  const shop = await shopWithPatient(server.current, { first_name: "Kim" })
  const path = `/v1/management/patients/${shop.patient}`
  const profile = { seen_at: 1_795_392_311_000_000, left_at: 0 }
  expect((await shop.api("PATCH", path, { profile })).status).toBe(200)
  const { status, body } = await shop.api("POST", `${path}/export-document`)
  expect(status).toBe(200)
  expect(body).toContain("1795392311000000")
  expect(body).toContain("1970-01-01 00:00 UTC")
})
