/** The demo world's prescription runs through its whole life cycle with the demo's keys. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { demoWorld } from "../../src/layers/demo/world.ts"
import { demo } from "../../src/services/provisioning/demo.ts"
import { Provisioning } from "../../src/services/provisioning/Provisioning.ts"
import { eventually } from "../support/eventually.ts"
import { ownServer } from "../support/server.ts"

const server = ownServer()

test("a prescription is rendered, signed, dispatched, completed and paid for with the demo's keys", async () => {
  const { api, run } = server.current
  await run(Effect.flatMap(Provisioning, ({ apply }) => apply(demoWorld())))
  const key = demo.managementKey
  const prescription = "/v1/management/prescriptions/prx_demo_waiting"
  expect((await api("POST", `${prescription}/render`, { key })).status).toBe(202)
  await eventually(
    () => api("GET", prescription, { key }),
    ({ body }) => body.rendered
  )
  expect((await api("POST", `${prescription}/external-sign`, { key })).status).toBe(200)
  expect((await api("GET", prescription, { key })).body.status).toBe("dispatched")
  const order = "/v1/external_pharmacy_api/pharmacy_orders/pho_demo"
  for (const status of ["accepted", "in_preparation", "shipped"])
    expect((await api("PATCH", `${order}/status`, { key: demo.pharmacyKey, body: { status } })).status).toBe(200)
  expect((await api("PATCH", `${order}/complete_order`, { key: demo.pharmacyKey })).status).toBe(200)
  expect((await api("GET", prescription, { key })).body.status).toBe("completed")
  const { body } = await eventually(
    () => api("GET", "/v1/external_pharmacy_api/payouts?status=routed", { key: demo.pharmacyKey }),
    (answer) => answer.body.totalRegistries === 3
  )
  expect(body.data.map((row: { component_type: string }) => row.component_type).sort()).toEqual([
    "item_markup",
    "item_rest",
    "shipping"
  ])
})
