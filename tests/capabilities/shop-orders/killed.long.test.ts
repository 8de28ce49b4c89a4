/** The service is killed at each step of a checkout, and the same request is repeated. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Deferred, Effect } from "effect"
import { BucketStandIn } from "../../checkout/support/bucket.ts"
import { makeShop, type ShopWorld } from "../../checkout/support/shop.ts"
import { present } from "../../support/body.ts"
import { eventually } from "../../support/eventually.ts"
import { startService, temporaryFolder } from "../../support/processes.ts"
import { apiAt, ownServer } from "../../support/server.ts"
import { random } from "../../support/world.ts"
import { adminSchema, storefrontSchema } from "../shopify/schemas.ts"
import { ShopStandIn } from "../shopify/standIn.ts"

const web = ownServer({ ROLE: "http" })
const bucket = new BucketStandIn()
const folder = temporaryFolder()
/** Each has files in the bucket, and a shop on this machine. */
const startProcess = async () => {
  const service = await startService({
    DATABASE_URL: web.current.databaseUrl,
    DATABASE_POOL_SIZE: "6",
    DATA_DIR: folder.path,
    ROLE: "http",
    LOG_LEVEL: "error",
    WEBHOOK_ALLOW_PRIVATE: "true",
    ...bucket.environment
  })
  return { api: apiAt(service.url), stop: service.stop }
}
type Process = Awaited<ReturnType<typeof startProcess>>

let shopify: ShopStandIn
let survivor: Process
beforeAll(async () => {
  shopify = new ShopStandIn(await adminSchema(), await storefrontSchema())
  survivor = await startProcess()
}, 120_000)
afterAll(async () => {
  await survivor.stop()
  await shopify.stop()
  await bucket.stop()
  folder.remove()
})

/** Pauses the first request that reaches a step for ever. */
const halt = (at: BucketStandIn | ShopStandIn, operation: string, moment: "asked" | "done") => () =>
  new Promise<void>((reached) => {
    at.passing = async (asked, when) => {
      if (asked !== operation || when !== moment) return
      at.passing = async () => {}
      reached()
      await new Promise<void>(() => {})
    }
  })

/** Nobody can write to the table until the work is over; the work can wait until somebody waits for it. */
const lockedTable = <A>(table: string, work: (blocked: () => Promise<unknown>) => Promise<A>) =>
  web.current.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const result = yield* Deferred.make<A>()
      const waiting = () => web.current.sql`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = ${table}::regclass`
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql.unsafe(`LOCK TABLE ${table} IN EXCLUSIVE MODE`)
          const blocked = () => eventually(waiting, ({ length }) => length > 0)
          yield* Deferred.succeed(result, yield* Effect.promise(() => work(blocked)))
        })
      )
      return yield* Deferred.await(result)
    }).pipe(Effect.orDie)
  )

const shopWorld = () => makeShop(web.current, { storefront: { ...shopify.settings, webhook_secret: random("whs") } })

const counts = async ({ organisation_uid }: ShopWorld) => {
  const [row] = await web.current.sql<Record<string, number>>`SELECT
    (SELECT count(*) FROM prescriptions WHERE organisation_uid = ${organisation_uid}) AS prescriptions,
    (SELECT count(*) FROM files WHERE organisation_uid = ${organisation_uid}) AS files,
    (SELECT count(*) FROM checkouts WHERE organisation_uid = ${organisation_uid}) AS checkouts`
  return row
}
const once = { prescriptions: 1, files: 1, checkouts: 1 }

const send = ({ api }: Pick<Process, "api">, { shop_identifier, key }: ShopWorld, body: object) =>
  api("POST", `/v2/public-api/prescriptions/${shop_identifier}`, { key, body })

/** A checkout of its own shop, new or of a reserved draft order. */
const prepared = async (isReserved: boolean) => {
  const shop = await shopWorld()
  if (!isReserved) return { shop, body: shop.bodyOf() }
  const { reserved_draft_order_id } = (await shop.reserve({ lines: [{ sku_uid: shop.skus.drops.uid, quantity: 1 }] }))
    .body
  return { shop, body: shop.bodyOf({ reserved_draft_order_id }) }
}

/**
 * Each of two processes is killed with checkouts at several steps; then the requests are repeated. What is slow is done
 * before: a checkout waits ten seconds at most for the file store, the shop or a lock.
 */
test("a checkout whose process is killed is completed by the same request, without a second draft order or file", async () => {
  const before = { drafts: shopify.drafts.size, objects: bucket.objects.size }
  const steps = {
    "before the shop makes the draft order": halt(shopify, "draftOrderCreate", "asked"),
    "once the shop has made the draft order": halt(shopify, "draftOrderCreate", "done"),
    "before the shop updates a reserved draft order": halt(shopify, "draftOrderUpdate", "asked"),
    "once the shop has updated a reserved draft order": halt(shopify, "draftOrderUpdate", "done"),
    "before it is noted": "checkouts",
    "while the file is on its way to the store": halt(bucket, "put", "asked"),
    "once the file is stored": halt(bucket, "put", "done"),
    "while it is being accepted": "prescriptions"
  }
  const checkouts = new Map<string, Awaited<ReturnType<typeof prepared>>>()
  for (const name of Object.keys(steps)) checkouts.set(name, await prepared(name.includes("reserved")))
  const accepted = await prepared(false)

  let victim = await startProcess()
  const first = await send(victim, accepted.shop, accepted.body)
  /** What the killed processes answered, if anything. */
  const cut = new Map<string, Promise<unknown>>()
  const interrupt = async (name: string, reached: () => Promise<unknown>) => {
    const isReached = reached()
    const { shop, body } = present(checkouts.get(name))
    const answer = send(victim, shop, body).catch(() => undefined)
    cut.set(name, answer)
    await isReached
  }
  for (const [name, at] of Object.entries(steps))
    if (typeof at === "function") await interrupt(name, at)
    else {
      // A lock comes last, since it stops every later checkout as well
      await lockedTable(at, async (blocked) => {
        await interrupt(name, blocked)
        await victim.stop("SIGKILL")
      })
      victim = await startProcess()
    }
  await victim.stop()

  for (const [name, { shop, body }] of checkouts) {
    const { status, body: answer } = await send(survivor, shop, body)
    const uid = answer.prescriptions[0].prescription_uid
    const drafts = [...shopify.drafts.values()].filter(({ lines }) => JSON.stringify(lines).includes(uid))
    const found = { name, cut: await cut.get(name), status, drafts: drafts.length, counts: await counts(shop) }
    expect(found).toEqual({ name, cut: undefined, status: 200, drafts: 1, counts: once })
    if ("reserved_draft_order_id" in body) expect(drafts[0]?.id).toBe(String(body.reserved_draft_order_id))
  }
  const again = await send(survivor, accepted.shop, accepted.body)
  expect(again).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining(first.body.prescriptions[0].prescription_uid) }
  })
  expect(await counts(accepted.shop)).toEqual(once)
  const made = { drafts: shopify.drafts.size - before.drafts, objects: bucket.objects.size - before.objects }
  expect(made).toEqual({ drafts: checkouts.size + 1, objects: checkouts.size + 1 })
}, 300_000)

test("two concurrent processes accept an id once", async () => {
  const shop = await shopWorld()
  const body = shop.bodyOf({ id: "rx-1" })
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => send(i % 2 ? web.current : survivor, shop, body))
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(409)])
  expect(await counts(shop)).toEqual(once)
})
