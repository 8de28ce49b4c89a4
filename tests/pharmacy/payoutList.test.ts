import { beforeAll, describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Predicate, Record, Stream } from "effect"
import { Settings } from "../../src/config.ts"
import type { Payout } from "../../src/schemas/pharmacy/Payout.ts"
import { PayoutList } from "../../src/services/pharmacy/PayoutList.ts"
import { statementCsv } from "../../src/services/pharmacy/statement.ts"
import { present } from "../support/body.ts"
import { someOf } from "../support/scale.ts"
import { type Services, testLayers } from "../support/server.ts"
import { type LayeredPharmacy, layeredPharmacy, payoutQuery } from "./pharmacyWorld.ts"

const layers = testLayers()

const DAY = 86_400
const START = 1_700_006_400 // a UTC midnight

/** Routes an order's projected payouts at a given time, as a completed job does. */
const routeAt = (world: LayeredPharmacy, uid: string, at: number) =>
  layers.current.sql`UPDATE payouts SET routing = 'routed', routing_created_at = to_timestamp(${at}),
          updated_at = to_timestamp(${at}),
          routing_description = 'Route ' || pharmacy_order_name || ' ' || component_type,
          provider_route_id = 'crt_' || md5(pharmacy_order_uid || component_type)
        WHERE pharmacy_uid = ${world.pharmacy_uid} AND pharmacy_order_uid = ${uid}`

let world: LayeredPharmacy
let everything: ReadonlyArray<Payout>
const list: LayeredPharmacy["payouts"] = (query) => world.payouts(query)
const keyOf = ({ pharmacy_order_uid, component_type }: Pick<Payout, "pharmacy_order_uid" | "component_type">) =>
  `${pharmacy_order_uid} ${component_type}`

beforeAll(async () => {
  world = await layeredPharmacy(layers.current)
  const { skus, line } = world
  const uids = await world.ordersWith(
    Array.from({ length: 24 }, (_, i) => ({
      name: `Order ${i}`,
      created_at: START + i * 7_000,
      shipping_price: i % 4 === 0 ? 0 : 490,
      lines: [line(skus.drops, 1 + (i % 3), 1_000 + (i % 5) * 100), line(skus.consult)]
    }))
  )
  for (const [i, uid] of uids.entries()) if (i % 2 === 0) await routeAt(world, uid, START + 3 * DAY + i * 5_000)
  everything = (await list({ limit: 500 })).data
})

const orders = (["pharmacy_order_created_at", "routing_created_at", "amount"] as const).flatMap((sort_by) =>
  (["asc", "desc"] as const).map((sort_direction) => ({ sort_by, sort_direction }))
)

