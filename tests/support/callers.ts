import { expect } from "bun:test"
import type { Frame, Page } from "playwright-core"
import { accessibilityFaults, type TestBrowser } from "./browser.ts"
import { pageLink } from "./codes.ts"
import { eventually } from "./eventually.ts"
import { callFigures, doctorsMeeting, watchCalls } from "./meetings.ts"
import type { TestServer } from "./server.ts"
import type { World } from "./world.ts"

interface Entrance {
  readonly browser: TestBrowser
  readonly at: TestServer
  readonly world: World
  /** uid of the appointment */
  readonly uid: string
  /** the doctor who enters; the booked one by default */
  readonly doctor?: string
  /** allows only candidates of a relay */
  readonly relayed?: boolean
  /** before the page is opened */
  readonly prepare?: (page: Page) => Promise<unknown>
}

/** A small desktop, since every frame of a call is drawn on the CPU. */
export const CALL_VIEWPORT = { width: 800, height: 600 }

/** Opens a page that is instrumented before its first script runs. */
const visit = async ({ browser, relayed = false, prepare }: Entrance, address: string) => {
  const opened = await browser.open("about:blank", { viewport: CALL_VIEWPORT })
  await watchCalls(opened.page, relayed)
  await prepare?.(opened.page)
  await opened.page.goto(address)
  return opened
}

/**
 * Enters from an appointment's page. The device check has a button of the same name: it is waited for, or the
 * appointment's is pressed twice.
 */
export const enterWaitingRoom = async (page: Page, look: (page: Page) => Promise<void> = async () => {}) => {
  await page.getByRole("button", { name: "Wartezimmer betreten" }).click()
  await page.getByRole("heading", { name: "Kamera und Mikrofon prüfen" }).waitFor()
  await look(page)
  await page.getByRole("button", { name: "Wartezimmer betreten" }).click()
}

/** Opens the page and enters the room, after a look at the device check where one is given. */
export const enterAsPatient = async (entrance: Entrance, look?: (page: Page) => Promise<void>) => {
  const opened = await visit(entrance, await pageLink(entrance.at, entrance.uid, "join"))
  await enterWaitingRoom(opened.page, look)
  await opened.page.getByRole("heading", { name: "Sie sind im Wartezimmer" }).waitFor()
  return opened
}

/** Opens the page and enters the room. */
export const enterAsDoctor = async (entrance: Entrance) => {
  const { at, world, uid, doctor } = entrance
  const opened = await visit(entrance, await doctorsMeeting(at, world, uid, doctor))
  await opened.page.getByRole("button", { name: "Sprechzimmer öffnen" }).click()
  await opened.page.getByRole("heading", { name: "Im Wartezimmer" }).waitFor()
  return opened
}

/** The frame of the call on the console's page, which has the patient's card beside it. */
export const callOf = (page: Page) => {
  const room = page.frames().find((frame) => frame.url().includes("/meet/meeting/"))
  if (room === undefined) throw new Error("no call on the page")
  return room
}

/** The videos of this many others play on the page. */
const sees = async (page: Page | Frame, others: number) => {
  const { frames } = await callFigures(page)
  return eventually(
    () => callFigures(page),
    (now) => now.frames.filter((count, connection) => count > (frames[connection] ?? 0) + 5).length >= others,
    120
  )
}

export const bothSee = (...pages: ReadonlyArray<Page | Frame>) => Promise.all(pages.map((page) => sees(page, 1)))

/** Each sees all others. */
export const allSee = (...pages: ReadonlyArray<Page | Frame>) =>
  Promise.all(pages.map((page) => sees(page, pages.length - 1)))

/** No accessibility violations, and no overflow at a width of 320 px. */
export const isFit = async (page: Page) => {
  expect(await accessibilityFaults(page)).toEqual([])
  const before = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  if (before !== null) await page.setViewportSize(before)
}
