import { describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import type { PharmacyOrderUid } from "../../src/schemas/ids.ts"
import { OrderQuery, StatusChange } from "../../src/schemas/pharmacy/PharmacyOrder.ts"
import { isVoid, PharmacyOrderStatus } from "../../src/schemas/pharmacy/PharmacyOrderStates.ts"
import { type IncomingOrder, Orders } from "../../src/services/pharmacy/Orders.ts"
import type { ShopState } from "../../src/services/pharmacy/shopChanges.ts"
import { asLogin, onlyOwner } from "../../src/services/tenancy/Tenancy.ts"
import { present } from "../support/body.ts"
import { citusNodes } from "../support/citus.ts"
import { sized } from "../support/scale.ts"
import { type Services, testLayers } from "../support/server.ts"
import { recording } from "../support/statements.ts"
import { transaction } from "../support/transaction.ts"
import { random } from "../support/world.ts"
import { asked, eventsIn, type LayeredPharmacy, layeredPharmacy } from "./pharmacyWorld.ts"
import { cancelled, shopState } from "./shopStates.ts"

const layers = testLayers()

const incoming = (world: LayeredPharmacy, over: Partial<IncomingOrder> = {}): IncomingOrder => ({
  pharmacy_uid: world.pharmacy_uid,
  name: "#1001",
  paid: false,
  organisation_uid: world.organisation_uid,
  shop_uid: world.shop_uid,
  prescription_uid: null,
  payment_id: null,
  order_id: random("order"),
  shipping_price: 490,
  paid_amount: 5_440,
  refunded_amount: 0,
  patient: { first_name: "Pia", last_name: "Patient", date_of_birth: 641_520_000, gender: "female" },
  shipping_address: { street: "Weg 1", city: "Berlin", zip: "10115" },
  lines: [
    { sku_uid: world.skus.drops.sku, quantity: 2, total_price: 2_400 },
    { sku_uid: world.skus.gel.sku, quantity: 1, total_price: 2_550 }
  ],
  ...over
})
const stockOf = async ({ pharmacy_uid, skus }: LayeredPharmacy) => {
  const rows = await layers.current.sql<{ uid: string; stock: number }>`
    SELECT uid, stock FROM pharmacy_skus WHERE pharmacy_uid = ${pharmacy_uid}`
  const of = (uid: string) => rows.find((row) => row.uid === uid)?.stock
  return { drops: of(skus.drops.uid), gel: of(skus.gel.uid), consult: of(skus.consult.uid) }
}
/** Sets an order's status as a request does. */
const setStatus = (world: LayeredPharmacy, uid: PharmacyOrderUid, body: typeof StatusChange.Encoded) =>
  world.orders((orders, own) => orders.changeStatus(own, uid, Schema.decodeSync(StatusChange)(body)))
const create = (world: LayeredPharmacy, over?: Partial<IncomingOrder>) =>
  world.orders((orders) => orders.create(incoming(world, over)))
const follow = (world: LayeredPharmacy, uid: PharmacyOrderUid, state: ShopState) =>
  world.orders((orders, own) => orders.follow(own, uid, state))
const orderOf = (world: LayeredPharmacy, uid: PharmacyOrderUid) => world.orders((orders, own) => orders.get(own, uid))
const orderQuery = asked(OrderQuery)
const listed = (world: LayeredPharmacy, query?: Parameters<typeof orderQuery>[0]) =>
  world.orders((orders, own) => orders.list(own, orderQuery(query)))
const untouched = { drops: 10, gel: 10, consult: 10 }
const taken = { drops: 8, gel: 9, consult: 10 }

describe("reading orders", () => {
  test("an order has every field", async () => {
    const world = await layeredPharmacy(layers.current)
    const made = await create(world)
    const line = ({ sku, uid }: { readonly sku: string; readonly uid: string }, sold: object) => ({
      uid: expect.any(String),
      sku_uid: sku,
      pharmacy_sku_uid: uid,
      external_id: `ext-${uid}`,
      pzn: "01234567",
      product_display_name: "Remedy",
      ...sold
    })
    expect(await orderOf(world, made.uid)).toEqual({
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
        line(world.skus.drops, { display_name: "Drops", quantity: 2, unit_price: 1_200, total_price: 2_400 }),
        line(world.skus.gel, { display_name: "Gel", quantity: 1, unit_price: 2_550, total_price: 2_550 })
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
    const world = await layeredPharmacy(layers.current)
    const other = await layeredPharmacy(layers.current)
    const uid = await world.order({ lines: [other.line(other.skus.drops)] })
    const { lines } = await orderOf(world, uid)
    expect(lines[0]).toMatchObject({ pharmacy_sku_uid: null, external_id: null, display_name: "Drops" })
  })

  test("lists newest first, filtered, searched and paged", async () => {
    const world = await layeredPharmacy(layers.current)
    const uids = await world.ordersWith(
      [0, 1, 2, 3, 4].map((i) => ({
        created_at: 1_700_000_000 + i,
        name: i === 2 ? "100% Ümlaut_3" : `#${i}`,
        status: i < 3 ? "new" : "shipped"
      }))
    )
    const newest = uids.toReversed()
    for (const [query, found] of [
      [{}, newest],
      [{ limit: 2, page: 1 }, newest.slice(2, 4)],
      [{ status: "shipped" }, newest.slice(0, 2)],
      [{ start_date: 1_700_000_001, end_date: 1_700_000_003 }, newest.slice(1, 4)],
      [{ search: "0% üml" }, uids.slice(2, 3)],
      [{ search: "%%" }, []],
      [{ search: uids[4] ?? "" }, uids.slice(4)]
    ] as const)
      expect([query, (await listed(world, query)).data.map(({ uid }) => uid)]).toEqual([query, [...found]])
    expect(await listed(world, { limit: 2, page: 1 })).toMatchObject({ totalRegistries: 5, totalPages: 3 })
    for (const bad of [{ status: "unknown" }, { limit: 0 }, { search: "a\0" }]) expect(() => orderQuery(bad)).toThrow()
  })

  test("are searched by index, however many the pharmacy has", async () => {
    const { pharmacy_uid, organisation_uid, shop_uid } = await layeredPharmacy(layers.current)
    const query = { page: 0, limit: 50, search: "#19999" }
    const found = await layers.current.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO pharmacy_orders (pharmacy_uid, uid, name, status, paid, organisation_uid, shop_uid,
            shipping_price, currency, takes_stock, created_at, updated_at)
          SELECT ${pharmacy_uid}, 'pho_' || md5(i::text), '#' || i, 'new', false, ${organisation_uid}, ${shop_uid}, 0,
            'EUR', true, to_timestamp(i), to_timestamp(i) FROM generate_series(1, 20000) i
          ON CONFLICT DO NOTHING` // never conflicts; without the clause Citus uses COPY, which row-level security rejects
        yield* asLogin(sql`ANALYZE pharmacy_orders`)
        const { totalRegistries } = yield* Effect.flatMap(Orders, ({ list }) => list(pharmacy_uid, query)).pipe(
          onlyOwner({ pharmacy_uid })
        )
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
    const world = await layeredPharmacy(layers.current)
    await world.order({ name: "#aa1" })
    const searched = async (list: (query: { readonly search: string }) => Promise<unknown>, search: string) => {
      const { statements } = await recording(() => list({ search }), layers.current.databaseUrl)
      const roles = statements.filter(({ text }) => text.includes("LIKE")).map(({ role }) => role)
      return [search, ...new Set(roles)]
    }
    for (const list of [(query: { readonly search: string }) => listed(world, query), world.payouts]) {
      for (const search of ["a", "aa", "##", "a-"]) expect(await searched(list, search)).toEqual([search, "service"])
      for (const search of ["aa1", "#a", "aa-"]) expect(await searched(list, search)).toEqual([search, "search"])
    }
  })
})

describe("an order's steps", () => {
  const statuses = PharmacyOrderStatus.literals
  const none: ReadonlyArray<PharmacyOrderStatus> = []
  const steps: Readonly<Record<PharmacyOrderStatus, ReadonlyArray<PharmacyOrderStatus>>> = {
    new: ["accepted", "rejected", "cancelled"],
    accepted: ["in_preparation", "cancelled"],
    in_preparation: ["ready_for_pickup", "shipped", "cancelled"],
    ready_for_pickup: ["cancelled"],
    shipped: ["cancelled"],
    completed: none,
    rejected: none,
    cancelled: none
  }
  const completable: ReadonlyArray<PharmacyOrderStatus> = ["in_preparation", "ready_for_pickup", "shipped"]

  test("every status → every status, and complete_order, paid and unpaid; without a step there is no event", async () => {
    const world = await layeredPharmacy(layers.current)
    const cases = statuses.flatMap((from) => [
      ...statuses.map((to) => ({ from, to, complete: false, paid: true })),
      ...[true, false].map((paid) => ({ from, to: "completed" as const, complete: true, paid }))
    ])
    const uids = await world.ordersWith(cases.map(({ from, paid }) => ({ status: from, paid })))
    const refusals = await world.orders((orders, own) =>
      Effect.forEach(cases, ({ complete, to }, at) => {
        const uid = present(uids[at])
        const step: Effect.Effect<unknown, { readonly _tag: string }, Services> = complete
          ? orders.complete(own, uid)
          : orders.changeStatus(own, uid, { status: to })
        return Effect.match(step, { onSuccess: () => null, onFailure: ({ _tag }) => _tag })
      })
    )
    const { data } = await listed(world, { limit: 500 })
    const stepped = (await eventsIn(layers.current, world.pharmacy_uid)).map(({ subject }) => subject)
    expect(
      cases.map((one, at) => ({
        ...one,
        refusal: refusals[at],
        now: data.find(({ uid }) => uid === uids[at])?.status,
        events: stepped.filter((uid) => uid === uids[at]).length
      }))
    ).toEqual(
      cases.map(({ from, to, complete, paid }) => {
        const isAllowed = (complete ? completable : steps[from]).includes(complete ? from : to)
        const refused = from === to ? null : !isAllowed ? "StatusNotAllowed" : paid ? null : "OrderNotPaid"
        const [now, events] = isAllowed && paid ? [to, 1] : [from, 0]
        return { from, to, complete, paid, refusal: to === "completed" && !complete ? "Invalid" : refused, now, events }
      })
    )
  })

  test("omitted tracking is kept; a reason belongs to the status that it came with", async () => {
    const world = await layeredPharmacy(layers.current)
    const uid = await world.order({ status: "accepted" })
    const tracking = { carrier: "DHL", number: "00340434" }
    for (const [change, shown] of [
      [
        { status: "in_preparation", reason: "had to order it" },
        { tracking: null, status_reason: "had to order it" }
      ],
      [
        { status: "shipped", tracking },
        { tracking, status_reason: null }
      ],
      [
        { status: "cancelled", reason: "  lost  " },
        { tracking, status_reason: "lost" }
      ]
    ] as const)
      expect(await setStatus(world, uid, change)).toMatchObject({ status: change.status, ...shown })
    for (const bad of [{}, { status: "gone" }, { status: "accepted", tracking: { carrier: "DHL" } }, { status: 1 }])
      expect(Schema.decodeUnknownOption(StatusChange)(bad)).toEqual(Option.none())
  })

  test("a completed order has no reason of an earlier status; a payment changes neither status nor reason", async () => {
    const world = await layeredPharmacy(layers.current)
    const uid = await world.order({ status: "accepted", paid: false })
    const reason = "had to order it"
    await setStatus(world, uid, { status: "in_preparation", reason })
    const paid = await follow(world, uid, shopState({ paid: true }))
    expect(paid.status_reason).toBe(reason)
    expect(await world.orders((orders, own) => orders.complete(own, uid))).toMatchObject({
      status: "completed",
      status_reason: null
    })
  })
})

describe("an order from a shop", () => {
  test("takes stock once it is paid, and returns it when it is rejected or cancelled", async () => {
    for (const end of ["rejected", "cancelled"] as const) {
      const world = await layeredPharmacy(layers.current)
      const { uid } = await create(world)
      expect(await stockOf(world)).toEqual(untouched)
      for (const _ of [1, 2]) {
        expect((await follow(world, uid, shopState({ paid: true, payment_id: "tr_abc" }))).paid).toBe(true)
        expect(await stockOf(world)).toEqual(taken)
      }
      await setStatus(world, uid, { status: end })
      expect(await stockOf(world)).toEqual(untouched)
      const types = (await eventsIn(layers.current, world.pharmacy_uid)).map(({ type }) => type)
      const updated = "pharmacy_order.status_updated"
      expect(types).toEqual(["pharmacy_order.created", updated, updated])
    }
  })

  test("may be paid from the start, or after it was cancelled", async () => {
    const world = await layeredPharmacy(layers.current)
    const first = await create(world, { paid: true })
    expect(first.paid).toBe(true)
    expect(await stockOf(world)).toEqual(taken)
    const second = await create(world)
    const ended = await follow(world, second.uid, cancelled("customer"))
    expect(ended).toMatchObject({ status: "cancelled", status_reason: "customer" })
    await follow(world, second.uid, shopState({ paid: true }))
    expect(await stockOf(world)).toEqual(taken)
  })

  test("counts a discounted line exactly, and rounds the price of a unit; Rule 10.5.5", async () => {
    const world = await layeredPharmacy(layers.current, { terms: { commission_bps: 0, markup_share_bps: 10_000 } })
    const sold = { sku_uid: world.skus.drops.sku, quantity: 3, total_price: 3_200 }
    const { lines } = await create(world, { paid: true, shipping_price: 0, lines: [sold] })
    expect(lines).toMatchObject([{ quantity: 3, unit_price: 1_067, total_price: 3_200 }])
    const { data } = await world.payouts({ sort_by: "amount" })
    expect(data.map(({ amount }) => amount)).toEqual([3_000, 200])
  })

  test("cannot be cancelled by the shop once it is final", async () => {
    const world = await layeredPharmacy(layers.current)
    for (const status of PharmacyOrderStatus.literals) {
      const uid = await world.order({ status })
      const after = await follow(world, uid, cancelled("shop"))
      expect(after.status).toBe(status === "completed" || isVoid(status) ? status : "cancelled")
    }
  })

  test("leaves exact stock, even below zero, with many concurrent orders of the same SKUs", async () => {
    const world = await layeredPharmacy(layers.current)
    const { drops, gel } = world.skus
    const count = sized(14, 40)
    await Promise.all(
      Array.from({ length: count }, (_, i) => {
        const lines = [drops, gel].map(({ sku }) => ({ sku_uid: sku, quantity: 1, total_price: 1 }))
        return create(world, { paid: true, lines: i % 2 === 0 ? lines : lines.toReversed() })
      })
    )
    expect(await stockOf(world)).toEqual({ drops: 10 - count, gel: 10 - count, consult: 10 })
  })
})

describe("a provisioned order", () => {
  test("does not change stock, publishes no event, and keeps its status when provisioned again", async () => {
    const world = await layeredPharmacy(layers.current)
    const uid = await world.order({ status: "in_preparation" })
    expect(await stockOf(world)).toEqual(untouched)
    expect(await eventsIn(layers.current, world.pharmacy_uid)).toEqual([])
    await setStatus(world, uid, { status: "shipped" })
    const { shop_uid, pharmacy_uid } = world
    await world.provision({
      pharmacy_orders: [{ uid, name: "renamed", pharmacy_uid, shop_uid, lines: [world.line(world.skus.gel)] }]
    })
    expect(await orderOf(world, uid)).toMatchObject({
      status: "shipped",
      name: "renamed",
      lines: [{ display_name: "Drops" }]
    })
    await setStatus(world, uid, { status: "cancelled" })
    expect(await stockOf(world)).toEqual(untouched)
  })

  test("with a fault rejects the file", async () => {
    const world = await layeredPharmacy(layers.current)
    for (const [field, over] of Object.entries({
      pharmacy_uid: { pharmacy_uid: "pha_unknown" },
      shop_uid: { shop_uid: "shop_unknown" },
      "lines[0].sku_uid": { lines: [{ sku_uid: "sku_unknown", quantity: 1, unit_price: 1 }] },
      "lines[0].quantity": { lines: [{ sku_uid: "sku_unknown", quantity: 0, unit_price: 1 }] },
      status: { status: "lost" }
    }))
      expect(await world.order(over).then(() => "accepted", String)).toContain(`pharmacy_orders[0].${field}`)
    expect((await listed(world)).totalRegistries).toBe(0)
  })
})
