/** What pages keep in memory to format times. */
import { expect, test } from "bun:test"
import { fullDay, tileDay } from "../../src/pages/time.ts"

/** How many `Intl.DateTimeFormat` are constructed meanwhile. */
const constructed = (work: () => void) => {
  const { DateTimeFormat } = Intl
  let count = 0
  Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
    construct: (target, given) => {
      count++
      return Reflect.construct(target, given)
    }
  })
  try {
    work()
  } finally {
    Intl.DateTimeFormat = DateTimeFormat
  }
  return count
}

// Shows: filling a cache with spellings of a time zone
test("formats are cached, but not those of every time zone", () => {
  const show = (zone: string) => constructed(() => [fullDay("de", zone, 0), tileDay("de", zone, 0)])
  expect([show("Africa/Abidjan"), show("Africa/Abidjan")]).toEqual([3, 0])
  for (const zone of Intl.supportedValuesOf("timeZone").filter((one) => one > "Africa/Abidjan")) show(zone)
  expect(show("Africa/Abidjan")).toBe(3)
})
