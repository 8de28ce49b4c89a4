/** Bulkhead: limited concurrency for each key. */
import { expect, test } from "bun:test"
import { makeBulkhead } from "../../src/services/bulkhead.ts"
import { stepsThatLoseAPlace } from "../support/interrupted.ts"

test("work that is interrupted at any step, also between admission and start, leaves its slot free", async () => {
  expect(await stepsThatLoseAPlace(() => makeBulkhead(1, 0)("key"))).toEqual([])
})
