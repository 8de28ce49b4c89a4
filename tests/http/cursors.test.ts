/** Every paginated list can be followed by its cursors during concurrent inserts. Rules 2.5.7 and 2.5.8. */
import { beforeAll, describe, expect, test } from "bun:test"
import { isLong } from "../support/scale.ts"
import { testServer } from "../support/server.ts"
import { inDays, random } from "../support/world.ts"
import { keyKind, type Operation, operations } from "./matrix/operations.ts"
import { pathFor } from "./matrix/samples.ts"
import { kindsOf, makeTenant, type Tenant } from "./matrix/tenant.ts"

const server = testServer({ ROLE: "http" })
let tenant: Tenant

const lists = operations.filter(({ parameters }) => parameters.some(({ name }) => name === "page"))

beforeAll(async () => {
  tenant = await makeTenant(server.current)
  const { world, named } = tenant
  const { organisation_uid, shop_uid } = world
  const two = [0, 1]
  const skus = two.map((at) => ({ uid: random("sku"), product_uid: random("pro"), at }))
  await world.provision({
    doctors: two.map((at) => ({ uid: random("doc"), organisation_uid, display_name: `Dr. ${at} Ünal` })),
    patients: two.map((at) => ({
      uid: random("pat"),
      organisation_uid,
      shop_uid,
      shop_customer_id: `other-${at}`,
      profile: {}
    })),
    shops: two.map(() => ({ uid: random("shop"), shop_identifier: random("shop"), organisation_uid })),
    availability_date_overrides: [
      ...two.map((at) => ({
        doctor_uid: named.doctor_uid,
        date: inDays(20),
        start_time: 60 + at * 200,
        end_time: 200 + at * 200
      })),
      { doctor_uid: named.doctor_uid, date: inDays(21), day_off: true }
    ].map((one) => ({ uid: random("ovr"), ...one })),
    products: skus.map(({ product_uid, at }) => ({
      uid: product_uid,
      display_name: `Remedy ${at}`,
      handle: product_uid
    })),
    skus: skus.map(({ uid, product_uid }) => ({
      uid,
      product_uid,
      display_name: "Drops",
      standard_selling_unit: 1,
      unit: "ml",
      selling_price: 900
    })),
    pharmacy_skus: skus.map(({ uid, at }) => ({
      uid: random("psk"),
      pharmacy_uid: named.pharmacy_uid,
      sku_uid: uid,
      external_id: `e${at}`,
      price: 500,
      stock: 5
    })),
    pharmacy_orders: two.map((at) => ({
      uid: random("ord"),
      name: `#${at}`,
      pharmacy_uid: named.pharmacy_uid,
      shop_uid,
      lines: [{ sku_uid: named.sku_uid, quantity: 1, unit_price: 900 }]
    }))
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
    const { status, body } = await server.current.api("GET", `${path}?${query}`, as)
    return { status, body }
  }
}

const made = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

test("such lists exist", () => expect(lists.length).toBeGreaterThanOrEqual(13))

describe.each(lists)("$id", (operation) => {
  test("followed entry by entry, its cursors give the whole list", async () => {
    const read = await reader(operation)
    const whole = await read("limit=200")
    expect(whole).toMatchObject({ status: 200, body: { next: null } })
    const followed: Array<unknown> = []
    for (let query = "limit=1"; query !== ""; ) {
      const { body } = await read(query)
      expect(body.totalRegistries).toBe(whole.body.totalRegistries)
      followed.push(...body.data)
      query = body.next === null ? "" : `limit=1&after=${encodeURIComponent(body.next)}`
    }
    expect(followed).toEqual(whole.body.data)
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
