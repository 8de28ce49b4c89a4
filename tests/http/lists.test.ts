/** Every list: by cursors, also during inserts, by number, and by time of change. Rules 2.5.1, 2.5.2 and 2.5.6 to 2.5.8. */
import { beforeAll, describe, expect, test } from "bun:test"
import { Effect } from "effect"
import { longPageOf, type Window } from "../../src/services/database/totals.ts"
import { isLong } from "../support/scale.ts"
import { testServer } from "../support/server.ts"
import { inDays, random } from "../support/world.ts"
import { keyKind, type Operation, operations, resolved } from "./matrix/operations.ts"
import { pathFor } from "./matrix/samples.ts"
import { kindsOf, makeTenant, type Tenant } from "./matrix/tenant.ts"

// without jobs: nothing changes but by requests
const server = testServer({ ROLE: "http" })
let tenant: Tenant

const takes = (parameter: string) => (operation: Operation) =>
  operation.parameters.some(({ name }) => name === parameter)
const lists = operations.filter(takes("page"))
const all = operations.filter(({ method, answer }) => {
  const { data } = answer === undefined ? {} : (resolved(answer).properties ?? {})
  return method === "GET" && data !== undefined
})

beforeAll(async () => {
  tenant = await makeTenant(server.current)
  for (const base of ["/v1/management/notification-subscriptions", "/v1/external_pharmacy_api/webhooks"])
    await tenant.valueOf(base, "delivery_uid")
  const { world, named } = tenant
  const { organisation_uid, shop_uid } = world
  const two = [0, 1]
  const skus = two.map((at) => ({ uid: random("sku"), product_uid: random("pro"), at }))
  const { doctor_uid, resource_uid, pharmacy_uid, sku_uid } = named
  const unit = { display_name: "Drops", standard_selling_unit: 1, unit: "ml", selling_price: 900 }
  const dates = [
    ...two.map((at) => ({ date: inDays(20), start_time: 60 + at * 200, end_time: 200 + at * 200 })),
    { date: inDays(21), day_off: true }
  ]
  const lines = [{ sku_uid, quantity: 1, unit_price: 900 }]
  await world.provision({
    doctors: two.map((at) => ({ uid: random("doc"), organisation_uid, display_name: `Dr. ${at} Ünal` })),
    patients: two.map((at) => {
      const uid = random("pat")
      return { uid, organisation_uid, shop_uid, shop_customer_id: `other-${at}`, profile: {} }
    }),
    shops: two.map(() => ({ uid: random("shop"), shop_identifier: random("shop"), organisation_uid })),
    availability_date_overrides: [{ doctor_uid }, { resource_uid }].flatMap((whose) =>
      dates.map((one) => ({ uid: random("ovr"), ...whose, ...one }))
    ),
    products: skus.map(({ product_uid: uid, at }) => ({ uid, display_name: `Remedy ${at}`, handle: uid })),
    skus: skus.map(({ uid, product_uid }) => ({ uid, product_uid, ...unit })),
    pharmacy_skus: skus.map(({ uid, at }) => {
      const sku = { pharmacy_uid, sku_uid: uid, external_id: `e${at}` }
      return { uid: random("psk"), ...sku, price: 500, stock: 5 }
    }),
    pharmacy_orders: two.map((at) => ({ uid: random("ord"), name: `#${at}`, pharmacy_uid, shop_uid, lines }))
  })
})

const credentialOf = async (operation: Operation) => {
  const [kind] = kindsOf(operation, keyKind(operation))
  return kind === undefined ? {} : tenant.credentials[kind]()
}

const reader = async (operation: Operation) => {
  const as = await credentialOf(operation)
  const path = await pathFor(operation, tenant)
  return async (query: string) => {
    const { status, body } = await server.current.api("GET", `${path}${path.includes("?") ? "&" : "?"}${query}`, as)
    return { status, body }
  }
}

const made = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

test("a page by number skips at most half of the rows, and is the same from either end", () => {
  for (let total = 0; total < 8; total++)
    for (let limit = 1; limit < 4; limit++)
      for (let page = 0; page < 9; page++) {
        const all = Array.from({ length: total }, (_, at) => at)
        const windows: Array<Window> = []
        const read = (window: Window) => {
          windows.push(window)
          const rows = window.reversed ? all.toReversed() : all
          return Effect.succeed(rows.slice(window.offset, window.offset + window.limit))
        }
        const found = Effect.runSync(longPageOf({ page, limit }, read, (row) => [row], Effect.succeed(total)))
        const rows = all.slice(page * limit, (page + 1) * limit)
        const hasMore = rows.length > 0 && (page + 1) * limit < total
        expect(found).toEqual({ rows, total, limit, last: hasMore ? [rows.at(-1) ?? -1] : null })
        for (const { offset } of windows) expect(offset).toBeLessThanOrEqual(total / 2)
      }
})

