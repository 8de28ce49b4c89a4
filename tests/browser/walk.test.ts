/** The short form of `bun run walk`: every control of one state of each kind of page, in German and Arabic. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Browser } from "playwright-core"
import { stageOf } from "../../script/walk/scene.ts"
import { statesOf } from "../../script/walk/states.ts"
import { walk } from "../../script/walk/walker.ts"
import { launchBrowser } from "../support/browser.ts"
import { testServer } from "../support/server.ts"

const server = testServer()
let browser: Browser | undefined
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

test.each([
  ["widget, details", 5],
  ["session expired over what was typed", 10],
  ["appointment, said to be late", 15],
  ["a fault of the service", 8]
])("no page is a dead end: %s", async (name, fewest) => {
  if (browser === undefined) throw new Error("the browser runs only while tests do")
  const state = statesOf(stageOf(server.current, browser)).find((one) => one.name === name)
  if (state === undefined) throw new Error(`no state is called so: ${name}`)
  const { controls, faults } = await walk(state, ["de", "ar"])
  expect(faults).toEqual([])
  expect(controls).toBeGreaterThanOrEqual(fewest)
})
