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

const component = (result: ReturnType<typeof payout>, type: string) =>
  result.find(({ component_type }) => component_type === type)?.amount ?? 0

describe("share", () => {
  test("rounds half up and is exact for every safe amount", () => {
    expect(share(5, 1_000)).toBe(1)
    expect(share(4, 1_000)).toBe(0)
    expect(share(333, 5_000)).toBe(167)
    fc.assert(
      fc.property(fc.maxSafeNat(), bps, (amount, of) => {
        expect(share(amount, of)).toBe(exactShare(amount, of))
      })
    )
  })
})

describe("payout", () => {
  test("the example worked out by hand", () => {
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

  test("an order without a physical line has no payout, not even for shipping", () => {
    const digital = { pharmacy_price: 100, total_price: 100, digital: true }
    const whole = { commission_bps: 0, markup_share_bps: 10_000, shipping_share_bps: 10_000 }
    expect(payout(whole, { lines: [digital], shipping_price: 500 })).toEqual([])
  })

  test("components are positive integers, in a fixed order, each type at most once, and reproducible", () => {
    fc.assert(
      fc.property(terms, order, (agreed, bought) => {
        const components = payout(agreed, bought)
        for (const { amount } of components) expect(Number.isSafeInteger(amount) && amount > 0).toBe(true)
        const types = components.map(({ component_type }) => component_type)
        expect(types).toEqual(ComponentType.literals.filter((type) => types.includes(type)))
        expect(payout(agreed, structuredClone(bought))).toEqual([...components])
      })
    )
  })

  test("payees' amounts add up to the payment, with the platform's part computed separately", () => {
    fc.assert(
      fc.property(terms, order, (agreed, bought) => {
        const result = payout(agreed, bought)
        const physical = bought.lines.filter(({ digital }) => !digital)
        const sum = (lines: ReadonlyArray<PayoutLine>, each: (line: PayoutLine) => number) =>
          lines.reduce((all, item) => all + each(item), 0)
        const commission = exactShare(
          sum(physical, (item) => item.pharmacy_price),
          agreed.commission_bps
        )
        const above = sum(physical, (item) => Math.max(0, item.total_price - item.pharmacy_price))
        const below = sum(physical, (item) => Math.max(0, item.pharmacy_price - item.total_price))
        const paid = sum(bought.lines, (item) => item.total_price) + bought.shipping_price
        const platform =
          physical.length === 0
            ? paid
            : sum(bought.lines, (item) => (item.digital ? item.total_price : 0)) +
              commission +
              (above - exactShare(above, agreed.markup_share_bps)) +
              (bought.shipping_price - exactShare(bought.shipping_price, agreed.shipping_share_bps)) -
              below
        expect(ComponentType.literals.reduce((all, type) => all + component(result, type), platform)).toBe(paid)
      })
    )
  })

  test("a higher commission never increases the pharmacy's amount, a larger share never reduces it", () => {
    fc.assert(
      fc.property(terms, order, bps, (agreed, bought, other) => {
        const [low, high] =
          other < agreed.commission_bps ? [other, agreed.commission_bps] : [agreed.commission_bps, other]
        const rest = (commission_bps: number) => component(payout({ ...agreed, commission_bps }, bought), "item_rest")
        const shipping = (shipping_share_bps: number) =>
          component(payout({ ...agreed, shipping_share_bps }, bought), "shipping")
        expect(rest(high)).toBeLessThanOrEqual(rest(low))
        expect(shipping(high)).toBeGreaterThanOrEqual(shipping(low))
      })
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
