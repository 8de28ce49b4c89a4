/** The console in a browser: signing in by a press, pages without faults of accessibility, changes that appear by themselves. */
import { expect, test } from "bun:test"
import { accessibilityFaults, testBrowser } from "../support/browser.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, random, type World } from "../support/world.ts"

const server = testServer()
const browser = testBrowser()

/** From the console's address by the development issuer's page into the room. */
const enter = async (world: World, role: RegExp, only: string, options = {}) => {
  const opened = await browser.open(`${server.current.url}/console`, { locale: "en-GB", ...options })
  await opened.page.goto(`${opened.page.url()}&only=${only}`)
  await opened.page.getByRole("button", { name: role }).first().click()
  await opened.page.getByRole("button", { name: "Sign out" }).waitFor()
  expect(world.organisation_uid).toBeTruthy()
  return opened
}

test("the doctor's day on a phone: pages without faults, and a booking that appears by itself; Rule 17.3.1", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const viewport = { width: 360, height: 740 }
  const { page, complaints, close } = await enter(world, /^Doctor/, world.organisation_uid, { viewport })
  await page.getByRole("link", { name: "Week", exact: true }).click()
  await page.getByRole("heading", { name: /Week of/ }).waitFor()
  await page.getByRole("link", { name: "Next", exact: true }).click()
  const start = inDays(8, 9)
  await page.goto(`${server.current.url}/console/doctor/week?week=${new Date(start * 1000).toISOString().slice(0, 10)}`)
  await world.booked(start)
  await page.getByRole("link", { name: /Testa/ }).waitFor()
  await page.getByRole("link", { name: /Testa/ }).click()
  await page.getByRole("textbox").first().fill("Blutdruck im Blick behalten")
  await page.getByRole("button", { name: "Save" }).click()
  await page.getByText("Done.").waitFor()
  for (const path of ["", "/week", "/hours?day=2035-01-08", "/prescriptions"]) {
    await page.goto(`${server.current.url}/console/doctor${path}`)
    expect([path, ...(await accessibilityFaults(page))]).toEqual([path])
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    expect([path, sideways]).toEqual([path, false])
  }
  expect(complaints).toEqual([])
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByText("You are signed out.").waitFor()
  await close()
})

test("the practice moves an appointment by dragging it to a free time, and its pages have no faults", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const start = inDays(8, 9)
  const uid = await world.booked(start)
  const { page, complaints, close } = await enter(world, /^Practice/, world.organisation_uid, {
    viewport: { width: 1400, height: 1000 }
  })
  const week = new Date(start * 1000).toISOString().slice(0, 10)
  await page.goto(`${server.current.url}/console/practice?week=${week}`)
  await page.locator(`[data-move="${uid}"]`).dragTo(page.locator(`[data-drop-start="${start + 1200}"]`))
  await page.getByText("Done.").waitFor()
  const { body } = await server.current.api("GET", "/v1/management/scheduling/appointments", { key: world.key })
  expect(body.data.map((one: { start_date: number }) => one.start_date)).toEqual([start + 1200])
  const pages = [
    "",
    `/appointments/${uid}`,
    "/patients",
    "/absences",
    "/hours",
    `/types?type=${world.type_uid}`,
    "/people",
    "/access",
    "/webhooks"
  ]
  for (const path of pages) {
    await page.goto(`${server.current.url}/console/practice${path}`)
    expect([path, ...(await accessibilityFaults(page))]).toEqual([path])
  }
  expect(complaints).toEqual([])
  await close()
})

test("the pharmacy accepts an order with one press, and its pages have no faults", async () => {
  const world = await makeWorld(server.current)
  const [pharmacy, product, sku, order] = [random("pha"), random("prd"), random("sku"), random("ord")]
  await world.provision({
    pharmacies: [{ uid: pharmacy, name: "Apotheke" }],
    products: [{ uid: product, display_name: "Ibuprofen", handle: product }],
    skus: [
      {
        uid: sku,
        product_uid: product,
        display_name: "Ibuprofen",
        standard_selling_unit: 20,
        unit: "Stück",
        selling_price: 599
      }
    ],
    pharmacy_skus: [
      { uid: random("psk"), pharmacy_uid: pharmacy, sku_uid: sku, external_id: "A1", price: 499, stock: 7 }
    ],
    pharmacy_orders: [
      {
        uid: order,
        name: "#1001",
        pharmacy_uid: pharmacy,
        shop_uid: world.shop_uid,
        lines: [{ sku_uid: sku, quantity: 1, unit_price: 599 }]
      }
    ]
  })
  const { page, complaints, close } = await enter(world, /^Pharmacy/, pharmacy)
  await page.getByRole("button", { name: "Accept: #1001" }).click()
  await page.getByRole("button", { name: "Prepare: #1001" }).waitFor()
  for (const path of ["", `/orders/${order}`, "/stock", "/payouts", "/webhooks"]) {
    await page.goto(`${server.current.url}/console/pharmacy${path}`)
    expect([path, ...(await accessibilityFaults(page))]).toEqual([path])
  }
  expect(complaints).toEqual([])
  await close()
})
