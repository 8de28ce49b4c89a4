/** Cleanup of abandoned checkouts, and what it must never delete. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { StorefrontUnavailable } from "../../src/schemas/checkout/storefrontProblems.ts"
import { OrganisationUid, PrescriptionUid } from "../../src/schemas/ids.ts"
import { AbandonedCheckouts } from "../../src/services/checkout/acceptance/AbandonedCheckouts.ts"
import { AcceptancesRepo } from "../../src/services/checkout/acceptance/AcceptancesRepo.ts"
import type { Shop } from "../../src/services/checkout/Shops.ts"
import { type Storefront, Storefronts } from "../../src/services/checkout/Storefront.ts"
import { fileName } from "../../src/services/prescriptions/PrescriptionFiles.ts"
import { adminSchema, storefrontSchema } from "../capabilities/shopify/schemas.ts"
import { ShopStandIn } from "../capabilities/shopify/standIn.ts"
import { isLong, sized } from "../support/scale.ts"
import { ownServer } from "../support/server.ts"
import { DAY, random } from "../support/world.ts"
import { makeShop, type ShopWorld } from "./support/shop.ts"

const server = ownServer({ SANDBOX: "true", ROLE: "http" })
let shopify: ShopStandIn
beforeAll(async () => {
  shopify = new ShopStandIn(await adminSchema(), await storefrontSchema())
})
afterAll(() => shopify.stop())
const shopWorld = () => makeShop(server.current, { storefront: { ...shopify.settings, webhook_secret: random("whs") } })

const HOUR = 3600
const sweep = () => server.current.run(Effect.flatMap(AbandonedCheckouts, (abandoned) => abandoned.sweep()))
const pass = (seconds: number) => server.current.advance(seconds)
const passAndSweep = async (seconds: number) => {
  await pass(seconds)
  await sweep()
}

/** The uid of a partner's id, if the checkout has got that far. */
const uidOf = async ({ sql, organisation_uid }: ShopWorld, id: string) => {
  const [found] = await sql<{ prescription_uid: string }>`SELECT prescription_uid FROM accepted_prescriptions
      WHERE organisation_uid = ${organisation_uid} AND id = ${id}`
  return found?.prescription_uid
}
const isStored = (shop: ShopWorld, uid: string | undefined) => {
  if (uid === undefined) return false
  const organisation_uid = OrganisationUid.make(shop.organisation_uid)
  const file = fileName({ organisation_uid, prescription_uid: PrescriptionUid.make(uid) })
  return existsSync(join(server.current.dataDir, "files", "signed", file))
}
const left = async ({ sql, organisation_uid }: ShopWorld) => {
  const [counts] = await sql`SELECT
      (SELECT count(*) FROM checkouts WHERE organisation_uid = ${organisation_uid}) AS checkouts,
      (SELECT count(*) FROM abandoned_checkouts WHERE organisation_uid = ${organisation_uid}) AS abandoned,
      (SELECT count(*) FROM prescriptions WHERE organisation_uid = ${organisation_uid}) AS prescriptions`
  return counts
}
const drafts = (shop: ShopWorld) =>
  [...shopify.drafts.values()].filter(({ lines }) => JSON.stringify(lines).includes(String(shop.skus.drops.variant)))

/** A checkout whose draft order was created by the shop but whose response was lost; returns the prescription's uid. */
const brokenOff = async (shop: ShopWorld, id: string) => {
  shopify.faults.push({ kind: "lost" })
  expect(await shop.prescribe({ id })).toMatchObject({ status: 503, body: { code: "storefront_unavailable" } })
  return uidOf(shop, id)
}

/** A request that pauses once the shop has created its draft order, until it is released. */
const halfway = async (shop: ShopWorld, id: string) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const reached = new Promise<void>((resolve) => {
    shopify.passing = async (_, moment) => {
      if (moment === "asked") return
      shopify.passing = async () => {}
      resolve()
      await held
    }
  })
  const answer = shop.prescribe({ id })
  await reached
  return { answer, release }
}

