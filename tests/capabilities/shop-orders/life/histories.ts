/** Random lives of a shop's order: what happens in the shop, how its webhooks arrive, and what the pharmacy and the doctor do meanwhile. */
import fc from "fast-check"

/** How often each kind of step occurs, beside the others. */
const weights = {
  add: 2,
  edit: 4,
  pay_part: 2,
  pay: 8,
  refund_pieces: 3,
  refund_money: 2,
  refund_all: 1,
  cancel: 1,
  deliver: 18,
  deliver_again: 3,
  sign: 4,
  work: 22,
  accept_change: 4,
  stop: 1,
  route: 3
}
type Kind = keyof typeof weights

/** `a` and `b` choose among what there is: a line, a quantity, an amount, a place in the queue. */
export interface Step {
  readonly kind: Kind
  readonly a: number
  readonly b: number
}

const kinds = Object.entries(weights).map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind as Kind) }))
const small = fc.nat({ max: 1_000 })
const step: fc.Arbitrary<Step> = fc.record({ kind: fc.oneof(...kinds), a: small, b: small })

export interface History {
  /** Articles, quantities and whether a prescription is named. */
  readonly lines: ReadonlyArray<{ readonly article: number; readonly quantity: number; readonly prescribed: boolean }>
  readonly steps: ReadonlyArray<Step>
}

export const histories: fc.Arbitrary<History> = fc.record({
  lines: fc.array(
    fc.record({ article: fc.nat({ max: 2 }), quantity: fc.integer({ min: 1, max: 5 }), prescribed: fc.boolean() }),
    { minLength: 1, maxLength: 3, size: "max" }
  ),
  steps: fc.array(step, { minLength: 6, maxLength: 30, size: "max" })
})