describe("the payout list", () => {
  test("shows every field of both kinds", async () => {
    const fields = {
      amount: expect.any(Number),
      component_type: expect.any(String),
      currency: "EUR",
      pharmacy_order_created_at: expect.any(Number),
      pharmacy_order_name: expect.stringContaining("Order "),
      pharmacy_order_uid: expect.any(String),
      updated_at: expect.any(Number)
    }
    const projected = { provider_route_id: null, routing_created_at: null, routing_description: null }
    const routed = {
      provider_route_id: expect.stringMatching(/^crt_/),
      routing_created_at: expect.any(Number),
      routing_description: expect.stringContaining("Route ")
    }
    for (const row of everything)
      expect(row).toEqual({ ...fields, status: row.status, ...(row.status === "routed" ? routed : projected) })
  })

  const cases = orders.flatMap((order) =>
    [{}, { status: "projected" }, { status: "routed" }].map((filter) => ({ ...order, ...filter }))
  )
  test.each(cases)("is sorted and filtered, page by page and by cursor: %p", async (query) => {
    const value = (row: Payout) => row[query.sort_by] ?? Number.NEGATIVE_INFINITY
    const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
    const ascending = everything
      .filter(({ status }) => !("status" in query) || status === query.status)
      .toSorted((a, b) => Math.sign(value(a) - value(b)) || text(keyOf(a), keyOf(b)))
    const wanted = (query.sort_direction === "asc" ? ascending : ascending.toReversed()).map(keyOf)
    const pages: Array<Payout> = []
    for (let page = 0; page * 7 < wanted.length; page += 1) {
      const answer = await list({ ...query, limit: 7, page })
      expect(answer.totalPages).toBe(Math.ceil(wanted.length / 7))
      pages.push(...answer.data)
    }
    expect(pages.map(keyOf)).toEqual(wanted)
    const followed: Array<Payout> = []
    for (let after: string | null | undefined; after !== null; ) {
      const answer = await list({ ...query, limit: 5, ...(after !== undefined && { after }) })
      followed.push(...answer.data)
      after = answer.next
    }
    expect(followed.map(keyOf)).toEqual(wanted)
    expect((await list({ ...query, limit: 7, page: 1_000 })).data).toEqual([])
  })

  test("the default is the newest order first", async () => {
    const dates = (await list()).data.map((row) => row.pharmacy_order_created_at)
    expect(dates).toEqual(dates.toSorted((a, b) => b - a))
  })

  test("ranges go by each kind's own date, include both ends, and count right across days", async () => {
    const dateOf = (row: Payout) => row.routing_created_at ?? row.pharmacy_order_created_at
    const edges = [0, 1, 7_000, 7_001, DAY - 1, DAY, 2 * DAY + 5, 3 * DAY, 3 * DAY + 20_000, 5 * DAY]
    const times = [undefined, ...someOf(edges, 3).map((seconds) => START + seconds)]
    for (const status of ["projected", "routed", undefined])
      for (const start_date of times)
        for (const end_date of times) {
          const query = Record.filter({ status, start_date, end_date }, Predicate.isNotUndefined)
          const wanted = everything.filter(
            (row) =>
              row.status === (status ?? row.status) &&
              dateOf(row) >= (start_date ?? 0) &&
              dateOf(row) <= (end_date ?? Number.POSITIVE_INFINITY)
          )
          const { data, totalRegistries: total } = await list({ ...query, limit: 500 })
          expect({ query, keys: data.map(keyOf), total }).toEqual({
            query,
            keys: wanted.map(keyOf),
            total: wanted.length
          })
        }
  })

  test("searches uid, name, route id and description literally, ignoring case", async () => {
    const routed = present(everything.find(({ status }) => status === "routed"))
    const named = (name: string) => everything.filter((row) => row.pharmacy_order_name === name)
    for (const [search, found] of [
      [routed.pharmacy_order_uid, everything.filter((row) => row.pharmacy_order_uid === routed.pharmacy_order_uid)],
      [routed.provider_route_id ?? "", [routed]],
      ["oRdEr 23", named("Order 23")],
      ["route order 22 item_rest", named("Order 22").filter((row) => row.component_type === "item_rest")],
      ["order_2", []],
      ["%", []],
      ["nothing like it", []],
      ["r", everything]
    ] as const)
      expect([search, (await list({ search, limit: 500 })).data]).toEqual([search, [...found]])
    const narrowed = await list({ search: "order 2", status: "routed", start_date: START + 3 * DAY, limit: 1 })
    expect(narrowed).toMatchObject({
      totalRegistries: everything.filter(
        ({ status, pharmacy_order_name }) => status === "routed" && pharmacy_order_name?.startsWith("Order 2")
      ).length
    })
  })
})

