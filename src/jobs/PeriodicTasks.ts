/**
 * Every periodic task: the core's and those of the capabilities that are on. Jobs run them by interval (`Ticks`); a move of domain
 * time does at once what became due, in this order.
 */
import { Effect } from "effect"
import { AbandonedCheckouts } from "../services/checkout/acceptance/AbandonedCheckouts.ts"
import { Extensions, type PeriodicTask } from "../services/Extensions.ts"
import { DeliveryRunner } from "../services/events/DeliveryRunner.ts"
import { MessageSender } from "../services/notifications/MessageSender.ts"
import { Routing } from "../services/pharmacy/Routing.ts"
import { Service } from "../services/Service.ts"
import { OverdueAppointments } from "../services/scheduling/appointments/OverdueAppointments.ts"
import { ReminderPublisher } from "../services/scheduling/reminders/ReminderPublisher.ts"

/** Milliseconds that a run spends on the reminders of one organisation, so that the next minute's tasks are not delayed. */
const REMINDERS_OF_ONE = 20_000

export class PeriodicTasks extends Service<PeriodicTasks>()("jobs/PeriodicTasks", {
  effect: Effect.gen(function* () {
    const extensions = yield* Extensions
    const overdue = yield* OverdueAppointments
    const reminders = yield* ReminderPublisher
    const messages = yield* MessageSender
    const deliveries = yield* DeliveryRunner
    const routing = yield* Routing
    const checkouts = yield* AbandonedCheckouts
    const task = (
      name: string,
      every: PeriodicTask["every"],
      run: PeriodicTask["run"],
      onMove?: PeriodicTask["onMove"]
    ): PeriodicTask => ({ name: `maintenance.${name}`, every, run, ...(onMove && { onMove }) })

    const first = [task("holds", 1, overdue.expireHolds(), overdue.expireHolds())]
    const last = [
      // Rule 6.6.3
      task("reminders", 1, reminders.publishDue(REMINDERS_OF_ONE), reminders.publishDue()),
      // Finishes appointments whose join window has closed
      task("appointments", 1, overdue.finish(), overdue.finish()),
      // Attempts deliveries without a job, or whose process died
      task("deliveries", 1, deliveries.sweep(), deliveries.runDue()),
      // Sends messages without a job, or whose process died
      task("messages", 1, messages.sweep(), messages.sweep()),
      // Creates jobs for payout intents without one
      task("payouts", 5, routing.sweep()),
      // Deletes leftovers of abandoned checkouts
      task("checkouts", 10, checkouts.sweep())
    ]
    const all = Effect.map(extensions.having("periodic"), (some) => [
      ...first,
      ...some.flatMap(({ periodic }) => periodic),
      ...last
    ])
    return { all } as const
  }),
  dependencies: [
    OverdueAppointments.Default,
    ReminderPublisher.Default,
    MessageSender.Default,
    DeliveryRunner.Default,
    Routing.Default,
    AbandonedCheckouts.Default
  ]
}) {}
