/** The pace at which codes of public bookings are mailed. Rule 5.8.4. */
import { expect, test } from "bun:test"
import {
  paces,
  type Scope,
  type Unanswered,
  waitOf
} from "../../../src/capabilities/public-booking/services/codePace.ts"

const NOW = 1_700_000_000
const none: Record<Scope, Unanswered> = {
  network: { count: 0, last: null },
  site: { count: 0, last: null },
  provider: { count: 0, last: null },
  practice: { count: 0, last: null }
}

test.each(["network", "site", "provider", "practice"] as const)("of a %s", (scope) => {
  const { free, seconds } = paces[scope]
  const wait = (count: number, ago: number) => waitOf({ ...none, [scope]: { count, last: NOW - ago } }, NOW)
  expect(wait(free - 1, 0)).toBe(0)
  expect(wait(free, 0)).toBe(seconds)
  expect(wait(free, 1)).toBe(seconds - 1)
  expect(wait(100 * free, seconds)).toBe(0)
  // one that is still to be mailed
  expect(wait(free, -60)).toBe(60 + seconds)
})

test("the longest wait of all counts", () => {
  const recent = { ...none, network: { count: 20, last: NOW }, practice: { count: 300, last: NOW } }
  expect(waitOf(recent, NOW)).toBe(5)
})
