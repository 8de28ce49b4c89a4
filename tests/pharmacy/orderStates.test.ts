import { describe, expect, test } from "bun:test"
import {
  describeTrigger,
  isAllowed,
  isVoid,
  PharmacyOrderStatus,
  pharmacyOrderTransitions
} from "../../src/schemas/pharmacy/PharmacyOrderStates.ts"

const statuses = PharmacyOrderStatus.literals
const from = (status: PharmacyOrderStatus, trigger: "set_status" | "complete_order") =>
  statuses.filter((to) => isAllowed(trigger, status, to))

describe("the life of a pharmacy order", () => {
  test("setting the status allows exactly the specified transitions", () => {
    expect(Object.fromEntries(statuses.map((status) => [status, from(status, "set_status")]))).toEqual({
      new: ["accepted", "rejected", "cancelled"],
      accepted: ["in_preparation", "cancelled"],
      in_preparation: ["ready_for_pickup", "shipped", "cancelled"],
      ready_for_pickup: ["cancelled"],
      shipped: ["cancelled"],
      completed: [],
      rejected: [],
      cancelled: []
    })
  })

  test("completion is a separate transition, possible from preparation on", () => {
    const completable = statuses.filter((status) => from(status, "complete_order").length > 0)
    expect(completable).toEqual(["in_preparation", "ready_for_pickup", "shipped"])
    for (const status of completable) expect(from(status, "complete_order")).toEqual(["completed"])
  })

  test("every status is reachable, and the final ones have no transition", () => {
    const reached = new Set(pharmacyOrderTransitions.map(({ to }) => to))
    expect(statuses.filter((status) => status !== "new" && !reached.has(status))).toEqual([])
    expect(statuses.filter(isVoid)).toEqual(["rejected", "cancelled"])
  })

  test("an operation's description names each of its transitions", () => {
    for (const { from: start, to, trigger } of pharmacyOrderTransitions)
      expect(describeTrigger(trigger)).toContain(`\`${start}\` → \`${to}\``)
  })
})
