import { expect, test } from "bun:test"
import fc from "fast-check"
import { isAccepted, isGone, retryAfterSeconds, retryDelay } from "../../src/services/events/retries.ts"

test("attempts follow the documented schedule, then end", () => {
  const delays = Array.from({ length: 10 }, (_, failed) => retryDelay(failed + 1, null))
  expect(delays).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null])
})

test("a receiver may ask for a longer delay, up to a day, but not for a shorter one", () => {
  expect(retryDelay(1, 120)).toBe(120)
  expect(retryDelay(2, 120)).toBe(300)
  expect(retryDelay(1, 10_000_000)).toBe(86_400)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(), (failed, asked) => {
      const plain = retryDelay(failed, null) ?? 0
      const delay = retryDelay(failed, asked) ?? 0
      expect(delay).toBeGreaterThanOrEqual(plain)
      expect(delay).toBeLessThanOrEqual(86_400)
    })
  )
})

test("retry-after is seconds or a date; anything else is ignored", () => {
  const now = Date.parse("2026-03-16T09:00:00Z")
  expect(retryAfterSeconds("90", now)).toBe(90)
  expect(retryAfterSeconds("Mon, 16 Mar 2026 09:02:00 GMT", now)).toBe(120)
  expect(retryAfterSeconds("Mon, 16 Mar 2026 08:00:00 GMT", now)).toBe(0)
  expect(retryAfterSeconds("soon", now)).toBeNull()
  expect(retryAfterSeconds("-5", now)).toBeNull()
  expect(retryAfterSeconds(undefined, now)).toBeNull()
})

test("2xx means delivered, 410 means gone", () => {
  expect([199, 200, 204, 299, 300, null].map(isAccepted)).toEqual([false, true, true, true, false, false])
  expect([410, 404, null].map(isGone)).toEqual([true, false, false])
})
