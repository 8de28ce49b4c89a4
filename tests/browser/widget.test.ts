import { afterAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { accessibilityFaults, testBrowser } from "../support/browser.ts"
import { eventually } from "../support/eventually.ts"
import { isLong, someOf } from "../support/scale.ts"
import { startServer, testServer } from "../support/server.ts"
import { inDays, makeWorld, type WorldOptions } from "../support/world.ts"

const server = testServer()
const browser = testBrowser()

/** A partner's site on another origin, with pages defined by the test. */
const pages = new Map<string, { readonly html: string; readonly headers: Readonly<Record<string, string>> }>()
const partner = Bun.serve({
  port: 0,
  hostname: "localhost",
  fetch: ({ url }) => {
    const page = pages.get(new URL(url).pathname)
    return page === undefined
      ? new Response(null, { status: 204 })
      : new Response(page.html, { headers: { "content-type": "text/html", ...page.headers } })
  }
})
afterAll(() => partner.stop(true))
const origin = partner.url.origin

const RECORDER = `<script>
  window.heard = []
  for (const type of ["ready", "resize", "slot_selected", "hold_created", "confirmed", "expired", "error"])
    addEventListener("sprechstunde:" + type, (event) => heard.push(event.detail), true)
</script>`

const publish = (body: string, headers: Readonly<Record<string, string>> = {}) => {
  const path = `/${crypto.randomUUID()}`
  const html = `<!doctype html><html lang="de"><head><title>Partner</title>${RECORDER}</head><body><main><h1>Partner</h1>${body}</main></body></html>`
  pages.set(path, { html, headers })
  return origin + path
}

const script = (code: string, target = "#here") =>
  `<script src="${server.current.url}/meet/booking-widget.js" data-launch-code="${code}" data-target="${target}"
     data-base-url="${server.current.url}/meet"></script>`

const widgetEvents = (page: Page): Promise<ReadonlyArray<{ type: string; [fact: string]: unknown }>> =>
  page.evaluate(() => Reflect.get(window, "heard"))
const hears = (page: Page, type: string) =>
  eventually(
    () => widgetEvents(page),
    (all) => all.some((one) => one.type === type)
  )

const embeddable = (options: WorldOptions = {}) =>
  makeWorld(server.current, { ...options, organisation: { embed_origins: [origin] } })
const sessionOf = (world: Awaited<ReturnType<typeof makeWorld>>, customer = "w", body = {}) =>
  world.session(customer, { from: inDays(1), to: inDays(4), ...body })

const expireSessions = (world: Awaited<ReturnType<typeof makeWorld>>) =>
  server.current
    .sql`UPDATE booking_sessions SET expires_at = to_timestamp(0) WHERE organisation_uid = ${world.organisation_uid}`

describe("the widget", () => {
  test("books inside a page of another origin, sends it each event once, and ignores messages of other windows", async () => {
    const world = await embeddable()
    const code = await sessionOf(world, "w", { return_url: "https://shop.example/thanks" })
    const address = publish(`<div id="here"></div>${script(code)}`)
    const { page, complaints } = await browser.open(address)
    const frame = page.frameLocator("iframe")
    await frame.getByRole("heading", { name: "Wann passt es Ihnen?" }).waitFor()
    await hears(page, "ready")
    await page.evaluate(() => postMessage({ source: "sprechstunde", type: "confirmed" }, "*"))
    const height = () => page.locator("iframe").evaluate((element) => element.getBoundingClientRect().height)
    const tall = await eventually(height, (now) => now > 900)
    await frame.getByRole("button", { name: "Diesen Termin wählen" }).click()
    await frame.getByRole("heading", { name: "Noch ein Schritt" }).waitFor()
    await eventually(height, (now) => now < tall)
    await frame.getByRole("button", { name: "Anderen Termin wählen" }).click()
    await frame.getByRole("link", { name: "Weiter mit diesem Termin" }).click()
    await frame.getByLabel("Worum geht es?").fill("Geheim")
    expect((await widgetEvents(page)).map(({ type }) => type)).not.toContain("confirmed")
    await frame.getByRole("button", { name: "Termin verbindlich buchen" }).click()
    await frame.getByRole("heading", { name: "Ihr Termin steht" }).waitFor()
    // in the frame it would get no camera
    expect(await frame.locator("ol.what-next a").first().getAttribute("target")).toBe("_blank")
    const all = await hears(page, "confirmed")
    const told = all.filter(({ type }) => type !== "resize")
    expect(told.map(({ type }) => type)).toEqual(["ready", "slot_selected", "hold_created", "confirmed"])
    for (const event of told.slice(1)) expect(event).toMatchObject({ start_date: inDays(1) })
    expect(JSON.stringify(all)).not.toContain("Geheim")
    const back = frame.getByRole("link", { name: "Weiter zu shop.example" })
    expect(await back.getAttribute("target")).toBe("_top")
    expect(await accessibilityFaults(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test("can be embedded several times on a page, and leaves nothing behind when destroyed", async () => {
    const world = await embeddable()
    const [one, two] = [await sessionOf(world, "one"), await sessionOf(world, "two")]
    const address = publish(`<div id="a"></div><div id="b"></div>${script(one, "#a")}${script(two, "#b")}`)
    const { page } = await browser.open(address)
    await page.frameLocator("#a iframe").getByRole("heading", { level: 1 }).waitFor()
    await page.frameLocator("#b iframe").getByRole("heading", { level: 1 }).waitFor()
    await page.evaluate(() => Reflect.get(document.scripts[1] ?? {}, "widget").destroy())
    expect(await page.locator("#a iframe").count()).toBe(0)
    expect(await page.locator("#a").evaluate((element) => element.childNodes.length)).toBe(0)
    await page.frameLocator("#b iframe").getByRole("button", { name: "Diesen Termin wählen" }).click()
    await hears(page, "hold_created")
  })

  test("reports an expired hold and a taken time", async () => {
    const world = await embeddable({ doctors: 1, type: { hold_ttl_seconds: 1 } })
    const { page } = await browser.open(publish(`<div id="here"></div>${script(await sessionOf(world))}`))
    const frame = page.frameLocator("iframe")
    await frame.getByRole("button", { name: "Diesen Termin wählen" }).click()
    await hears(page, "expired")
    await world.booked(inDays(1), "rival")
    await frame.getByRole("button", { name: "Termin verbindlich buchen" }).click()
    const all = await hears(page, "error")
    expect(all.find(({ type }) => type === "error")).toMatchObject({ reason: "taken" })
  })

  test.each(
    someOf(
      [
        [390, 844],
        [1440, 900]
      ] as const,
      2
    )
  )(
    "scrolls each new step into view, and reports a booking once, also when the host's page is loaded again, at %d × %d px; Rule 5.6.4",
    async (width, height) => {
      const world = await embeddable()
      const code = await sessionOf(world, "scrolled")
      const { page } = await browser.open(
        publish(`<div style="height:900px"></div><div id="here"></div>${script(code)}`),
        { viewport: { width, height } }
      )
      const frame = page.frameLocator("iframe")
      const top = () => page.locator("iframe").evaluate((element) => element.getBoundingClientRect().top)
      await frame.locator(".times button:visible").last().click()
      await frame.getByRole("heading", { name: "Noch ein Schritt" }).waitFor()
      await eventually(top, (now) => now >= -1 && now < 400)
      await frame.getByRole("button", { name: "Termin verbindlich buchen" }).click()
      await frame.getByRole("heading", { name: "Ihr Termin steht" }).waitFor()
      await hears(page, "confirmed")
      await eventually(top, (now) => now >= -1 && now < 400)
      await page.reload()
      await frame.getByRole("heading", { name: "Ihr Termin steht" }).waitFor()
      await hears(page, "resize")
      expect((await widgetEvents(page)).map(({ type }) => type)).not.toContain("confirmed")
    }
  )

  test("has the language and the colours of a dark site; Rule 5.6.3", async () => {
    const world = await embeddable()
    const dark = script(await sessionOf(world)).replace("data-target", 'data-theme="dark" data-target')
    const address = publish(`<script>document.documentElement.lang = "en-GB"</script><div id="here"></div>${dark}`)
    const { page } = await browser.open(address, { colorScheme: "light" })
    const frame = page.frameLocator("iframe")
    await frame.getByRole("heading", { name: "When would suit you?" }).waitFor()
    expect(await frame.locator(".card").evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
      "rgb(22, 33, 36)"
    )
  })

  test("reports an expired session, and continues with another launch code", async () => {
    const world = await embeddable()
    const code = await sessionOf(world, "sleeper")
    const { page } = await browser.open(publish(`<div id="here"></div>${script(code)}`))
    const frame = page.frameLocator("iframe")
    await hears(page, "ready")
    await expireSessions(world)
    await frame.getByRole("button", { name: "Diesen Termin wählen" }).click()
    await frame.getByRole("heading", { name: "Dieser Link gilt nicht mehr" }).waitFor()
    await hears(page, "expired")
    const fresh = await sessionOf(world, "sleeper")
    await page.evaluate((renewed) => Reflect.get(document.scripts[1] ?? {}, "widget").renew(renewed), fresh)
    await frame.getByRole("button", { name: "Diesen Termin wählen" }).click()
    await hears(page, "hold_created")
  })

  test("shows at once that a launch code is invalid", async () => {
    const { page } = await browser.open(publish(`<div id="here"></div>${script("blc_unknown")}`))
    await page.frameLocator("iframe").getByRole("heading", { name: "Dieser Link gilt nicht mehr" }).waitFor()
    await hears(page, "expired")
    expect((await widgetEvents(page)).some(({ type }) => type === "error")).toBe(false)
  })

  if (isLong)
    test("falls back to a plain link where the organisation does not allow the page to frame it", async () => {
      const world = await makeWorld(server.current)
      const code = await sessionOf(world)
      const { page } = await browser.open(publish(`<div id="here"></div>${script(code)}`))
      const link = page.getByRole("link", { name: "Termin auf eigener Seite buchen" })
      await link.waitFor()
      expect(await link.getAttribute("href")).toBe(`${server.current.url}/meet/booking/${code}?lang=de`)
      expect((await widgetEvents(page)).map(({ type }) => type)).toEqual(["error"])
    })

  if (isLong)
    test("keeps its frame where there are too many requests, says so in it, and tells the page; Rule 5.6.4", async () => {
      const limited = await startServer({ RATE_LIMIT_PER_SECOND: "5" })
      const world = await makeWorld(limited, { organisation: { embed_origins: [origin] } })
      const code = await sessionOf(world)
      const { page } = await browser.open(
        publish(`<div id="here"></div>${script(code).replaceAll(server.current.url, limited.url)}`)
      )
      await hears(page, "ready")
      const reloaded = async () => {
        const crowd = Promise.all(Array.from({ length: 200 }, () => fetch(`${limited.url}/meet/booking/${code}`)))
        await page.reload()
        await page.frameLocator("iframe").getByRole("heading", { level: 1 }).waitFor()
        await crowd
        return widgetEvents(page)
      }
      await eventually(reloaded, (all) => all.some(({ type, reason }) => type === "error" && reason === "busy"))
      await page.frameLocator("iframe").getByRole("heading", { name: "Einen Augenblick bitte" }).waitFor()
      await limited.stop()
    })

  test("is told nothing by the framed page where its origin is not on the organisation's list", async () => {
    const world = await embeddable()
    const stranger = await server.current.api(
      "GET",
      `/meet/booking/${await sessionOf(world, "x")}?parent=${encodeURIComponent("https://evil.example")}`
    )
    expect(stranger.status).toBe(200)
    expect(stranger.body).not.toContain("data-parent")
  })
})
