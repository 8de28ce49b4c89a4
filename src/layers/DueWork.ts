/** The work that becomes due when the sandbox clock moves: that of the periodic jobs, in the same order. */
import { Effect, Layer } from "effect"
import { DeliveryRunner } from "../services/events/DeliveryRunner.ts"
import { MessageSender } from "../services/notifications/MessageSender.ts"
import { DueWork } from "../services/operation/DueWork.ts"
import { OverdueAppointments } from "../services/scheduling/appointments/OverdueAppointments.ts"
import { BusySources } from "../services/scheduling/calendar/BusySources.ts"
import { Recalls } from "../services/scheduling/recalls/Recalls.ts"
import { ReminderPublisher } from "../services/scheduling/reminders/ReminderPublisher.ts"
import { Offers } from "../services/scheduling/waitlist/Offers.ts"

export const DueWorkLive = Layer.effect(
  DueWork,
  Effect.gen(function* () {
    const overdue = yield* OverdueAppointments
    const deliveries = yield* DeliveryRunner
    const reminders = yield* ReminderPublisher
    const sources = yield* BusySources
    const recalls = yield* Recalls
    const offers = yield* Offers
    const messages = yield* MessageSender
    const run = Effect.all(
      [
        overdue.expireHolds(),
        offers.runDue(),
        sources.readDue(),
        recalls.sendDue(),
        reminders.publishDue(),
        overdue.finish(),
        deliveries.runDue(),
        messages.sweep()
      ],
      { discard: true }
    )
    return { run }
  })
).pipe(
  Layer.provide([
    BusySources.Default,
    Recalls.Default,
    Offers.Default,
    OverdueAppointments.Default,
    ReminderPublisher.Default,
    DeliveryRunner.Default,
    MessageSender.Default
  ])
)
