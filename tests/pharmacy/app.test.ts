import { afterAll, describe, expect, test } from "bun:test"
import { demoWorld } from "../../src/layers/demo/world.ts"
import { eventually } from "../support/eventually.ts"
import { startServer, testServer } from "../support/server.ts"
import { random } from "../support/world.ts"
import { mollieStandIn } from "./mollieStandIn.ts"
import { makePharmacy, type PharmacyWorld } from "./pharmacyWorld.ts"

const server = testServer()
const mollie = mollieStandIn()
afterAll(() => mollie.stop())

const routed = ({ call }: PharmacyWorld, uid: string) =>
  eventually(
    () => call("GET", `/payouts?status=routed&search=${uid}`),
    ({ body }) => body.totalRegistries > 0
  )

describe("with its workers running", () => {
  test("completing an order routes its payouts with the embedded provider", async () => {
    const world = await makePharmacy(server.current)
    const uid = await world.order({ status: "shipped" })
    await world.call("PATCH", `/pharmacy_orders/${uid}/complete_order`)
    const { body } = await routed(world, uid)
    expect(body.data).toMatchObject([{ amount: 900, component_type: "item_rest", status: "routed" }])
    expect(body.data[0].provider_route_id).toMatch(/^crt_/)
    expect(body.data[0].routing_description).toContain(uid)
    const found = await world.call("GET", `/payouts?search=${body.data[0].provider_route_id}`)
    expect(found.body.totalRegistries).toBe(1)
  })

  test("MOLLIE_API_KEY routes payouts through Mollie", async () => {
    const own = await startServer({ MOLLIE_API_KEY: "test_key", MOLLIE_API_ENDPOINT: mollie.apiEndpoint })
    try {
      const world = await makePharmacy(own)
      const payment_id = random("tr").replace("tr_", "tr_x")
      mollie.pay(payment_id, 1_000)
      const uid = await world.order({ status: "shipped", payment_id })
      await world.call("PATCH", `/pharmacy_orders/${uid}/complete_order`)
      const { body } = await routed(world, uid)
      expect(body.data[0].provider_route_id).toBe(mollie.routes(payment_id)[0]?.id)
    } finally {
      await own.stop()
    }
  })
})

describe("through its API", () => {
  test("a refused step has its status and code", async () => {
    const world = await makePharmacy(server.current)
    const uid = await world.order({ paid: false })
    const patch = async (path: string, body?: object) => {
      const answer = await world.call("PATCH", `/pharmacy_orders/${uid}/${path}`, { body })
      return [answer.status, answer.body.code]
    }
    expect(await patch("status", { status: "shipped" })).toEqual([409, "status_not_allowed"])
    expect(await patch("status", { status: "completed" })).toEqual([400, "invalid_request"])
    expect(await patch("undo")).toEqual([409, "nothing_to_undo"])
    expect(await patch("complete_order")).toEqual([409, "status_not_allowed"])
    for (const status of ["accepted", "in_preparation"])
      expect(await patch("status", { status })).toEqual([200, undefined])
    expect(await patch("complete_order")).toEqual([409, "order_not_paid"])
  })

  test("payouts are sent as CSV if Accept prefers it; otherwise as JSON", async () => {
    const world = await makePharmacy(server.current)
    await world.order()
    for (const accept of ["text/csv", "text/csv, */*;q=0.1", "application/json, text/csv", "*/*, text/csv;q=0.1"]) {
      const { headers, text } = await world.call("GET", "/payouts", { headers: { accept } })
      const [type, start] = accept.startsWith("text") ? ["text/csv", "status,"] : ["application/json", "{"]
      expect(headers.get("content-type")).toStartWith(type)
      expect(text).toStartWith(start)
    }
  })
})

describe("provisioning pharmacies", () => {
  test("the same file twice changes nothing", async () => {
    const { provision } = await makePharmacy(server.current)
    const demo = demoWorld()
    await provision(demo)
    const look = () =>
      Promise.all(
        ["/pharmacy_skus/", "/pharmacy_orders/", "/payouts"].map((path) =>
          server.current.api("GET", `/v1/external_pharmacy_api${path}`, {
            key: "spr_demo_pharmacy_key_000000000000000000000000"
          })
        )
      ).then((answers) => answers.map(({ body }) => body))
    const before = await look()
    expect(before.map(({ totalRegistries }) => totalRegistries > 0)).toEqual([true, true, true])
    await provision(demo)
    expect(await look()).toEqual(before)
  })

  test.each([
    ["pharmacies[0].group_uid", { pharmacies: [{ uid: "pha_x", name: "X", group_uid: "grp_unknown" }] }],
    [
      "pharmacies[0].payout_terms.commission_bps",
      { pharmacies: [{ uid: "p", name: "X", payout_terms: { commission_bps: 10_001 } }] }
    ],
    ["pharmacies[0].hidden_sku_types[0]", { pharmacies: [{ uid: "p", name: "X", hidden_sku_types: ["liquid"] }] }],
    [
      "api_keys[0].pharmacy_uid",
      { api_keys: [{ key: "k".repeat(40), name: "k", permissions: [], pharmacy_uid: "pha_unknown" }] }
    ],
    [
      "api_keys[0].pharmacy_group_uid",
      { api_keys: [{ key: "k".repeat(40), name: "k", permissions: [], pharmacy_group_uid: "grp_unknown" }] }
    ],
    [
      "skus[0].product_uid",
      {
        skus: [
          {
            uid: "sku_x",
            product_uid: "pro_unknown",
            display_name: "X",
            standard_selling_unit: 1,
            unit: "g",
            selling_price: 1
          }
        ]
      }
    ],
    [
      "pharmacy_skus[0].sku_uid",
      {
        pharmacies: [{ uid: "pha_x", name: "X" }],
        pharmacy_skus: [
          { uid: "psk_x", pharmacy_uid: "pha_x", sku_uid: "sku_unknown", external_id: "x", price: 1, stock: 1 }
        ]
      }
    ],
    ["pharmacy_skus[0].colour", { pharmacy_skus: [{ colour: "red" }] }]
  ])("a fault at %s rejects the file", async (path, file) => {
    const { provision } = await makePharmacy(server.current)
    const message = await provision(file).then(
      () => "",
      (error: Error) => error.message
    )
    expect(message).toContain(path)
  })

  test("a SKU keeps its pharmacy, and a shop's default pharmacy must exist", async () => {
    const mine = await makePharmacy(server.current)
    const other = await makePharmacy(server.current)
    const stolen = { uid: other.skus.drops.uid, pharmacy_uid: mine.pharmacy_uid, sku_uid: mine.skus.gel.sku }
    const takeover = mine.provision({ pharmacy_skus: [{ ...stolen, external_id: "x", price: 1, stock: 1 }] })
    expect(takeover).rejects.toThrow("pharmacy_skus[0].uid")
    const shop = { uid: random("shop"), shop_identifier: random("i"), organisation_uid: mine.organisation_uid }
    const lost = mine.provision({ shops: [{ ...shop, default_pharmacy_uid: "pha_unknown" }] })
    expect(lost).rejects.toThrow("shops[0].default_pharmacy_uid")
    await mine.provision({ shops: [{ ...shop, default_pharmacy_uid: mine.pharmacy_uid }] })
  })
})
