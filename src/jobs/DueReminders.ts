import { Effect, Layer } from "effect"
import { ReminderPublisher } from "../services/scheduling/reminders/ReminderPublisher.ts"
import { cronWorker } from "./worker.ts"

/** Every minute (Rule 6.6.3): publishes the reminders that are due. */
export const DueReminders = Layer.unwrapEffect(
  Effect.map(ReminderPublisher, ({ publishDue }) => cronWorker("maintenance.reminders", "* * * * *", publishDue()))
).pipe(Layer.provide(ReminderPublisher.Default))