describe("the statement", () => {
  const statement = (own: LayeredPharmacy, query = {}) =>
    own.run(
      Effect.flatMap(PayoutList, (payouts) => payouts.statement(own.pharmacy_uid, payoutQuery(query))).pipe(
        Effect.flatMap((parts) => Stream.mkString(statementCsv(parts)))
      )
    )

  test("holds every row of the filter, whatever the page, and a total for each status", async () => {
    const lines = (await statement(world, { limit: 1, page: 7 })).split("\r\n")
    expect(lines[0]).toBe(
      "status,amount,currency,component_type,routing_description,provider_route_id,pharmacy_order_uid,pharmacy_order_name,pharmacy_order_created_at,routing_created_at"
    )
    expect(lines.at(-1)).toBe("")
    const rows = lines.slice(1, -3)
    expect(rows).toHaveLength(everything.length)
    expect(rows[0]?.split(",")[6]).toBe(everything[0]?.pharmacy_order_uid ?? "")
    const total = (status: string) =>
      everything.filter((row) => row.status === status).reduce((sum, { amount }) => sum + amount, 0)
    expect(lines.slice(-3, -1)).toEqual([
      `total projected,${total("projected")},EUR,,,,,,,`,
      `total routed,${total("routed")},EUR,,,,,,,`
    ])
    expect(await statement(world, { status: "routed" })).toEndWith(`\r\ntotal routed,${total("routed")},EUR,,,,,,,\r\n`)
  })

  /** The keys of the rows in each part. */
  const rows = (own: LayeredPharmacy, query: Parameters<typeof payoutQuery>[0], size: number) =>
    Effect.flatMap(PayoutList, ({ statement }) => statement(own.pharmacy_uid, payoutQuery(query), { size })).pipe(
      Effect.map(
        Stream.mapConcat(({ lines }) =>
          lines
            .split("\r\n")
            .slice(0, -1)
            .map((line) => line.split(","))
            .map((cells) => `${cells[6]} ${cells[3]}`)
        )
      )
    )

  test("is read page by page in every order", async () => {
    for (const order of orders)
      for (const filter of [{}, { status: "routed" }, { search: "order 2", start_date: START }]) {
        const query = { ...filter, ...order }
        const keys = [...(await world.run(Effect.flatMap(rows(world, query, 5), Stream.runCollect)))]
        expect({ query, keys }).toEqual({ query, keys: (await list({ ...query, limit: 500 })).data.map(keyOf) })
      }
  })

  /** Reads a statement row by row, and changes its payouts after so many rows. */
  const readDuring = async (
    own: LayeredPharmacy,
    query: Parameters<typeof payoutQuery>[0],
    after: number,
    change: Effect.Effect<unknown, unknown, Services>
  ) => {
    const read = Effect.gen(function* () {
      const some = yield* rows(own, query, 1)
      const seen: Array<string> = []
      yield* Stream.runForEach(some, (key) => Effect.when(change, () => seen.push(key) === after))
      return seen
    })
    const all = (await own.payouts({ limit: 500 })).data
    expect((await own.run(read)).toSorted()).toEqual(all.map(keyOf).toSorted())
  }

  test("contains a payout once if it is routed while the statement is read", async () => {
    for (const { sort_direction } of orders.slice(0, 2)) {
      const own = await layeredPharmacy(layers.current)
      const [first = "", second = "", third = ""] = (await own.ordersWith([{}, {}, {}])).toSorted()
      await routeAt(own, second, START)
      const now = Math.floor(Date.now() / 1000)
      const routed = Effect.promise(() => Promise.all([first, third].map((uid) => routeAt(own, uid, now))))
      await readDuring(own, { sort_by: "routing_created_at", sort_direction }, 1, routed)
    }
  })

  test("contains a payout once if its price changes while the statement is read", async () => {
    for (const { sort_direction } of orders.slice(0, 2)) {
      const own = await layeredPharmacy(layers.current)
      await own.ordersWith([1, 2, 3].map((n) => ({ shipping_price: 0, lines: [own.line(own.skus.drops, n)] })))
      // the first in the requested order becomes the last, and vice versa
      const everyAmount = `UPDATE payouts SET updated_at = now(), amount = (SELECT min(amount) + max(amount) FROM payouts
        WHERE pharmacy_uid = $1) - amount WHERE pharmacy_uid = $1`
      const turned = Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(everyAmount, [own.pharmacy_uid]))
      await readDuring(own, { sort_by: "amount", sort_direction }, 2, turned)
    }
  })

  // Shows: a tenant that exhausts the database connections
  test("holds no connection while its reader is stalled", async () => {
    const waiting = Effect.gen(function* () {
      const { databasePoolSize } = yield* Settings
      for (let i = 0; i <= databasePoolSize; i += 1) {
        const pull = yield* Effect.flatMap(rows(world, {}, 5), Stream.toPull)
        expect((yield* pull).length).toBeGreaterThan(0)
      }
    })
    await world.run(Effect.scoped(waiting))
  })

  test("quotes special characters and escapes formulas", async () => {
    const own = await layeredPharmacy(layers.current)
    const names = {
      '=1+1, "x"': `"'=1+1, ""x"""`,
      "a=1": "a=1",
      "+49": "'+49",
      "a\\b": "a\\b",
      "Ü; 'x'": "Ü; 'x'",
      "@x": "'@x"
    }
    await own.ordersWith(Object.keys(names).map((name) => ({ name })))
    const text = await statement(own)
    for (const cell of Object.values(names)) expect(text).toContain(`,${cell},`)
  })

  test("with more rows than it may have is refused before it begins; Rule 10.5.13", async () => {
    const read = (most: number) =>
      Effect.flatMap(PayoutList, (payouts) => payouts.statement(world.pharmacy_uid, payoutQuery(), { most }))
    const { length } = everything
    expect(await world.run(Effect.isSuccess(read(length)))).toBeTrue()
    expect(await world.run(Effect.flip(read(length - 1)))).toMatchObject({
      _tag: "Invalid",
      faults: [{ field: "start_date", message: expect.stringContaining(`the statement has ${length} rows`) }]
    })
  })

  test("without payouts is only a header", async () => {
    expect((await statement(await layeredPharmacy(layers.current))).split("\r\n")).toHaveLength(2)
  })
})
