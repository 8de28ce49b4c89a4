import { describe, expect, test } from "bun:test"
import { eventually } from "../support/eventually.ts"
import { testServer } from "../support/server.ts"
import { random } from "../support/world.ts"
import { makePharmacy } from "./pharmacyWorld.ts"

const server = testServer()

test("completing an order routes its payouts with the embedded provider", async () => {
  const { call, order } = await makePharmacy(server.current)
  const uid = await order({ status: "shipped" })
  await call("PATCH", `/pharmacy_orders/${uid}/complete_order`)
  const { body } = await eventually(
    () => call("GET", `/payouts?status=routed&search=${uid}`),
    (answer) => answer.body.totalRegistries > 0
  )
  const { provider_route_id, routing_description } = body.data[0]
  expect(body.data).toMatchObject([{ amount: 900, component_type: "item_rest", status: "routed" }])
  expect([provider_route_id, routing_description]).toEqual([
    expect.stringMatching(/^crt_/),
    expect.stringContaining(uid)
  ])
  expect((await call("GET", `/payouts?search=${provider_route_id}`)).body.totalRegistries).toBe(1)
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
  test("a fault rejects the file, with its path", async () => {
    const { provision } = await makePharmacy(server.current)
    const key = { key: "k".repeat(40), name: "k", permissions: [] }
    const unit = { standard_selling_unit: 1, unit: "g", selling_price: 1 }
    const pharmacies = [{ uid: "pha_x", name: "X" }]
    const carried = { uid: "psk_x", pharmacy_uid: "pha_x", external_id: "x", price: 1, stock: 1 }
    for (const [path, file] of Object.entries({
      "pharmacies[0].group_uid": { pharmacies: [{ uid: "pha_x", name: "X", group_uid: "grp_unknown" }] },
      "pharmacies[0].payout_terms.commission_bps": {
        pharmacies: [{ uid: "p", name: "X", payout_terms: { commission_bps: 10_001 } }]
      },
      "pharmacies[0].hidden_sku_types[0]": { pharmacies: [{ uid: "p", name: "X", hidden_sku_types: ["liquid"] }] },
      "api_keys[0].pharmacy_uid": { api_keys: [{ ...key, pharmacy_uid: "pha_unknown" }] },
      "api_keys[0].pharmacy_group_uid": { api_keys: [{ ...key, pharmacy_group_uid: "grp_unknown" }] },
      "skus[0].product_uid": { skus: [{ uid: "sku_x", product_uid: "pro_unknown", display_name: "X", ...unit }] },
      "pharmacy_skus[0].sku_uid": { pharmacies, pharmacy_skus: [{ ...carried, sku_uid: "sku_unknown" }] },
      "pharmacy_skus[0].colour": { pharmacy_skus: [{ colour: "red" }] }
    }))
      expect(await provision(file).then(() => "accepted", String)).toContain(path)
  })

  test("a SKU keeps its pharmacy, and a shop's default pharmacy must exist", async () => {
    const mine = await makePharmacy(server.current)
    const other = await makePharmacy(server.current)
    const stolen = { uid: other.skus.drops.uid, pharmacy_uid: mine.pharmacy_uid, sku_uid: mine.skus.gel.sku }
    const takeover = mine.provision({ pharmacy_skus: [{ ...stolen, external_id: "x", price: 1, stock: 1 }] })
    await expect(takeover).rejects.toThrow("pharmacy_skus[0].uid")
    const shop = { uid: random("shop"), shop_identifier: random("i"), organisation_uid: mine.organisation_uid }
    const lost = mine.provision({ shops: [{ ...shop, default_pharmacy_uid: "pha_unknown" }] })
    await expect(lost).rejects.toThrow("shops[0].default_pharmacy_uid")
    await mine.provision({ shops: [{ ...shop, default_pharmacy_uid: mine.pharmacy_uid }] })
  })
})
