/** The documentation site in a browser: complete, small, accessible, and usable without scripts. */
import { describe, expect, test } from "bun:test"
import { accessibilityFaults, testBrowser } from "../support/browser.ts"
import { isLong, sized, someOf } from "../support/scale.ts"
import { testServer } from "../support/server.ts"
import { expectWritten } from "../support/written.ts"

const server = testServer({ PROVISION_FILE: "" })
const browser = testBrowser()

const raw = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.current.url + path, { headers, decompress: false })
/** Without compression, which is dear for texts of this size. */
const plain = (path: string) => raw(path, { "accept-encoding": "identity" })

const linksIn = (page: string) => [...page.matchAll(/ (?:href|src)="(\/[^"]*)"/g)].map(([, link = ""]) => link)

/** Every page that a reader can come to, from the first one on. */
const findPages = async () => {
  const pages = new Map<string, string>()
  const waiting = ["/docs"]
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (pages.has(path)) continue
    const page = await (await plain(path)).text()
    pages.set(path, page)
    for (const link of linksIn(page)) {
      const [target = ""] = link.split("#")
      if (/^\/docs(\/(guides|reference|specification|changelog)|$)/.test(target)) waiting.push(target)
    }
  }
  return pages
}

let found: ReturnType<typeof findPages> | undefined
const allPages = () => {
  found ??= findPages()
  return found
}

test("every link has a target, including the heading that it names", async () => {
  const pages = await allPages()
  expect(pages.size).toBeGreaterThan(55)
  const faults: Array<string> = []
  const others = new Set<string>()
  for (const [path, page] of pages)
    for (const link of [...linksIn(page), ...[...page.matchAll(/href="(#[^"]+)"/g)].map(([, own]) => path + own)]) {
      const [target = "", anchor] = link.split("#")
      const there = pages.get(target)
      if (there === undefined) others.add(target)
      else if (anchor !== undefined && !there.includes(`id="${decodeURIComponent(anchor)}"`))
        faults.push(`${path}: ${link}`)
    }
  for (const target of others) if ((await plain(target)).status !== 200) faults.push(target)
  expect(faults).toEqual([])
})

test("every page transfers less than 200 kB with everything it loads, and so does the search index", async () => {
  const sizes = new Map<string, number>()
  const sizeOf = async (path: string) => {
    const known = sizes.get(path) ?? (await (await raw(path, { "accept-encoding": "br" })).arrayBuffer()).byteLength
    sizes.set(path, known)
    return known
  }
  const totals: Array<readonly [string, number]> = []
  // compressing all takes ten seconds of processor time: in the short run the three longest
  const pages = [...(await allPages())].toSorted(([, a], [, b]) => b.length - a.length)
  for (const [path, page] of pages.slice(0, sized(3, pages.length))) {
    const loaded = linksIn(page).filter((link) => /^\/docs\/assets\/.*\.(css|js)$/.test(link))
    const [index = ""] = /data-search="([^"]+)"/.exec(page)?.slice(1) ?? []
    let total = await sizeOf(path)
    for (const asset of [...new Set(loaded), index]) total += await sizeOf(asset)
    totals.push([path, total])
  }
  const sum = (some: ReadonlyArray<number>) => some.reduce((all, one) => all + one, 0)
  const isPage = (path: string) => !path.startsWith("/docs/assets/")
  const of = (wanted: (path: string) => boolean) =>
    sum([...sizes].flatMap(([path, size]) => (wanted(path) ? size : [])))
  if (isLong) expectWritten("All pages of the site", { br: of(isPage) })
  expectWritten("Its scripts and styles", { br: of((path) => /\.(css|js)$/.test(path)) })
  expectWritten("Its search index", { br: of((path) => path.endsWith(".json")) })
  const [largest] = totals.toSorted(([, a], [, b]) => b - a)
  expectWritten("Its largest page with all that it loads", { br: largest?.[1] ?? 0 })
  expect(largest?.[1]).toBeLessThan(200_000)
})

test("an unchanged page is 304, and an unknown one is 404", async () => {
  const tag = (await raw("/docs/guides/booking")).headers.get("etag") ?? ""
  expect((await raw("/docs/guides/booking", { "if-none-match": tag })).status).toBe(304)
  for (const path of ["/docs/guides/nothing", "/docs/assets/../manifest.json"])
    expect([path, (await raw(path)).status]).toEqual([path, 404])
})

