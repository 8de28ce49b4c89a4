/**
 * The short form of `bun run walk`: every control of one state of each kind of page, in German and Arabic; in the short run
 * of the first kind in German.
 */
import { expect, test } from "bun:test"
import { stageOf } from "../../script/walk/scene.ts"
import { thinkTwice } from "../../script/walk/secondThoughts.ts"
import { statesOf } from "../../script/walk/states.ts"
import { walk } from "../../script/walk/walker.ts"
import { present } from "../support/body.ts"
import { sharedBrowser } from "../support/browser.ts"
import { someOf } from "../support/scale.ts"
import { testServer } from "../support/server.ts"

const server = testServer()
const walked = [
  ["widget, details", 5],
  ["session expired over what was typed", 10],
  ["appointment, said to be late", 15],
  ["a fault of the service", 8]
] as const

const thought = ["waiting list, entered", "details, with consent", "appointment in two days, link to cancel", "times"]

const stateOf = async (name: string) =>
  present(statesOf(stageOf(server.current, await sharedBrowser())).find((one) => one.name === name))

test.each(someOf(thought, thought.length))("second thoughts lead on: %s", async (name) => {
  expect(await thinkTwice(await stateOf(name), ["de"], false)).toEqual([])
})

test.each(someOf(walked, walked.length))("no page is a dead end: %s", async (name, fewest) => {
  const { controls, faults } = await walk(await stateOf(name), someOf(["de", "ar"], 2))
  expect(faults).toEqual([])
  expect(controls).toBeGreaterThanOrEqual(fewest)
})
