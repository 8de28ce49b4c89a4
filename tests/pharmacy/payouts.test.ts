import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { ComponentType } from "../../src/schemas/pharmacy/Payout.ts"
import {
  idempotencyKey,
  type PayoutLine,
  type PayoutTerms,
  payout,
  routingDescription,
  share
} from "../../src/services/pharmacy/payouts.ts"

const cents = fc.integer({ min: 0, max: 100_000_000 })
const bps = fc.integer({ min: 0, max: 10_000 })
const terms: fc.Arbitrary<PayoutTerms> = fc.record({
  commission_bps: bps,
  markup_share_bps: bps,
  shipping_share_bps: bps
})
const line: fc.Arbitrary<PayoutLine> = fc.record({
  pharmacy_price: cents,
  total_price: cents,
  digital: fc.boolean()
})
const order = fc.record({ lines: fc.array(line, { maxLength: 8 }), shipping_price: cents })

/** The share by definition, in arbitrary precision: the nearest integer, halves rounded up. */
const exactShare = (amount: number, of: number) => Number((BigInt(amount) * BigInt(of) * 2n + 10_000n) / 20_000n)

test("a share rounds half up and is exact for every safe amount", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), bps, (amount, of) => {
      expect(share(amount, of)).toBe(exactShare(amount, of))
    }),
    {
      examples: [
        [5, 1_000],
        [4, 1_000],
        [333, 5_000]
      ]
    }
  )
})

describe("a payout", () => {
  test("is as the example worked out by hand", () => {
    const result = payout(
      { commission_bps: 1_250, markup_share_bps: 5_000, shipping_share_bps: 9_000 },
      {
        lines: [
          { pharmacy_price: 3 * 999, total_price: 3 * 1_200, digital: false },
          { pharmacy_price: 500, total_price: 450, digital: false },
          { pharmacy_price: 9_900, total_price: 9_900, digital: true }
        ],
        shipping_price: 495
      }
    )
    // ΣPq = 3,497, commission 437.125 → 437; markup 603 · ½ = 301.5 → 302; shipping 445.5 → 446
    expect(result).toEqual([
      { component_type: "item_rest", amount: 3_060 },
      { component_type: "item_markup", amount: 302 },
      { component_type: "shipping", amount: 446 }
    ])
  })

  test("is by definition, in a fixed order; without a physical line there is none, not even for shipping", () => {
    fc.assert(
      fc.property(
        terms,
        order,
        ({ commission_bps, markup_share_bps, shipping_share_bps }, { lines, shipping_price }) => {
          const physical = lines.filter(({ digital }) => !digital)
          const sum = (each: (line: PayoutLine) => number) => physical.reduce((all, item) => all + each(item), 0)
          const prices = sum((item) => item.pharmacy_price)
          const above = sum((item) => Math.max(0, item.total_price - item.pharmacy_price))
          const wanted = [
            { component_type: "item_rest", amount: prices - exactShare(prices, commission_bps) },
            { component_type: "item_markup", amount: exactShare(above, markup_share_bps) },
            { component_type: "shipping", amount: exactShare(shipping_price, shipping_share_bps) }
          ].filter(({ amount }) => physical.length > 0 && amount > 0)
          const result = payout({ commission_bps, markup_share_bps, shipping_share_bps }, { lines, shipping_price })
          expect(result).toEqual(wanted)
        }
      )
    )
  })
})

describe("a route's identity", () => {
  test("descriptions fit the provider's limit and are unique per order and component", () => {
    const orders = [
      { uid: "pho_1", name: "#1001" },
      { uid: "pho_2", name: "#1001" },
      { uid: "pho_3", name: "🙂".repeat(255) }
    ]
    const texts = orders.flatMap((item) => ComponentType.literals.map((type) => routingDescription(item, type)))
    expect(new Set(texts).size).toBe(texts.length)
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(255)
  })

  test("the idempotency key is the same for every attempt, and unique per component", () => {
    const keys = ["pho_1", "pho_2"].flatMap((uid) => ComponentType.literals.map((type) => idempotencyKey(uid, type)))
    expect(new Set(keys).size).toBe(6)
    expect(keys[0]).toBe(idempotencyKey("pho_1", "item_rest"))
    expect(idempotencyKey("Bestellung № 7", "shipping")).toMatch(/^[0-9a-f]{64}$/)
  })
})