test("the content security policy allows nothing inline and no other origin", async () => {
  const policy = (await raw("/docs")).headers.get("content-security-policy") ?? ""
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
  expect(policy).not.toContain("unsafe")
})

describe("in a browser", () => {
  if (isLong)
    test.each(["guides", "reference/[a-m]", "reference/[n-z]", "specification"])(
      "no page of %s scrolls sideways on a phone or at 900 px",
      async (part) => {
        const paths = [...(await allPages()).keys()].filter((path) => new RegExp(`^/docs/${part}`).test(path))
        expect(paths.length).toBeGreaterThan(5)
        const { page, complaints } = await browser.open(`${server.current.url}/docs`)
        const faults: Array<unknown> = []
        for (const path of paths) {
          await page.goto(server.current.url + path)
          for (const width of [360, 900]) {
            await page.setViewportSize({ width, height: 800 })
            const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
            if (beyond > 0) faults.push([path, width, beyond])
          }
        }
        expect([faults, complaints]).toEqual([[], []])
      }
    )

  if (isLong)
    test("axe finds nothing on any kind of page, light or dark", async () => {
      const { page } = await browser.open("about:blank")
      const paths = [
        "",
        "/guides/quick-start",
        "/guides/webhooks",
        "/guides/errors",
        "/specification/02-requests",
        "/reference",
        "/reference/events",
        "/reference/patient-scheduling",
        "/changelog"
      ]
      for (const path of paths) {
        await page.goto(`${server.current.url}/docs${path}`)
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme })
          expect([path, colorScheme, await accessibilityFaults(page)]).toEqual([path, colorScheme, []])
        }
      }
    })

  test("without scripts everything except search and trying works", async () => {
    const { page } = await browser.open(`${server.current.url}/docs/reference/management-appointments`, {
      javaScriptEnabled: false
    })
    expect(await page.locator("#listAppointments .samples details[open] pre").isVisible()).toBeTrue()
    expect(await page.locator("form:visible").count()).toBe(0)
    await page.locator("#listAppointments summary", { hasText: "Python" }).click()
    expect(await page.locator("#listAppointments .samples details[open] pre").textContent()).toContain("urllib.request")
  })

  test("the search finds guides, rules and operations, even by parts of their names", async () => {
    const { page, complaints } = await browser.open(`${server.current.url}/docs`)
    for (const [query, found] of [
      ["idempotency", "2.6 Idempotency and concurrency"],
      ["bulk-cancel", "Cancel many appointments"],
      ["rotate", "Replay and catch up"],
      ["hold_ttl", "Create an appointment type"]
    ] as const) {
      await page.fill("#search", query)
      await page.locator("#found a", { hasText: found }).first().waitFor()
    }
    await page.fill("#search", "bulk-cancel")
    await page.locator("#found a", { hasText: "Cancel many appointments" }).click()
    await page.waitForURL(/#cancelAppointments$/)
    expect(complaints).toEqual([])
  })

  test("one press sends the request, with the demo world's keys, tokens and records", async () => {
    const tried = [
      ["management-appointments", "listAppointments", 200],
      ["management-appointments", "getAppointment", 200],
      ["patient-scheduling", "searchSlots", 200],
      ["patient-scheduling", "createBookingSession", 200],
      ["patient-scheduling", "getBookingSession", 200],
      ["management-what-becomes-of-an-appointment", "cancelAppointment", 200],
      ["management-reminders", "listReminders", 200],
      ["appointment-action-links", "getActionLink", 200],
      ["pharmacy-skus-and-products", "listPharmacySkus", 200],
      ["pharmacies", "updatePharmacySku", 200],
      ["public-checkout", "createReservation", 201],
      ["management-prescriptions", "getPrescription", 200]
    ] as const
    const { page, complaints } = await browser.open(`${server.current.url}/docs`)
    const outcomes: Array<unknown> = []
    // in the short run every second
    const some = someOf(tried, 2)
    for (const [group, operation] of some) {
      await page.goto(`${server.current.url}/docs/reference/${group}#${operation}`)
      const form = page.locator(`#${operation} form`)
      await form.locator("button").click()
      const line = (await form.locator("output p").textContent()) ?? ""
      outcomes.push([group, operation, Number(line.slice(0, 3))])
    }
    expect(outcomes).toEqual(some.map((one) => [...one]))
    expect(complaints).toEqual([])
  })
})
