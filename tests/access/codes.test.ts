import { expect, test } from "bun:test"
import { Effect } from "effect"
import { newCodeOf } from "../../src/services/uid.ts"

// Shows: a stolen booking token or code
test("a code has 256 random bits", () => {
  const codes = Array.from({ length: 100 }, () => Effect.runSync(newCodeOf("blc", "org_a")))
  const bits = codes.map((code) => Buffer.from(code.slice("blc_".length + 12), "base64url"))
  expect(bits.every((bytes) => bytes.length === 32)).toBe(true)
  // each bit is 0 in some codes and 1 in others: for a hundred random codes the probability of a failure is 256 / 2^99
  for (let at = 0; at < 32; at++) {
    expect(bits.reduce((all, bytes) => all & (bytes[at] ?? 0), 255)).toBe(0)
    expect(bits.reduce((any, bytes) => any | (bytes[at] ?? 0), 0)).toBe(255)
  }
})
