/** Random lives of a shop's order: what happens in the shop, how its webhooks arrive, and what the pharmacy and the doctor do meanwhile. */
import fc from "fast-check"

/** `a` and `b` choose among what there is: a line, a quantity, an amount, a place in the queue. */
export interface Step {
  readonly kind:
    | "add"
    | "edit"
    | "pay_part"
    | "pay"
    | "refund_pieces"
    | "refund_money"
    | "refund_all"
    | "cancel"
    | "deliver"
    | "deliver_again"
    | "sign"
    | "work"
    | "accept_change"
    | "stop"
    | "route"
  readonly a: number
  readonly b: number
}

const kinds: ReadonlyArray<{ readonly weight: number; readonly kind: Step["kind"] }> = [
  { weight: 2, kind: "add" },
  { weight: 4, kind: "edit" },
  { weight: 2, kind: "pay_part" },
  { weight: 8, kind: "pay" },
  { weight: 3, kind: "refund_pieces" },
  { weight: 2, kind: "refund_money" },
  { weight: 1, kind: "refund_all" },
  { weight: 1, kind: "cancel" },
  { weight: 18, kind: "deliver" },
  { weight: 3, kind: "deliver_again" },
  { weight: 4, kind: "sign" },
  { weight: 22, kind: "work" },
  { weight: 4, kind: "accept_change" },
  { weight: 1, kind: "stop" },
  { weight: 3, kind: "route" }
]

const small = fc.nat({ max: 1_000 })
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(...kinds.map(({ weight, kind }) => ({ weight, arbitrary: fc.constant(kind) }))),
  a: small,
  b: small
})

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
