/** The demo world at the addresses that the README, the banner and the tour name. */
import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { demo } from "../../../src/capabilities/shared/services/demo.ts"
import { acrossTenants } from "../../../src/services/tenancy/Tenancy.ts"
import { arrived, eventually } from "../../support/eventually.ts"
import { testServer } from "../../support/server.ts"

const server = testServer({ PROVISION_FILE: "" })

const { practice } = demo
const key = practice.managementKey
const listed = async (path: string, as: string = key) => {
  const { status, body } = await server.current.api("GET", path, { key: as })
  expect(status).toBe(200)
  return body.data
}

test("the demo shop has types to book, and /demo leads to a page with free times", async () => {
  const types = await server.current.api("GET", `/v1/scheduling/appointment-types?shop_uid=${demo.shop}`)
  expect(types).toMatchObject({ status: 200 })
  expect(types.body.data.map(({ uid }: { uid: string }) => uid)).toContain(demo.consultation)
  for (const path of ["/demo", "/demo/practice", "/demo/appointment"]) {
    const link = await server.current.api("GET", path)
    expect(link.status).toBe(303)
    const page = await fetch(link.headers.get("location") ?? "")
    expect(page.status).toBe(200)
    expect(await page.text()).toMatch(/Demo-Praxis|Praxis am Stadtgarten/)
  }
})

test("every act of the demo practice was done: nothing is missing in it", async () => {
  const now = Math.floor(Date.now() / 1000)
  const calendar = "/v1/management/scheduling/appointments?limit=200"
  const around = await listed(`${calendar}&from=${now - 3600}&to=${now + 3600}&doctor_uid=${practice.doctor}`)
  expect(around.find(({ uid }: { uid: string }) => uid === practice.appointment)).toMatchObject({ status: "confirmed" })
  const course = await listed(`${calendar}&from=${now}&appointment_type_uid=aty_kurs`)
  expect(
    course.filter(({ meeting_type }: { meeting_type: string }) => meeting_type === "REVIEW").length
  ).toBeGreaterThan(5)
  expect((await listed("/v1/management/scheduling/recalls")).length).toBe(3)
  expect((await listed("/v1/management/scheduling/waitlist-entries")).length).toBe(4)
  const ofPharmacy = () => listed("/v1/external_pharmacy_api/pharmacy_orders?limit=100", practice.pharmacyKey)
  const orders = await eventually(
    ofPharmacy,
    (all) => all.filter((order: { prescription_file: unknown }) => order.prescription_file !== null).length === 2
  )
  expect(new Set(orders.map(({ status }) => status)).size).toBe(8)
})

test("mails are sent and one fails, a prescription is rendered, and the payouts of the pharmacy without an account are parked", async () => {
  const messages = await eventually(
    () => listed("/v1/management/messages?limit=100"),
    (all) => new Set(all.map(({ status }) => status)).has("failed")
  )
  expect(messages.filter(({ status }) => status === "sent").length).toBeGreaterThan(5)
  await eventually(
    () => server.current.api("GET", "/v1/management/prescriptions/prx_garten_1", { key }),
    ({ body }) => body.rendered === true
  )
  const parked = Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`SELECT component_type FROM payouts WHERE pharmacy_uid = ${practice.pharmacies[1]} AND routing = 'parked'`
  )
  await arrived(() => server.current.run(acrossTenants(parked)), 3)
})