test("such lists exist", () => expect(lists.length).toBeGreaterThanOrEqual(13))

describe.each(lists)("$id", (operation) => {
  test("read entry by entry, its cursors and its numbers give the whole list", async () => {
    const read = await reader(operation)
    const whole = await read("limit=200")
    expect(whole).toMatchObject({ status: 200, body: { next: null } })
    const { data, totalRegistries } = whole.body
    let cursor = ""
    for (const [at, row] of data.entries()) {
      const byCursor = (await read(`limit=1${cursor}`)).body
      expect(byCursor).toMatchObject({ data: [row], totalRegistries })
      expect((await read(`limit=1&page=${at}`)).body).toEqual(byCursor)
      expect(byCursor.next === null).toBe(at + 1 === data.length)
      cursor = `&after=${encodeURIComponent(byCursor.next)}`
    }
  })

  test("an invented cursor is 400, or leads to a position in the list", async () => {
    const read = await reader(operation)
    for (const after of ["x", "%00", made({}), made([]), made([[]]), "a".repeat(3_000)]) {
      const { status, body } = await read(`after=${after}`)
      expect([status, body.error]).toEqual([400, [expect.stringMatching(/^after: is no cursor of this list/)]])
    }
    const wild = [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, "\0", "\ud800", "x", null, 0]
    const tuples = wild.flatMap((one) => [
      [one],
      [one, "x"],
      ["x", one],
      [one, "x", "shipping"],
      [0, one, "x"],
      [0, 0, one]
    ])
    // in the short run one of six, others for the next list
    const turn = lists.indexOf(operation) % 6
    for (const tuple of tuples.filter((_, at) => isLong || (at + Math.floor(at / 6)) % 6 === turn))
      expect([200, 400]).toContain((await read(`after=${made(tuple)}`)).status)
  })
})

test("entries added and removed between pages shift nothing", async () => {
  const { world } = tenant
  const list = async (after?: string) => {
    const query = new URLSearchParams({ limit: "1", ...(after !== undefined && { after }) })
    return (await world.api("GET", `/v1/management/patients?${query}`)).body
  }
  const make = () => world.api("POST", "/v1/management/patients", { shop_uid: world.shop_uid })
  const before = (await world.api("GET", "/v1/management/patients")).body.data
  const seen: Array<{ readonly uid: string }> = []
  for (let page = await list(); ; page = await list(page.next)) {
    seen.push(...page.data)
    if (page.next === null) break
    await make() // the list is sorted newest first: pages by number would show rows twice
  }
  expect(seen.map(({ uid }) => uid)).toEqual(before.map(({ uid }: { uid: string }) => uid))
})

test("the lists without the filter are logs, totals and short lists of current state", () => {
  const without = all.filter((one) => !takes("updated_after")(one)).map(({ id }) => id.replace("GET /v1/", ""))
  expect(without.toSorted()).toEqual([
    "admin/api-keys",
    "admin/scheduling/booking-token-secrets",
    "admin/scheduling/organisations/{organisation_uid}/booking-token-secrets",
    "doctor/appointments/{appointment_uid}/guests",
    "doctor/appointments/{appointment_uid}/intake",
    "doctor/articles",
    "doctor/calendar-entries",
    "doctor/calendar-providers",
    "doctor/patients",
    "doctor/prescriptions",
    "doctor/requests",
    "doctor/waiting",
    "external_pharmacy_api/events",
    "management/audit-log",
    "management/events",
    "management/holidays",
    "management/messages",
    "management/scheduling/absences/{absence_uid}/appointments",
    "management/scheduling/appointments/{appointment_uid}/guests",
    "management/scheduling/appointments/{appointment_uid}/intake",
    "management/statistics",
    "management/statistics/recalls",
    "management/statistics/resources",
    "operator/audit-log",
    "operator/dead-letters",
    "operator/owners",
    "operator/parked-payouts",
    "operator/queues",
    "operator/waiting-orders",
    "operator/webhooks",
    "requests",
    "scheduling/appointment-types"
  ])
})

test.each(all.filter(takes("updated_after")))(
  "$id returns what has changed since an earlier time, and nothing for a later one",
  async (operation) => {
    const read = await reader(operation)
    const since = async (moment: number) => {
      const { status, body } = await read(`updated_after=${moment}`)
      expect(status).toBe(200)
      const data: ReadonlyArray<{ readonly updated_at: number }> = body.data
      return { data, total: body.totalRegistries ?? 0 }
    }
    const { data } = await since(0)
    expect(data).not.toBeEmpty()
    for (const { updated_at } of data) expect(updated_at).toBeInteger()
    const latest = Math.max(...data.map(({ updated_at }) => updated_at))
    expect((await since(latest - 1)).data).toEqual(data.filter(({ updated_at }) => updated_at === latest))
    expect(await since(latest)).toEqual({ data: [], total: 0 })
  }
)