describe("a checkout that the shop refused", () => {
  test("keeps its file for 15 minutes; the file of a corrected request stays", async () => {
    const shop = await shopWorld()
    shopify.userErrors = [{ field: ["lineItems"], message: "not for sale" }]
    let refused: string | undefined
    shopify.passing = async () => {
      refused = await uidOf(shop, "rx-1")
    }
    const refusal = { code: "storefront_refused", error: expect.stringContaining("lineItems: not for sale") }
    expect(await shop.prescribe({ id: "rx-1" })).toMatchObject({ status: 409, body: refusal })
    shopify.userErrors = []
    shopify.passing = async () => {}
    const [{ prescription_uid: accepted }] = (await shop.prescribe({ id: "rx-1" })).body.prescriptions
    await passAndSweep(600)
    expect(isStored(shop, refused)).toBe(true)
    await passAndSweep(600)
    expect([isStored(shop, refused), isStored(shop, accepted)]).toEqual([false, true])
    expect(await left(shop)).toEqual({ checkouts: 1, abandoned: 0, prescriptions: 1 })
    expect(drafts(shop)).toHaveLength(1)
  })
})

describe("an interrupted checkout", () => {
  test("can be resumed for a day; then it is deleted with file and draft order, and its id is free", async () => {
    const shop = await shopWorld()
    const [taken, forgotten] = [await brokenOff(shop, "taken"), await brokenOff(shop, "forgotten")]
    await passAndSweep(DAY - HOUR)
    const resumed = await shop.prescribe({ id: "taken" })
    expect(resumed.body.prescriptions).toEqual([{ id: "taken", prescription_uid: taken }])
    expect([isStored(shop, taken), isStored(shop, forgotten), drafts(shop).length]).toEqual([true, true, 2])
    await passAndSweep(2 * HOUR)
    await passAndSweep(HOUR)
    expect([isStored(shop, taken), isStored(shop, forgotten), drafts(shop).length]).toEqual([true, false, 1])
    expect(await left(shop)).toEqual({ checkouts: 1, abandoned: 0, prescriptions: 1 })
    const anew = await shop.prescribe({ id: "forgotten" })
    expect([anew.status, anew.body.prescriptions[0].prescription_uid === forgotten]).toEqual([200, false])
  })

  test("is also deleted when a request with other ids replaced it", async () => {
    const shop = await shopWorld()
    const first = [await brokenOff(shop, "a"), await brokenOff(shop, "b")]
    const both = ["a", "b"].flatMap((id) => shop.bodyOf({ id }).prescriptions)
    const done = await shop.prescribe({ id: "a", prescriptions: both })
    const second = done.body.prescriptions.map((one) => one.prescription_uid)
    for (const id of ["a", "b"]) expect((await shop.prescribe({ id })).status).toBe(409)
    expect(drafts(shop)).toHaveLength(3)
    await passAndSweep(HOUR)
    expect(drafts(shop)).toHaveLength(1)
    expect(first.map((uid) => isStored(shop, uid))).toEqual([false, false])
    expect(second.map((uid) => isStored(shop, uid))).toEqual([true, true])
  })

  test("is deleted even if its shop is unreachable; an order that resulted from it stays", async () => {
    const shop = await shopWorld()
    const uids = [await brokenOff(shop, "a"), await brokenOff(shop, "b")]
    const [ordered] = drafts(shop)
    Object.assign(ordered ?? {}, { status: "COMPLETED" })
    await passAndSweep(DAY + HOUR)
    shopify.faults.push({ kind: "status", status: 401 })
    await passAndSweep(HOUR)
    expect(await left(shop)).toEqual({ checkouts: 0, abandoned: 0, prescriptions: 0 })
    expect(uids.map((uid) => isStored(shop, uid))).toEqual([false, false])
    expect(drafts(shop).map(({ status }) => status)).toContain("COMPLETED")
  })

  test("is not deleted while the same request resumes it", async () => {
    const shop = await shopWorld()
    const uid = await brokenOff(shop, "rx-1")
    await pass(2 * DAY)
    const { answer, release } = await halfway(shop, "rx-1")
    const swept = sweep()
    release()
    expect(await answer).toMatchObject({ status: 200, body: { prescriptions: [{ prescription_uid: uid }] } })
    await swept
    await passAndSweep(HOUR)
    expect(isStored(shop, uid)).toBe(true)
    expect(await left(shop)).toEqual({ checkouts: 1, abandoned: 0, prescriptions: 1 })
    expect(drafts(shop)).toHaveLength(1)
  })

  test("that is abandoned while its request runs ends that request with 409: nothing is accepted without a claim", async () => {
    const shop = await shopWorld()
    const { answer, release } = await halfway(shop, "rx-1")
    const lost = await uidOf(shop, "rx-1")
    await server.current.run(
      Effect.gen(function* () {
        const repo = yield* AcceptancesRepo
        const owner = OrganisationUid.make(shop.organisation_uid)
        const [open] = yield* repo.unfinished(owner, Number.MAX_SAFE_INTEGER / 1e6, 100)
        if (open !== undefined) yield* repo.abandon(open.organisation_uid, open.uid)
      }).pipe(Effect.provide(AcceptancesRepo.Default))
    )
    release()
    expect(await answer).toMatchObject({ status: 409, body: { code: "in_progress" } })
    expect(await left(shop)).toEqual({ checkouts: 0, abandoned: 1, prescriptions: 0 })
    const [{ prescription_uid }] = (await shop.prescribe({ id: "rx-1" })).body.prescriptions
    await passAndSweep(HOUR)
    expect([isStored(shop, lost), isStored(shop, prescription_uid), drafts(shop).length]).toEqual([false, true, 1])
  })
})

