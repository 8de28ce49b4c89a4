import { Effect } from "effect"
import { addedCommand, commandGroup } from "../../../declarations.ts"
import { PharmacyOrderUid, PharmacyUid } from "../../../schemas/ids.ts"
import type { ParkedPayout } from "../../../services/pharmacy/PayoutsRepo.ts"
import { Routing } from "../../../services/pharmacy/Routing.ts"

const line = (row: ParkedPayout) =>
  [row.pharmacy_uid, row.pharmacy_order_uid, row.component_type, row.amount, row.currency, row.parked_reason].join("\t")

const parked = addedCommand({
  name: "parked",
  description: "Payouts that wait for an operator: pharmacy, order, component, amount in cents, currency, reason",
  run: () =>
    Effect.gen(function* () {
      const rows = yield* (yield* Routing).parked
      return rows.length === 0 ? "Nothing is parked." : rows.map(line).join("\n")
    }).pipe(Effect.provide(Routing.Default))
})

const resume = addedCommand({
  name: "resume",
  description: "Route an order's parked payouts after what was in the way is mended",
  args: { pharmacy: PharmacyUid, order: PharmacyOrderUid },
  run: ({ pharmacy, order }) =>
    Effect.gen(function* () {
      const orders = yield* (yield* Routing).resume(pharmacy, { order })
      return orders.length === 0 ? "Nothing of this order is parked." : "Sent on its way again."
    }).pipe(Effect.provide(Routing.Default))
})

export const payoutsCommand = commandGroup({
  name: "payouts",
  description: "Payouts to pharmacies",
  below: [parked, resume]
})
