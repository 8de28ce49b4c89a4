/** The work that becomes due when the sandbox clock moves: that of the periodic jobs, in the same order. */
import { Effect, Layer } from "effect"
import { DeliveryRunner } from "../services/events/DeliveryRunner.ts"
import { DueWork } from "../services/operation/DueWork.ts"
import { ExpiredHolds } from "../services/scheduling/appointments/ExpiredHolds.ts"
import { FinishedAppointments } from "../services/scheduling/appointments/FinishedAppointments.ts"
import { BusySources } from "../services/scheduling/calendar/BusySources.ts"
import { Recalls } from "../services/scheduling/recalls/Recalls.ts"
import { ReminderPublisher } from "../services/scheduling/reminders/ReminderPublisher.ts"
import { Offers } from "../services/scheduling/waitlist/Offers.ts"

export const DueWorkLive = Layer.effect(
  DueWork,
  Effect.gen(function* () {
    const holds = yield* ExpiredHolds
    const finished = yield* FinishedAppointments
    const deliveries = yield* DeliveryRunner
    const reminders = yield* ReminderPublisher
    const sources = yield* BusySources
    const recalls = yield* Recalls
    const offers = yield* Offers
    const run = Effect.all(
      [
        holds.expireOverdue(),
        offers.runDue(),
        sources.readDue(),
        recalls.sendDue(),
        reminders.publishDue(),
        finished.finishOverdue(),
        deliveries.runDue()
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
    ExpiredHolds.Default,
    FinishedAppointments.Default,
    ReminderPublisher.Default,
    DeliveryRunner.Default
  ])
)