test("of a concurrent deletion and acceptance of a checkout, exactly one happens", async () => {
  const ROUNDS = sized(12, 40)
  const shop = await shopWorld()
  const organisation_uid = shop.organisation_uid as OrganisationUid
  const outcomes = await server.current.run(
    Effect.gen(function* () {
      const repo = yield* AcceptancesRepo
      return yield* Effect.forEach(Array.from({ length: ROUNDS }), (_, i) =>
        Effect.gen(function* () {
          const { checkout_uid } = yield* repo.claim(organisation_uid, shop.shop_uid as never, [`rx-${i}`])
          const both = [repo.abandon(organisation_uid, checkout_uid), repo.accept(organisation_uid, checkout_uid, null)]
          return (yield* Effect.all(i % 2 === 0 ? both : both.toReversed(), { concurrency: 2 })).toSorted()
        })
      )
    }).pipe(Effect.provide(AcceptancesRepo.Default))
  )
  const ended = outcomes.map((outcome) => outcome.join())
  expect(["false,now", "gone,true"]).toEqual(expect.arrayContaining(ended))
  const accepted = ended.filter((outcome) => outcome === "false,now").length
  expect(await left(shop)).toEqual({ checkouts: accepted, abandoned: ROUNDS - accepted, prescriptions: 0 })
})

/** A shop with this many abandoned checkouts. */
const shopWithAbandoned = async (count: number) => {
  const shop = await shopWorld()
  const { organisation_uid, shop_uid } = shop
  await shop.sql`INSERT INTO checkouts (organisation_uid, uid, shop_uid, created_at)
    SELECT ${organisation_uid}, 'chk_' || i, ${shop_uid}, to_timestamp(i) FROM generate_series(1, ${count}::integer) i
    ON CONFLICT DO NOTHING` // never conflicts; without the clause Citus uses COPY, which row-level security rejects
  return shop
}

// Shows: a shop that responds late or endlessly, or sends endless orders
test("an unresponsive shop is asked for one draft order per run, so that it does not delay other shops; Rule 11.8.5", async () => {
  const [dead, other] = [await shopWithAbandoned(3), await shopWithAbandoned(2)]
  await sweep()
  await pass(HOUR)
  const requested: Array<string> = []
  const of = ({ shop_uid }: Shop) =>
    Effect.succeed({
      discardDraftOrder: () => {
        requested.push(shop_uid)
        return shop_uid === dead.shop_uid ? new StorefrontUnavailable({ detail: "no answer" }) : Effect.void
      }
    } as unknown as Storefront) // nothing else is called
  await server.current.run(
    Effect.flatMap(AbandonedCheckouts, (abandoned) => abandoned.sweep()).pipe(
      Effect.provide(Layer.provide(Layer.fresh(AbandonedCheckouts.Default), Layer.succeed(Storefronts, { of })))
    )
  )
  const ofThese = requested.filter((uid) => uid === dead.shop_uid || uid === other.shop_uid)
  expect(ofThese.toSorted()).toEqual([dead.shop_uid, other.shop_uid, other.shop_uid].toSorted())
  for (const shop of [dead, other]) expect(await left(shop)).toMatchObject({ checkouts: 0, abandoned: 0 })
})

if (isLong)
  test("one run deletes hundreds", async () => {
    const shop = await shopWithAbandoned(250)
    const { organisation_uid, shop_uid: uid, shop_identifier } = shop
    await shop.provision({ shops: [{ uid, shop_identifier, organisation_uid, storefront: { kind: "embedded" } }] })
    await sweep()
    expect(await left(shop)).toEqual({ checkouts: 0, abandoned: 250, prescriptions: 0 })
    await passAndSweep(HOUR)
    expect(await left(shop)).toEqual({ checkouts: 0, abandoned: 0, prescriptions: 0 })
  })
