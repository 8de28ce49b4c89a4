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

/** Nobody can write to the table until the work is over; the work can wait until somebody waits for it. */
const lockedTable = <A>(table: string, work: (blocked: () => Promise<unknown>) => Promise<A>) =>
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
          const blocked = () => eventually(waiting, (is) => is)
          yield* Deferred.succeed(result, yield* Effect.promise(() => work(blocked)))
        })
      )
      return yield* Deferred.await(result)
    }).pipe(Effect.orDie)
  )

const shopWorld = () => makeShop(web, { storefront: { ...shopify.settings, webhook_secret: random("whs") } })

type Shop = Awaited<ReturnType<typeof shopWorld>>
type Answer = Awaited<ReturnType<Process["api"]>>
const pathOf = ({ shop_identifier }: Shop) => `/v2/public-api/prescriptions/${shop_identifier}`

const counts = async (organisation_uid: string) => {
  const [row] = await web.sql<Record<string, number>>`SELECT
    (SELECT count(*) FROM prescriptions WHERE organisation_uid = ${organisation_uid}) AS prescriptions,
    (SELECT count(*) FROM files WHERE organisation_uid = ${organisation_uid}) AS files,
    (SELECT count(*) FROM checkouts WHERE organisation_uid = ${organisation_uid}) AS checkouts`
  return row
}

const once = { prescriptions: 1, files: 1, checkouts: 1 }
const draftsWith = (uid: string) =>
  [...shopify.drafts.values()].filter(({ lines }) => JSON.stringify(lines).includes(uid))

const PUTS = [
  ["while the file is on its way to the store", "asked"],
  ["once the file is stored", "done"]
] as const
const DRAFTS = [
  ["before the shop makes the draft order", "asked"],
  ["once the shop has made the draft order", "done"]
] as const
const UPDATES = [
  ["when the shop has not yet updated a reserved draft order", "asked"],
  ["when the shop has updated a reserved draft order", "done"]
] as const
const LOCKED = { accepting: "while it is being accepted", noting: "before it is noted" }
const ACCEPTED = "after acceptance"
const COMPLETED = [...PUTS.map(([name]) => name), ...DRAFTS.map(([name]) => name), ...Object.values(LOCKED)]

/**
 * Each of two processes is killed with checkouts at several steps; then the requests are repeated. What is slow is done
 * before: a checkout waits ten seconds at most for the file store, the shop or a lock.
 */
describe("a checkout whose process is killed", () => {
  const requests = new Map<
    string,
    { readonly shop: Shop; readonly body: { readonly reserved_draft_order_id?: string } }
  >()
  /** What the killed processes answered, if anything. */
  const cut = new Map<string, Promise<Answer | undefined>>()
  const answers = new Map<string, Answer>()
  let made: { readonly drafts: number; readonly objects: number }
  const entry = <A>(all: ReadonlyMap<string, A>, name: string): A => {
    const one = all.get(name)
    if (one === undefined) throw new Error(`there is no checkout ${name}`)
    return one
  }
  const prepare = async (name: string, bodyOf: (shop: Shop) => object | Promise<object> = (shop) => shop.bodyOf()) => {
    const shop = await shopWorld()
    requests.set(name, { shop, body: await bodyOf(shop) })
  }
  const repeat = ({ api }: Process, name: string) => {
    const { shop, body } = entry(requests, name)
    return api("POST", pathOf(shop), { key: shop.key, body })
  }
  const interrupt = async (victim: Process, name: string, reached: () => Promise<unknown>) => {
    const isReached = reached()
    cut.set(
      name,
      repeat(victim, name).catch(() => undefined)
    )
    await isReached
  }

  beforeAll(async () => {
    const before = { drafts: shopify.drafts.size, objects: bucket.objects.size }
    await prepare(ACCEPTED, (shop) => shop.bodyOf({ id: "rx-1" }))
    for (const name of COMPLETED) await prepare(name)
    for (const [name] of UPDATES)
      await prepare(name, async (shop) => {
        const { body } = await shop.reserve({ lines: [{ sku_uid: shop.skus.drops.uid, quantity: 1 }] })
        return shop.bodyOf({ reserved_draft_order_id: body.reserved_draft_order_id })
      })

    const first = await startProcess(web.databaseUrl, bucket.environment)
    cut.set(ACCEPTED, repeat(first, ACCEPTED))
    await entry(cut, ACCEPTED)
    for (const [name, moment] of DRAFTS) await interrupt(first, name, () => atShop("draftOrderCreate", moment))
    for (const [name, moment] of UPDATES) await interrupt(first, name, () => atShop("draftOrderUpdate", moment))
    // A lock comes last, since it stops every later checkout as well
    await lockedTable("checkouts", async (blocked) => {
      await interrupt(first, LOCKED.noting, blocked)
      await first.kill()
    })

    const second = await startProcess(web.databaseUrl, bucket.environment)
    for (const [name, moment] of PUTS) await interrupt(second, name, () => atPut(moment))
    await lockedTable("prescriptions", async (blocked) => {
      await interrupt(second, LOCKED.accepting, blocked)
      await second.kill()
    })

    for (const name of requests.keys()) answers.set(name, await repeat(survivor, name))
    made = { drafts: shopify.drafts.size - before.drafts, objects: bucket.objects.size - before.objects }
  }, 300_000)

  for (const name of COMPLETED)
    test(`${name} is completed by the same request`, async () => {
      const [{ shop }, answer] = [entry(requests, name), entry(answers, name)]
      expect(await entry(cut, name)).toBeUndefined()
      expect(answer.status).toBe(200)
      expect(await counts(shop.organisation_uid)).toEqual(once)
      expect(draftsWith(answer.body.prescriptions[0].prescription_uid)).toHaveLength(1)
    })

  for (const [name] of UPDATES)
    test(`${name} is completed`, async () => {
      const [{ shop, body }, answer] = [entry(requests, name), entry(answers, name)]
      expect(await entry(cut, name)).toBeUndefined()
      expect(answer.status).toBe(200)
      expect(await counts(shop.organisation_uid)).toEqual(once)
      const uid = answer.body.prescriptions[0].prescription_uid
      expect(shopify.drafts.get(body.reserved_draft_order_id ?? "")?.lines).toMatchObject([
        { customAttributes: [{ key: "_prescription_uid", value: uid }] }
      ])
    })

  test(`${ACCEPTED} stays accepted, and the same request gets the same answer`, async () => {
    const [{ shop }, answer] = [entry(requests, ACCEPTED), entry(answers, ACCEPTED)]
    expect(answer.status).toBe(409)
    expect(answer.body.error).toContain((await entry(cut, ACCEPTED))?.body.prescriptions[0].prescription_uid)
    expect(await counts(shop.organisation_uid)).toEqual(once)
  })

  test("leaves no second draft order or file", () => {
    expect(made).toEqual({ drafts: requests.size, objects: requests.size })
  })
})

test("two concurrent processes accept an id once", async () => {
  const shop = await shopWorld()
  const body = shop.bodyOf({ id: "rx-1" })
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => (i % 2 ? web : survivor).api("POST", pathOf(shop), { key: shop.key, body }))
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(409)])
  expect(await counts(shop.organisation_uid)).toEqual(once)
})
