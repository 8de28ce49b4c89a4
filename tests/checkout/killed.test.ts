/** The service is killed at each step of a checkout, and the same request is repeated. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Deferred, Effect } from "effect"
import { eventually } from "../support/eventually.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { random } from "../support/world.ts"
import { adminSchema, storefrontSchema } from "./shopify/schemas.ts"
import { ShopStandIn } from "./shopify/standIn.ts"
import { BucketStandIn } from "./support/bucket.ts"
import { startProcess } from "./support/process.ts"
import { makeShop } from "./support/shop.ts"

type Process = Awaited<ReturnType<typeof startProcess>>
type Moment = "asked" | "done"

const bucket = new BucketStandIn()
let shopify: ShopStandIn
let web: TestServer
let survivor: Process
beforeAll(async () => {
  shopify = new ShopStandIn(await adminSchema(), await storefrontSchema())
  web = await startServer({ ROLE: "http" })
  survivor = await startProcess(web.databaseUrl, bucket.environment)
}, 120_000)
afterAll(async () => {
  await survivor.stop()
  await web.stop()
  await shopify.stop()
  await bucket.stop()
})

const never = () => new Promise<void>(() => {})

/** Pauses the first request that reaches a step. */
const halt = (at: (reached: () => void) => void) => new Promise<void>(at)

const atPut = (moment: Moment) =>
  halt((reached) => {
    bucket.passing = async (_, when) => {
      if (when !== moment) return
      bucket.passing = async () => {}
      reached()
      await never()
    }
  })

const atShop = (operation: string, moment: Moment) =>
  halt((reached) => {
    shopify.passing = async (asked, when) => {
      if (asked !== operation || when !== moment) return
      shopify.passing = async () => {}
      reached()
      await never()
    }
  })

/** Locks the table against writes during the work; the work gets a promise that resolves when a session waits for the lock. */
const lockedTable = <A>(table: string, work: (blocked: Promise<unknown>) => Promise<A>) =>
  web.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const result = yield* Deferred.make<A>()
      const waiting = () =>
        web.run(
          Effect.orDie(
            Effect.map(
              sql`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = ${table}::regclass`,
              (rows) => rows.length > 0
            )
          )
        )
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql.unsafe(`LOCK TABLE ${table} IN EXCLUSIVE MODE`)
          const blocked = eventually(waiting, (is) => is)
          yield* Deferred.succeed(result, yield* Effect.promise(() => work(blocked)))
        })
      )
      return yield* Deferred.await(result)
    }).pipe(Effect.orDie)
  )

const shopWorld = () => makeShop(web, { storefront: { ...shopify.settings, webhook_secret: random("whs") } })

/** Sends the request to a process that is killed once `reached`, then again to a running one. */
const killedAt = async (
  reached: Promise<unknown>,
  path: string,
  body: unknown,
  key: string,
  unlock = async () => {}
) => {
  const victim = await startProcess(web.databaseUrl, bucket.environment)
  const cut = victim.api("POST", path, { key, body }).then(
    () => "answered",
    () => "cut off"
  )
  await reached
  await victim.kill()
  expect(await cut).toBe("cut off")
  await unlock()
  return survivor.api("POST", path, { key, body })
}

const counts = async (organisation_uid: string) => {
  const [row] = await web.run(
    Effect.orDie(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<Record<string, number>>`SELECT
          (SELECT count(*) FROM prescriptions WHERE organisation_uid = ${organisation_uid}) AS prescriptions,
          (SELECT count(*) FROM files WHERE organisation_uid = ${organisation_uid}) AS files,
          (SELECT count(*) FROM checkouts WHERE organisation_uid = ${organisation_uid}) AS checkouts`
      )
    )
  )
  return row
}

const once = { prescriptions: 1, files: 1, checkouts: 1 }
const draftsWith = (uid: string) =>
  [...shopify.drafts.values()].filter(({ lines }) => JSON.stringify(lines).includes(uid))

