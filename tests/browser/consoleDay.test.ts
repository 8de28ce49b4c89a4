/**
 * A day's work in the browser, one test a role: signing in at a real OpenID provider (oidc-provider), the work, signing out.
 * Counts the clicks of what is done most often; docs/console.md has the same counts.
 */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import type { Locator, Page } from "playwright-core"
import { accessibilityFaults, testBrowser } from "../support/browser.ts"
import { oidcProvider } from "../support/oidcProvider.ts"
import { freePort } from "../support/ports.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { makeWorld, random, type World } from "../support/world.ts"

const browser = testBrowser()
const people = new Map<string, Record<string, unknown>>()
let provider: Awaited<ReturnType<typeof oidcProvider>>
let server: TestServer

beforeAll(async () => {
  const port = freePort()
  provider = await oidcProvider("ES256", { url: `http://127.0.0.1:${port}`, people })
  server = await startServer({
    PORT: String(port),
    SANDBOX: "true",
    OIDC_ISSUER: provider.issuer,
    OIDC_AUDIENCE: "https://sprechstunde.example",
    OIDC_CLIENT_ID: "console"
  })
})
afterAll(async () => {
  await server.stop()
  await provider.stop()
})

/** Where CONSOLE_SCREENSHOTS names a folder, pictures of the pages for people to look at. */
const picture = async (page: Page, name: string) => {
  const folder = process.env.CONSOLE_SCREENSHOTS
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

/** Clicks by action, as they were counted. */
const counted = new Map<string, number>()

const desk = (page: Page) => {
  let clicks = 0
  const press = async (locator: Locator) => {
    clicks += 1
    await locator.click()
  }
  const action = async (name: string, work: () => Promise<void>) => {
    clicks = 0
    await work()
    counted.set(name, clicks)
  }
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" })
  const link = (name: string | RegExp) => page.getByRole("link", { name, exact: typeof name === "string" })
  const done = () => page.getByText("Done.").waitFor()
  const faultless = async (name: string) => {
    expect([name, ...(await accessibilityFaults(page))]).toEqual([name])
    await picture(page, name)
  }
  const at = (path: string) => page.goto(`${server.url}/console/${path}`)
  return { press, action, button, link, done, faultless, at }
}

/** Through the provider's own pages into the room. */
const signIn = async (claims: Record<string, unknown>, options = {}) => {
  const login = random("user")
  people.set(login, claims)
  const opened = await browser.open(`${server.url}/console`, { locale: "en-GB", ...options })
  const { page } = opened
  await page.locator("[name=login]").fill(login)
  await page.locator("[name=password]").fill("any")
  await page.locator("[type=submit]").click()
  await page.locator("[name=prompt][value=consent]").waitFor({ state: "attached" })
  await page.locator("[type=submit]").click()
  await page.getByRole("button", { name: "Sign out" }).waitFor()
  // the provider's own pages ask for fonts of others
  const before = opened.complaints.length
  return { ...opened, ...desk(page), complaintsHere: () => opened.complaints.slice(before) }
}

/** Out of the console and of the provider. */
const signOut = async (page: Page) => {
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.waitForURL(({ href }) => href.startsWith(`${provider.issuer}/session/end`))
  await page.locator("[name=logout]").click()
  await page.getByText("You are signed out.").waitFor()
  await page.goto(`${server.url}/console`)
  expect(page.url()).toStartWith(provider.issuer)
}

/** Moves the focus on with the Tab key until it is on this. */
const reach = async (page: Page, name: string) => {
  for (let presses = 0; presses < 60; presses++) {
    const label = await page.evaluate(
      () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent?.trim() ?? ""
    )
    if (label.startsWith(name)) return
    await page.keyboard.press("Tab")
  }
  throw new Error(`the Tab key does not lead to ${name}`)
}

const nowOf = async (world: World) =>
  (await server.api("GET", "/v1/sandbox/clock", { key: world.key })).body.now as number

test("the doctor's day on a phone, the end of a call by keyboard alone", async () => {
  const world = await makeWorld(server, { doctors: 1 })
  const start = Math.ceil((await nowOf(world)) / 1200) * 1200 + 1200
  await world.booked(start, "first")
  await server.api("POST", "/v1/sandbox/clock", { key: world.key, body: { now: start + 60 } })
  const viewport = { width: 360, height: 740 }
  const room = await signIn(
    { roles: ["doctor"], organisation_uid: world.organisation_uid, doctor_uid: world.doctor },
    { viewport }
  )
  const { page, press, action, button, link, done, faultless, at } = room
  await button(/^Start the call: Testa/).waitFor()
  await faultless("doctor-today")
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await action("Join the call", async () => {
    await press(button(/^Start the call: Testa/))
    await page.waitForURL(/\/meeting\//)
  })
  await at("doctor")
  await action("Patient card with a note", async () => {
    await press(link(/Testa/).first())
    await page.getByRole("textbox").first().fill("Blutdruck im Blick behalten")
    await press(button("Save").first())
    await done()
  })
  await faultless("doctor-patient")
  await at("doctor")
  await reach(page, "Took place: Testa")
  await page.keyboard.press("Enter")
  await done()
  await action("Take a day off", async () => {
    await at("doctor/hours")
    await page.getByLabel("Day", { exact: true }).fill("2035-01-08")
    await press(button(/^Preview/))
    await faultless("doctor-hours")
    await press(button("Add the day off"))
    await done()
  })
  expect(room.complaintsHere()).toEqual([])
  await signOut(page)
  await room.close()
}, 240_000)

test("the practice answers the phone, moves and cancels, and looks back", async () => {
  const world = await makeWorld(server, { doctors: 1, organisation: { messages: ["confirmation"] } })
  const base = Math.ceil((await nowOf(world)) / 1200) * 1200
  const uid = await world.booked(base + 7200, "erika")
  await world.booked(base + 9600, "max")
  const room = await signIn(
    { roles: ["admin"], organisation_uid: world.organisation_uid, name: "Empfang" },
    { viewport: { width: 1150, height: 900 } }
  )
  const { page, press, action, button, link, done, faultless, at } = room
  await faultless("practice-calendar")
  const list = async () =>
    (await server.api("GET", "/v1/management/scheduling/appointments", { key: world.key })).body.data
  await at(`practice/appointments/${uid}`)
  await action("Move an appointment", async () => {
    await press(button(/^Move to/).nth(4))
    await done()
  })
  await at("practice/patients")
  await action("Book by telephone", async () => {
    await press(link(/Testa/).first())
    await press(button(/^Book:/).first())
    await done()
  })
  const [latest] = (await list()).toReversed()
  await at(`practice/appointments/${latest.uid}`)
  await action("Cancel with a reason", async () => {
    await page.getByLabel("Reason").fill("The doctor is ill")
    await press(button("Cancel"))
    await done()
  })
  await at(`practice/types?type=${world.type_uid}`)
  await action("Add a reminder", async () => {
    await press(button("Add"))
    await done()
  })
  await press(link("What the mail looks like"))
  await page.getByRole("heading", { name: "What the mail looks like" }).waitFor()
  await faultless("practice-reminder")
  await action("See the statistics", async () => {
    await press(link("Statistics"))
    await page.getByRole("img", { name: "By week" }).waitFor()
  })
  await faultless("practice-statistics")
  for (const path of ["messages", "branding", "absences?from=2035-01-08&until=2035-01-09", `hours?day=2035-01-08`]) {
    await at(`practice/${path}`)
    await faultless(`practice-${path.split("?")[0]}`)
  }
  expect(room.complaintsHere()).toEqual([])
  await signOut(page)
  await room.close()
}, 240_000)

const pharmacyOf = async (world: World) => {
  const ids = { pharmacy: random("pha"), product: random("prd"), sku: random("sku"), order: random("ord") }
  const { pharmacy: pharmacy_uid, product: product_uid, sku: sku_uid } = ids
  const sku = { standard_selling_unit: 20, unit: "Stück", selling_price: 599 }
  const stocked = { uid: random("psk"), pharmacy_uid, sku_uid, external_id: "A1", price: 499, stock: 7 }
  const lines = [{ sku_uid, quantity: 1, unit_price: 599 }]
  await world.provision({
    pharmacies: [{ uid: pharmacy_uid, name: "Apotheke am Markt" }],
    products: [{ uid: product_uid, display_name: "Ibuprofen", handle: product_uid }],
    skus: [{ uid: sku_uid, product_uid, display_name: "Ibuprofen", ...sku }],
    pharmacy_skus: [stocked],
    pharmacy_orders: [{ uid: ids.order, name: "#1001", pharmacy_uid, shop_uid: world.shop_uid, lines }]
  })
  return ids
}

test("the pharmacy takes an order from acceptance to the parcel, and mends its stock", async () => {
  const world = await makeWorld(server)
  const ids = await pharmacyOf(world)
  const room = await signIn({ roles: ["pharmacy"], pharmacy_uid: ids.pharmacy })
  const { page, press, action, button, done, faultless, at } = room
  await page.getByText("Apotheke am Markt").waitFor()
  await faultless("pharmacy-orders")
  await action("Accept an order", async () => {
    await press(button("Accept: #1001"))
    await button("Prepare: #1001").waitFor()
  })
  await press(button("Prepare: #1001"))
  await done()
  await at(`pharmacy/orders/${ids.order}`)
  await faultless("pharmacy-order")
  await action("Ship with a tracking code", async () => {
    await page.locator('[name="tracking.number"]').fill("JJD1")
    await press(page.locator("form:has([name='tracking.number']) button"))
    await done()
  })
  await at("pharmacy/stock")
  await action("Change a price", async () => {
    await page.locator('[name="price@euro"]').first().fill("5,25")
    await press(button(/^Save: Ibuprofen/))
    await done()
  })
  await faultless("pharmacy-stock")
  await page.locator('[name="rows"]').fill("A1;12;6,10")
  await press(button("Show the changes"))
  await faultless("pharmacy-import")
  await press(button(/^Apply/))
  await done()
  expect(room.complaintsHere()).toEqual([])
  await signOut(page)
  await room.close()
}, 240_000)

test("the operator sees that all is well, and applies a file after its differences", async () => {
  const room = await signIn({ roles: ["operator"] })
  const { page, press, button, link, done, faultless } = room
  await page.getByRole("heading", { name: "Overview" }).waitFor()
  await faultless("operator-overview")
  for (const name of ["Jobs", "Backlog", "Audit log"]) {
    await press(link(name))
    await page.getByRole("heading", { name, level: 1 }).waitFor()
    await faultless(`operator-${name.toLowerCase().replace(" ", "-")}`)
  }
  await press(link("Provisioning"))
  const file = { organisations: [{ uid: random("org"), name: "Praxis am Park", timezone: "Europe/Berlin" }] }
  await page.getByRole("textbox", { name: /Provisioning file/ }).fill(JSON.stringify(file))
  await press(button("Show the differences"))
  await page.getByRole("heading", { name: "Differences" }).waitFor()
  await faultless("operator-provisioning")
  await press(button("Apply 1 entry"))
  await done()
  expect(room.complaintsHere()).toEqual([])
  await signOut(page)
  await room.close()
}, 240_000)

test("the counts of clicks are those of docs/console.md, and none is above two", () => {
  const rows = readFileSync("docs/console.md", "utf8").matchAll(/^\| ([^|]+?) +\| +(\d+) +\|/gm)
  const documented = Object.fromEntries([...rows].map(([, name = "", clicks]) => [name, Number(clicks)]))
  expect(documented).toEqual(Object.fromEntries(counted))
  expect([...counted.values()].filter((clicks) => clicks > 2)).toEqual([])
})
