/** The operator's backlog with real rows: shown and retried. Rules 8.5.5, 8.5.6, 8.5.7 and 8.5.10. */
import { expect, test } from "bun:test"
import { consoleTexts } from "../../../src/capabilities/console/texts/catalogue.ts"
import { NO_ACCOUNT, NOT_COVERED } from "../../../src/services/pharmacy/PayoutProjector.ts"
import { makeShop } from "../../checkout/support/shop.ts"
import { makePharmacy } from "../../pharmacy/pharmacyWorld.ts"
import { asOperator } from "../../support/console.ts"
import { eventually } from "../../support/eventually.ts"
import { testServer } from "../../support/server.ts"
import { makeWorld, random } from "../../support/world.ts"

const server = testServer()
const BACKLOG = "/console/operator/backlog"

const enter = async () => {
  const browser = await asOperator(server.current)
  const page = async () => (await browser.ask(BACKLOG)).text
  const overview = async () => (await browser.ask("/console/operator")).text
  const press = (operation: string, fields: Readonly<Record<string, string>> = {}) =>
    browser.send(operation, { "@back": BACKLOG, ...fields })
  return { page, press, overview }
}

test("parked payouts of an order are shown with reason and total, and routed by one press; Rule 8.5.6", async () => {
  const { page, press, overview } = await enter()
  const world = await makePharmacy(server.current, { terms: { payment_account: null } })
  const name = `#${random("order")}`
  const uid = await world.order({ name, status: "shipped", payment_id: "tr_x1" })
  expect((await world.call("PATCH", `/pharmacy_orders/${uid}/complete_order`)).status).toBe(200)
  const text = await page()
  const own = text.slice(text.indexOf(name))
  // in the page's words, and counted as it is listed: an order has several payouts
  expect(own.slice(0, 400)).toContain("The pharmacy has no payment account")
  expect(Object.keys(consoleTexts("de").operator.parkedReasons)).toEqual([NO_ACCOUNT, NOT_COVERED])
  expect(own).toContain(`value="${uid}"`)
  const [, counted] = /Parked payouts<\/a><span class="figure">(\d+)/.exec(await overview()) ?? []
  expect(Number(counted)).toBe(text.split("/v1/operator/parked-payouts/resume").length - 1)
  // the cause is fixed in the database; a change by the API would resume automatically
  await server.current
    .sql`UPDATE pharmacies SET payment_account = 'org_late' WHERE pharmacy_uid = ${world.pharmacy_uid}`
  const fields = { pharmacy_uid: world.pharmacy_uid, pharmacy_order_uid: uid }
  expect((await press("POST /v1/operator/parked-payouts/resume", fields)).status).toBe(303)
  const routed = await eventually(
    () => world.call("GET", `/payouts?search=${uid}&sort_by=amount`),
    ({ body }) => body.data.every(({ status }) => status === "routed")
  )
  expect(routed.body.data.length).toBeGreaterThan(0)
  expect(await page()).not.toContain(uid)
})

test("a waiting order is shown with its reason, and created once the cause is resolved; Rule 8.5.7", async () => {
  const { page, press } = await enter()
  const shop = await makeShop(server.current, { default_pharmacy: false })
  // no pharmacy that the shop may use carries anything
  const empty = await makePharmacy(server.current)
  const update = (body: object) =>
    server.current.api("PATCH", `/v1/management/shops/${shop.shop_uid}`, { key: shop.key, body })
  expect((await update({ pharmacy_uids: [empty.pharmacy_uid] })).status).toBe(200)
  const order = shop.order()
  await shop.sendWebhook("orders/paid", order)
  expect(await shop.waiting()).toMatchObject([{ reason: "no_pharmacy" }])
  const text = await page()
  const own = text.slice(text.indexOf(shop.shop_identifier))
  expect(own).toContain(order.name)
  expect(own.slice(0, 800)).toContain("No pharmacy carries every article")
  // only an operator grants a shop another pharmacy
  await server.current.sql`UPDATE shops SET pharmacy_uids = NULL WHERE uid = ${shop.shop_uid}`
  expect((await press("POST /v1/operator/waiting-orders/retry")).status).toBe(303)
  expect(await shop.pharmacyOrders()).toHaveLength(1)
  expect(await page()).not.toContain(shop.shop_identifier)
})

test("failed deliveries of a subscription are sent again by one press; Rules 8.5.5 and 8.5.10", async () => {
  const { page, press } = await enter()
  const world = await makeWorld(server.current)
  const received: Array<string> = []
  const receiver = Bun.serve({
    port: 0,
    fetch: (request) => {
      received.push(request.headers.get("webhook-id") ?? "")
      return new Response(null, { status: 200 })
    }
  })
  try {
    const path = "/v1/management/notification-subscriptions"
    const sendRequest = async (method: string, end: string, body?: object) =>
      (await world.api(method, path + end, body)).body
    const url = `http://127.0.0.1:${receiver.port}/hook`
    const { uid } = await sendRequest("POST", "", { notification_type: "REBOOKED", url })
    const { uid: delivery } = await sendRequest("POST", `/${uid}/test`)
    const delivered = () =>
      eventually(
        () => sendRequest("GET", `/${uid}/deliveries`),
        ({ data }) => data[0]?.status === "delivered"
      )
    await delivered()
    await server.current
      .sql`UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL WHERE uid = ${delivery}`
    const text = await page()
    expect(text).toContain(url)
    const operation = (subscription: string) => `POST /v1/operator/webhooks/${subscription}/replay`
    expect(text.slice(text.indexOf(url))).toContain(operation(uid))
    const owner = { owner_uid: world.organisation_uid }
    const sent = await press(operation(uid), owner)
    expect([sent.status, sent.location.startsWith(`${BACKLOG}?done=`)]).toEqual([303, true])
    await delivered()
    expect([received.length, new Set(received).size]).toEqual([2, 1])
    expect(await page()).not.toContain(url)
    expect((await press(operation("sub_other"), owner)).status).toBe(404)
    await sendRequest("PATCH", `/${uid}`, { active: false })
    expect((await press(operation(uid), owner)).status).toBe(409)
  } finally {
    await receiver.stop(true)
  }
})
