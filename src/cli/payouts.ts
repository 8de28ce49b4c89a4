import { Args, Command } from "@effect/cli"
import { Console, Effect } from "effect"
import { PharmacyOrderUid, PharmacyUid } from "../schemas/ids.ts"
import type { ParkedPayout } from "../services/pharmacy/PayoutsRepo.ts"
import { Routing } from "../services/pharmacy/Routing.ts"
import { withServices } from "./services.ts"

const line = (row: ParkedPayout) =>
  [row.pharmacy_uid, row.pharmacy_order_uid, row.component_type, row.amount, row.currency, row.parked_reason].join("\t")

const print = (rows: ReadonlyArray<ParkedPayout>) =>
  Console.log(rows.length === 0 ? "Nothing is parked." : rows.map(line).join("\n"))

const parked = Command.make("parked", {}, () =>
  withServices(Effect.flatMap(Routing, (routing) => Effect.flatMap(routing.parked, print)))
).pipe(
  Command.withDescription(
    "Payouts that wait for an operator: pharmacy, order, component, amount in cents, currency, reason"
  )
)

const pharmacy = Args.text({ name: "pharmacy" }).pipe(Args.withDescription("uid of the pharmacy"))
const order = Args.text({ name: "order" }).pipe(Args.withDescription("uid of its order"))

const resumed = (orders: ReadonlyArray<PharmacyOrderUid>) =>
  Console.log(orders.length === 0 ? "Nothing of this order is parked." : "Sent on its way again.")

const resume = Command.make("resume", { pharmacy, order }, (args) =>
  withServices(
    Effect.flatMap(Routing, (routing) =>
      routing.resume(PharmacyUid.make(args.pharmacy), { order: PharmacyOrderUid.make(args.order) })
    ).pipe(Effect.flatMap(resumed))
  )
).pipe(Command.withDescription("Route an order's parked payouts after what was in the way is mended"))

export const payoutsCommand = Command.make("payouts").pipe(
  Command.withDescription("Payouts to pharmacies"),
  Command.withSubcommands([parked, resume])
)
