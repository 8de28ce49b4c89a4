/** Rules 17.4.1 to 17.4.5: the pharmacy's orders, stock and payouts in the console. */
import { describe, expect, test } from "bun:test"
import { makePharmacy, type PharmacyWorld } from "../../../pharmacy/pharmacyWorld.ts"
import { asPharmacy } from "../../../support/console.ts"
import { testServer } from "../../../support/server.ts"
import { DAY } from "../../../support/world.ts"

const server = testServer()
const enter = ({ pharmacy_uid }: PharmacyWorld) => asPharmacy(server.current, pharmacy_uid)
const namesIn = (html: string) => [...html.matchAll(/orders\/[^"]+">(#\d+)</g)].map(([, name]) => name)

/** So many new orders, one a minute; the first is the oldest. */
const withOrders = async (count: number) => {
  const world = await makePharmacy(server.current)
  const now = await server.current.now()
  for (let i = 1; i <= count; i++) await world.order({ name: `#${i}`, created_at: now - 3 * DAY + i * 60 })
  return { world, browser: await enter(world) }
}

describe("orders", () => {
  test("every one is reached: the board has the oldest, the list all of them, page by page", async () => {
    const { browser } = await withOrders(30)
    const board = (await browser.ask("/console/pharmacy")).text
    expect(namesIn(board)[0]).toBe("#1")
    expect(namesIn(board)).toHaveLength(20)
    expect(board).toContain("for 2 days")
    expect(board).toContain("/console/pharmacy?status=new&amp;list=1")
    const first = namesIn((await browser.ask("/console/pharmacy?status=new&list=1")).text)
    const second = namesIn((await browser.ask("/console/pharmacy?status=new&list=1&page=1")).text)
    expect([first[0], first.length, second.length, second.at(-1)]).toEqual(["#30", 25, 5, "#1"])
  })

  test("are found by name, status and day, the rejected ones, too", async () => {
    const { world, browser } = await withOrders(3)
    const rejected = await world.order({ name: "#77" })
    await world.call("PATCH", `/pharmacy_orders/${rejected}/status`, { body: { status: "rejected", reason: "gone" } })
    const found = async (query: string) => namesIn((await browser.ask(`/console/pharmacy?list=1&${query}`)).text)
    expect(await found("search=%2377")).toEqual(["#77"])
    expect(await found("status=rejected")).toEqual(["#77"])
    const day = new Date((await server.current.now()) * 1_000).toISOString().slice(0, 10)
    expect(await found(`from=${day}`)).toEqual(["#77"])
    expect(await found("from=2001-01-01&to=2001-01-02")).toEqual([])
    expect(await found("from=nonsense&status=unknown&search=%232")).toEqual(["#2"])
  })

  test("that end or leave are asked about by name; shipping needs a tracking number, which can be corrected", async () => {
    const world = await makePharmacy(server.current)
    const uid = await world.order({ name: "#5", status: "in_preparation" })
    const browser = await enter(world)
    const page = `/console/pharmacy/orders/${uid}`
    expect((await browser.ask("/console/pharmacy")).text).not.toContain('name="status" value="shipped"')
    const before = (await browser.ask(page)).text
    expect(before).toContain("Cancel order #5? This cannot be undone.")
    expect(before).toMatch(/<p>(€[\d.]+ were paid\.|Nothing was paid yet)/)
    expect(before).toMatch(/name="tracking.number"[^>]*required/)
    await world.call("PATCH", `/pharmacy_orders/${uid}/status`, { body: { status: "shipped" } })
    const tracking = { carrier: "DHL", number: "JJD1" }
    const set = (body: object) => world.call("PATCH", `/pharmacy_orders/${uid}/tracking`, { body })
    expect(await set(tracking)).toMatchObject({ status: 200, body: { status: "shipped", tracking } })
    expect(await set({ ...tracking, number: "JJD2" })).toMatchObject({ body: { tracking: { number: "JJD2" } } })
    expect((await browser.ask(page)).text).toContain('value="JJD2"')
    expect((await set({ carrier: "DHL" })).status).toBe(400)
    const other = await world.order({ status: "accepted" })
    expect(await world.call("PATCH", `/pharmacy_orders/${other}/tracking`, { body: tracking })).toMatchObject({
      status: 409,
      body: { code: "order_not_shipped" }
    })
  })
})

describe("payouts", () => {
  test("of a month have sums, and a file with amounts and days as the page's language writes them", async () => {
    const world = await makePharmacy(server.current)
    await world.order({ name: "=1+1", created_at: Date.UTC(2026, 4, 31, 22, 30) / 1_000 }) // June in Berlin
    await world.order({ name: "#2", created_at: Date.UTC(2026, 4, 20) / 1_000 })
    const browser = await enter(world)
    const june = (await browser.ask("/console/pharmacy/payouts?month=2026-06")).text
    expect(june).toContain("Sums of the month")
    expect(june).toContain("=1+1")
    expect(june).not.toContain("#2")
    // an order is one row, and counted once
    expect(june.split("=1+1").length - 1).toBe(1)
    expect(june).toContain("(1 order)")
    const file = async (query: string) =>
      (await browser.ask(`/console/pharmacy/payouts.csv?month=2026-06${query}`)).text
    const english = await file("")
    expect(english).toStartWith("Order,Ordered on,Part,Status,")
    expect(english).toContain("'=1+1,2026-06-01,")
    await browser.ask("/console/pharmacy?lang=de")
    const german = await file("")
    expect(german).toContain("'=1+1;01.06.2026;")
    expect(german).toMatch(/;"\d+,\d\d";EUR\r\n/)
  })
})
