import { beforeAll, describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { OrganisationUid, PharmacyOrderUid, PharmacyUid, ShopUid, SkuUid } from "../../src/schemas/ids.ts"
import { isAllowed, isVoid, PharmacyOrderStatus } from "../../src/schemas/pharmacy/PharmacyOrderStates.ts"
import { type IncomingOrder, Orders } from "../../src/services/pharmacy/Orders.ts"
import { asLogin, onlyOwner } from "../../src/services/tenancy/Tenancy.ts"
import { citusNodes } from "../support/citus.ts"
import { eventsOf } from "../support/records.ts"
import { sized } from "../support/scale.ts"
import { type Services, testServer } from "../support/server.ts"
import { recording } from "../support/statements.ts"
import { transaction } from "../support/transaction.ts"
import { random } from "../support/world.ts"
import { eventsIn, makePharmacy, type PharmacyWorld } from "./pharmacyWorld.ts"
import { cancelled, shopState } from "./shopStates.ts"

const server = testServer({ ROLE: "http" })

const incoming = (world: PharmacyWorld, over: Partial<IncomingOrder> = {}): IncomingOrder => ({
  pharmacy_uid: world.pharmacy_uid as PharmacyUid,
  name: "#1001",
  paid: false,
  organisation_uid: world.organisation_uid as OrganisationUid,
  shop_uid: world.shop_uid as ShopUid,
  prescription_uid: null,
  payment_id: null,
  order_id: random("order"),
  shipping_price: 490,
  paid_amount: 5_440,
  refunded_amount: 0,
  patient: { first_name: "Pia", last_name: "Patient", date_of_birth: 641_520_000, gender: "female" },
  shipping_address: { street: "Weg 1", city: "Berlin", zip: "10115" },
  lines: [
    { sku_uid: world.skus.drops.sku as SkuUid, quantity: 2, total_price: 2_400 },
    { sku_uid: world.skus.gel.sku as SkuUid, quantity: 1, total_price: 2_550 }
  ],
  ...over
})
const using = <A, E>(use: (orders: Orders) => Effect.Effect<A, E, Services>) =>
  server.current.run(Effect.flatMap(Orders, use))
const stockOf = async ({ call, skus }: PharmacyWorld) => {
  const { body } = await call("GET", "/pharmacy_skus/")
  const of = (uid: string) => body.data.find((sku) => sku.uid === uid)?.stock
  return { drops: of(skus.drops.uid), gel: of(skus.gel.uid), consult: of(skus.consult.uid) }
}
const untouched = { drops: 10, gel: 10, consult: 10 }
const taken = { drops: 8, gel: 9, consult: 10 }

describe("reading orders", () => {
  test("an order has every field", async () => {
    const world = await makePharmacy(server.current)
    const made = await using((orders) => orders.create(incoming(world)))
    const { status, body } = await world.call("GET", `/pharmacy_orders/${made.uid}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      uid: made.uid,
      name: "#1001",
      paid_amount: 5_440,
      refunded_amount: 0,
      shop_change: null,
      status: "new",
      status_reason: null,
      paid: false,
      prescription_uid: null,
      prescription_file: null,
      shipping_price: 490,
      currency: "EUR",
      lines: [
        {
          uid: expect.any(String),
          sku_uid: world.skus.drops.sku,
          pharmacy_sku_uid: world.skus.drops.uid,
          external_id: `ext-${world.skus.drops.uid}`,
          pzn: "01234567",
          display_name: "Drops",
          product_display_name: "Remedy",
          quantity: 2,
          unit_price: 1_200,
          total_price: 2_400
        },
        {
          uid: expect.any(String),
          sku_uid: world.skus.gel.sku,
          pharmacy_sku_uid: world.skus.gel.uid,
          external_id: `ext-${world.skus.gel.uid}`,
          pzn: "01234567",
          display_name: "Gel",
          product_display_name: "Remedy",
          quantity: 1,
          unit_price: 2_550,
          total_price: 2_550
        }
      ],
      patient: { first_name: "Pia", last_name: "Patient", date_of_birth: 641_520_000, gender: "female" },
      shipping_address: { street: "Weg 1", city: "Berlin", zip: "10115" },
      tracking: null,
      problem: null,
      undo: null,
      parked_payouts: [],
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
      completed_at: null
    })
  })

  test("a line that the pharmacy does not carry is marked as such", async () => {
    const world = await makePharmacy(server.current)
    const other = await makePharmacy(server.current)
    const uid = await world.order({ lines: [other.line(other.skus.drops)] })
    const { body } = await world.call("GET", `/pharmacy_orders/${uid}`)
    expect(body.lines[0]).toMatchObject({ pharmacy_sku_uid: null, external_id: null, display_name: "Drops" })
  })

  test("lists newest first, filtered, searched and paged", async () => {
    const world = await makePharmacy(server.current)
    const uids: Array<string> = []
    for (let i = 0; i < 5; i += 1)
      uids.push(
        await world.order({
          created_at: 1_700_000_000 + i,
          name: i === 2 ? "100% Ümlaut_3" : `#${i}`,
          status: i < 3 ? "new" : "shipped"
        })
      )
    const list = async (query = "") => (await world.call("GET", `/pharmacy_orders/${query}`)).body
    const uidsOf = (body: { data: ReadonlyArray<{ uid: string }> }) => body.data.map(({ uid }) => uid)
    const newest = uids.toReversed()
    expect(uidsOf(await list())).toEqual(newest)
    expect(await list("?limit=2&page=1")).toMatchObject({ totalRegistries: 5, totalPages: 3 })
    expect(uidsOf(await list("?limit=2&page=1"))).toEqual(newest.slice(2, 4))
    expect(uidsOf(await list("?status=shipped"))).toEqual(newest.slice(0, 2))
    expect(uidsOf(await list("?start_date=1700000001&end_date=1700000003"))).toEqual(newest.slice(1, 4))
    expect(uidsOf(await list(`?search=${encodeURIComponent("0% üml")}`))).toEqual([uids[2] ?? ""])
    expect(uidsOf(await list("?search=%25%25"))).toEqual([])
    expect(uidsOf(await list(`?search=${uids[4]}`))).toEqual([uids[4] ?? ""])
    expect((await world.call("GET", "/pharmacy_orders/?status=unknown")).status).toBe(400)
    expect((await world.call("GET", "/pharmacy_orders/?limit=0")).status).toBe(400)
    expect((await world.call("GET", "/pharmacy_orders/?search=a%00")).status).toBe(400)
  })

  test("are searched by index, however many the pharmacy has", async () => {
    const { pharmacy_uid, organisation_uid, shop_uid } = await makePharmacy(server.current)
    const query = { page: 0, limit: 50, search: "#19999" }
    const found = await server.current.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO pharmacy_orders (pharmacy_uid, uid, name, status, paid, organisation_uid, shop_uid,
            shipping_price, currency, takes_stock, created_at, updated_at)
          SELECT ${pharmacy_uid}, 'pho_' || md5(i::text), '#' || i, 'new', false, ${organisation_uid}, ${shop_uid}, 0,
            'EUR', true, to_timestamp(i), to_timestamp(i) FROM generate_series(1, 20000) i
          ON CONFLICT DO NOTHING` // never conflicts; without the clause Citus uses COPY, which row-level security rejects
        yield* asLogin(sql`ANALYZE pharmacy_orders`)
        const { totalRegistries } = yield* Effect.flatMap(Orders, ({ list }) =>
          list(pharmacy_uid as PharmacyUid, query)
        ).pipe(onlyOwner({ pharmacy_uid }))
        const [index] = yield* sql<{ scans: number }>`
          SELECT pg_stat_get_xact_numscans('pharmacy_orders_search'::regclass) AS scans`
        if (citusNodes.length > 0)
          console.log("CITUS_URLS: scans of an index are counted on its node, and not looked at")
        return { totalRegistries, byIndex: citusNodes.length > 0 || (index?.scans ?? 0) > 0 }
      }).pipe(transaction, Effect.orDie)
    )
    expect(found).toEqual({ totalRegistries: 1, byIndex: true })
  })

  test("a text without a trigram is searched for in the pharmacy's own rows, not in an index of all tenants", async () => {
    const world = await makePharmacy(server.current)
    await world.order({ name: "#aa1" })
    const searched = async (list: string, search: string) => {
      const { result, statements } = await recording(
        () => world.call("GET", `/${list}?search=${encodeURIComponent(search)}`),
        server.current.databaseUrl
      )
      const roles = statements.filter(({ text }) => text.includes("LIKE")).map(({ role }) => role)
      return [list, search, result.status, ...new Set(roles)]
    }
    for (const list of ["pharmacy_orders/", "payouts"]) {
      for (const search of ["a", "aa", "##", "a-"])
        expect(await searched(list, search)).toEqual([list, search, 200, "service"])
      for (const search of ["aa1", "#a", "aa-"])
        expect(await searched(list, search)).toEqual([list, search, 200, "search"])
    }
  })
})

describe("an order's steps", () => {
  const statuses = PharmacyOrderStatus.literals
  let world: PharmacyWorld
  beforeAll(async () => {
    world = await makePharmacy(server.current)
  })
  /** The uids of orders with these fields. */
  const ordersOf = async (all: ReadonlyArray<object>) => {
    const { pharmacy_uid, shop_uid, line, skus } = world
    const pharmacy_orders = all.map((over) => {
      const uid = random("pho")
      return { uid, name: uid, pharmacy_uid, shop_uid, lines: [line(skus.drops)], ...over }
    })
    await world.provision({ pharmacy_orders })
    return pharmacy_orders.map(({ uid }) => uid)
  }
  const listed = async () => {
    const { data } = (await world.call("GET", "/pharmacy_orders/?limit=200")).body
    return new Map(data.map((order) => [order.uid, order]))
  }

  test.each([...statuses])("%s → every status", async (from) => {
    const uids = await ordersOf(statuses.map(() => ({ status: from })))
    const before = await listed()
    const answers: Array<Awaited<ReturnType<PharmacyWorld["call"]>>> = []
    for (const [at, to] of statuses.entries())
      answers.push(await world.call("PATCH", `/pharmacy_orders/${uids[at]}/status`, { body: { status: to } }))
    const after = await listed()
    for (const [at, to] of statuses.entries()) {
      const uid = uids[at] ?? ""
      const allowed = isAllowed("set_status", from, to)
      const status = to === "completed" ? 400 : from === to || allowed ? 200 : 409
      expect([to, answers[at]?.status]).toEqual([to, status])
      if (status === 200) expect(answers[at]?.body).toEqual(after.get(uid))
      if (allowed) expect(after.get(uid)?.status).toBe(to)
      else expect(after.get(uid)).toEqual(before.get(uid))
      expect(await eventsOf(server.current, uid)).toHaveLength(allowed ? 1 : 0)
    }
  })

  test("every status, paid and unpaid, by complete_order", async () => {
    const orders = statuses.flatMap((status) => [true, false].map((paid) => ({ status, paid })))
    const uids = await ordersOf(orders)
    const answers: Array<number> = []
    for (const uid of uids) answers.push((await world.call("PATCH", `/pharmacy_orders/${uid}/complete_order`)).status)
    const after = await listed()
    const expected = orders.map(({ status, paid }) => {
      const completes = paid && isAllowed("complete_order", status, "completed")
      return [status, paid, status === "completed" || completes ? 200 : 409, completes ? "completed" : status]
    })
    expect(
      orders.map(({ status, paid }, at) => [status, paid, answers[at], after.get(uids[at] ?? "")?.status])
    ).toEqual(expected)
  })

  test("omitted tracking is kept; a reason belongs to the status that it came with", async () => {
    const world = await makePharmacy(server.current)
    const uid = await world.order({ status: "accepted" })
    const tracking = { carrier: "DHL", number: "00340434" }
    const set = (body: unknown) => world.call("PATCH", `/pharmacy_orders/${uid}/status`, { body })
    expect((await set({ status: "in_preparation", reason: "had to order it" })).body).toMatchObject({
      status_reason: "had to order it"
    })
    expect((await set({ status: "shipped", tracking })).body).toMatchObject({ tracking, status_reason: null })
    const cancelled = await set({ status: "cancelled", reason: "  lost  " })
    expect(cancelled.body).toMatchObject({ tracking, status_reason: "lost", status: "cancelled" })
    for (const bad of [{}, { status: "gone" }, { status: "accepted", tracking: { carrier: "DHL" } }, { status: 1 }])
      expect((await set(bad)).status).toBe(400)
  })

  test("a completed order has no reason of an earlier status; a payment changes neither status nor reason", async () => {
    const world = await makePharmacy(server.current)
    const uid = await world.order({ status: "accepted", paid: false })
    const reason = "had to order it"
    await world.call("PATCH", `/pharmacy_orders/${uid}/status`, { body: { status: "in_preparation", reason } })
    const paid = await using((orders) =>
      orders.follow(world.pharmacy_uid as PharmacyUid, uid as PharmacyOrderUid, shopState({ paid: true }))
    )
    expect(paid.status_reason).toBe(reason)
    expect((await world.call("PATCH", `/pharmacy_orders/${uid}/complete_order`)).body).toMatchObject({
      status: "completed",
      status_reason: null
    })
  })

  test("completing an order twice, or many times concurrently, takes effect once", async () => {
    const world = await makePharmacy(server.current)
    const uid = await world.order({ status: "shipped" })
    const answers = await Promise.all(
      Array.from({ length: sized(10, 50) }, () => world.call("PATCH", `/pharmacy_orders/${uid}/complete_order`))
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ body }) => body.completed_at)).size).toBe(1)
    const events = await eventsIn(server.current, world.pharmacy_uid)
    expect(events.map(({ type }) => type)).toEqual(["pharmacy_order.completed"])
    expect(events[0]).toMatchObject({ subject: uid, data: { order: { uid, status: "completed" } } })
  })
})

describe("an order from a shop", () => {
  test("takes stock once it is paid, and returns it when it is rejected or cancelled", async () => {
    for (const end of ["rejected", "cancelled"] as const) {
      const world = await makePharmacy(server.current)
      const pharmacy = world.pharmacy_uid as PharmacyUid
      const { uid } = await using((orders) => orders.create(incoming(world)))
      expect(await stockOf(world)).toEqual(untouched)
      const paid = await using((orders) =>
        orders.follow(pharmacy, uid, shopState({ paid: true, payment_id: "tr_abc" }))
      )
      expect(paid.paid).toBe(true)
      expect(await stockOf(world)).toEqual(taken)
      await using((orders) => orders.follow(pharmacy, uid, shopState({ paid: true, payment_id: "tr_abc" })))
      expect(await stockOf(world)).toEqual(taken)
      await world.call("PATCH", `/pharmacy_orders/${uid}/status`, { body: { status: end } })
      expect(await stockOf(world)).toEqual(untouched)
      const types = (await eventsIn(server.current, world.pharmacy_uid)).map(({ type }) => type)
      expect(types).toEqual([
        "pharmacy_order.created",
        "pharmacy_order.status_updated",
        "pharmacy_order.status_updated"
      ])
    }
  })

  test("may be paid from the start, or after it was cancelled", async () => {
    const world = await makePharmacy(server.current)
    const pharmacy = world.pharmacy_uid as PharmacyUid
    const first = await using((orders) => orders.create(incoming(world, { paid: true })))
    expect(first.paid).toBe(true)
    expect(await stockOf(world)).toEqual(taken)
    const second = await using((orders) => orders.create(incoming(world)))
    const ended = await using((orders) => orders.follow(pharmacy, second.uid, cancelled("customer")))
    expect(ended).toMatchObject({ status: "cancelled", status_reason: "customer" })
    await using((orders) => orders.follow(pharmacy, second.uid, shopState({ paid: true })))
    expect(await stockOf(world)).toEqual(taken)
  })

  test("cannot be cancelled by the shop once it is final", async () => {
    const world = await makePharmacy(server.current)
    for (const status of PharmacyOrderStatus.literals) {
      const uid = (await world.order({ status })) as PharmacyOrderUid
      const after = await using((orders) => orders.follow(world.pharmacy_uid as PharmacyUid, uid, cancelled("shop")))
      expect(after.status).toBe(status === "completed" || isVoid(status) ? status : "cancelled")
    }
  })

  test("leaves exact stock, even below zero, with many concurrent orders of the same SKUs", async () => {
    const world = await makePharmacy(server.current)
    const { drops, gel } = world.skus
    const count = sized(14, 40)
    await Promise.all(
      Array.from({ length: count }, (_, i) => {
        const lines = [drops, gel].map(({ sku }) => ({ sku_uid: sku as SkuUid, quantity: 1, total_price: 1 }))
        return using((orders) =>
          orders.create(incoming(world, { paid: true, lines: i % 2 === 0 ? lines : lines.toReversed() }))
        )
      })
    )
    expect(await stockOf(world)).toEqual({ drops: 10 - count, gel: 10 - count, consult: 10 })
  })

  test("of an unknown pharmacy is refused", async () => {
    const world = await makePharmacy(server.current)
    const unknown = incoming(world, { pharmacy_uid: "pha_unknown" as PharmacyUid })
    const outcome = await using((orders) => Effect.flip(orders.create(unknown)))
    expect(outcome._tag).toBe("PharmacyNotFound")
  })
})

describe("a provisioned order", () => {
  test("does not change stock, publishes no event, and keeps its status when provisioned again", async () => {
    const world = await makePharmacy(server.current)
    const uid = await world.order({ status: "in_preparation" })
    expect(await stockOf(world)).toEqual(untouched)
    expect(await eventsIn(server.current, world.pharmacy_uid)).toEqual([])
    await world.call("PATCH", `/pharmacy_orders/${uid}/status`, { body: { status: "shipped" } })
    const { shop_uid, pharmacy_uid } = world
    await world.provision({
      pharmacy_orders: [{ uid, name: "renamed", pharmacy_uid, shop_uid, lines: [world.line(world.skus.gel)] }]
    })
    const { body } = await world.call("GET", `/pharmacy_orders/${uid}`)
    expect(body).toMatchObject({ status: "shipped", name: "renamed", lines: [{ display_name: "Drops" }] })
    await world.call("PATCH", `/pharmacy_orders/${uid}/status`, { body: { status: "cancelled" } })
    expect(await stockOf(world)).toEqual(untouched)
  })

  test.each([
    ["pharmacy_uid", { pharmacy_uid: "pha_unknown" }],
    ["shop_uid", { shop_uid: "shop_unknown" }],
    ["lines[0].sku_uid", { lines: [{ sku_uid: "sku_unknown", quantity: 1, unit_price: 1 }] }],
    ["lines[0].quantity", { lines: [{ sku_uid: "sku_unknown", quantity: 0, unit_price: 1 }] }],
    ["status", { status: "lost" }]
  ])("with a wrong %s rejects the file", async (field, over) => {
    const world = await makePharmacy(server.current)
    const refused = await world.order({ name: random("order"), ...over }).then(
      () => undefined,
      (error: Error) => error.message
    )
    expect(refused).toContain(`pharmacy_orders[0].${field}`)
    expect((await world.call("GET", "/pharmacy_orders/")).body.totalRegistries).toBe(0)
  })
})