describe("a checkout whose process is killed", () => {
  const steps: ReadonlyArray<readonly [string, () => Promise<unknown>]> = [
    ["while the file is on its way to the store", () => atPut("asked")],
    ["once the file is stored", () => atPut("done")],
    ["before the shop makes the draft order", () => atShop("draftOrderCreate", "asked")],
    ["once the shop has made the draft order", () => atShop("draftOrderCreate", "done")]
  ]
  for (const [name, reached] of steps) {
    test(`${name} is completed by the same request`, async () => {
      const shop = await shopWorld()
      const before = [shopify.drafts.size, bucket.objects.size]
      const done = await killedAt(
        reached(),
        `/v2/public-api/prescriptions/${shop.shop_identifier}`,
        shop.bodyOf(),
        shop.key
      )
      expect(done.status).toBe(200)
      expect(await counts(shop.organisation_uid)).toEqual(once)
      expect([shopify.drafts.size, bucket.objects.size]).toEqual(before.map((count) => count + 1))
      expect(draftsWith(done.body.prescriptions[0].prescription_uid)).toHaveLength(1)
    })
  }

  for (const [name, table] of [
    ["before it is noted", "checkouts"],
    ["while it is being accepted", "prescriptions"]
  ] as const) {
    test(`${name} is completed by the same request`, async () => {
      const shop = await shopWorld()
      const before = shopify.drafts.size
      let release = () => {}
      let entered = (_: Promise<unknown>) => {}
      const blocked = new Promise<Promise<unknown>>((resolve) => {
        entered = resolve
      })
      const open = new Promise<void>((resolve) => {
        release = resolve
      })
      const lock = lockedTable(table, async (waiting) => {
        entered(waiting)
        await open
      })
      const done = await killedAt(
        blocked.then((waiting) => waiting),
        `/v2/public-api/prescriptions/${shop.shop_identifier}`,
        shop.bodyOf(),
        shop.key,
        async () => {
          release()
          await lock
        }
      )
      expect(done.status).toBe(200)
      expect(await counts(shop.organisation_uid)).toEqual(once)
      expect(shopify.drafts.size).toBe(before + 1)
    })
  }

  for (const moment of ["asked", "done"] as const) {
    test(`when the shop has ${moment === "asked" ? "not yet " : ""}updated a reserved draft order is completed`, async () => {
      const shop = await shopWorld()
      const { body } = await shop.reserve({ lines: [{ sku_uid: shop.skus.drops.uid, quantity: 1 }] })
      const request = shop.bodyOf({ reserved_draft_order_id: body.reserved_draft_order_id })
      const path = `/v2/public-api/prescriptions/${shop.shop_identifier}`
      const done = await killedAt(atShop("draftOrderUpdate", moment), path, request, shop.key)
      expect(done.status).toBe(200)
      expect(await counts(shop.organisation_uid)).toEqual(once)
      const uid = done.body.prescriptions[0].prescription_uid
      expect(shopify.drafts.get(body.reserved_draft_order_id)?.lines).toMatchObject([
        { customAttributes: [{ key: "_prescription_uid", value: uid }] }
      ])
    })
  }

  test("after acceptance stays accepted, and the same request gets the same answer", async () => {
    const shop = await shopWorld()
    const path = `/v2/public-api/prescriptions/${shop.shop_identifier}`
    const body = shop.bodyOf({ id: "rx-1" })
    const victim = await startProcess(web.databaseUrl, bucket.environment)
    const first = await victim.api("POST", path, { key: shop.key, body })
    await victim.kill()
    const again = await survivor.api("POST", path, { key: shop.key, body })
    expect(again.status).toBe(409)
    expect(again.body.error).toContain(first.body.prescriptions[0].prescription_uid)
    expect(await counts(shop.organisation_uid)).toEqual(once)
  })
})

test("two concurrent processes accept an id once", async () => {
  const shop = await shopWorld()
  const other = await startProcess(web.databaseUrl, bucket.environment)
  const path = `/v2/public-api/prescriptions/${shop.shop_identifier}`
  const body = shop.bodyOf({ id: "rx-1" })
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => (i % 2 ? other : survivor).api("POST", path, { key: shop.key, body }))
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(409)])
  expect(await counts(shop.organisation_uid)).toEqual(once)
  await other.stop()
})
