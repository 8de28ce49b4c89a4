import { Effect, Layer } from "effect"
import { Reminders } from "../../../services/scheduling/practice/Reminders.ts"
import { Conditional } from "../../conditional.ts"
import { group } from "../../group.ts"
import { below, byKey } from "../../records.ts"
import { reminderHandling, typeOf } from "./kinds.ts"

export const RemindersHttp = group("management.reminders", (handlers) =>
  Effect.zipWith(Reminders, Conditional, (service, conditional) => {
    const reminders = reminderHandling(service, conditional, below(byKey, typeOf), "reminder_uid")
    return handlers
      .handle("list", reminders.list)
      .handle("create", reminders.create(service.create))
      .handle("update", reminders.update(service.update))
      .handle("remove", reminders.remove(service.remove))
  })
).pipe(Layer.provide([Reminders.Default]))
