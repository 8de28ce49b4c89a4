import { Effect, Layer } from "effect"
import { Idempotency } from "../../../services/Idempotency.ts"
import { Reminders } from "../../../services/scheduling/practice/Reminders.ts"
import { Conditional } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders } from "../../idempotent.ts"
import { reminderHandling } from "./kinds.ts"

export const RemindersHttp = group("management.reminders", (handlers) =>
  Effect.zipWith(Reminders, Conditional, (service, conditional) => {
    const reminders = reminderHandling(service, conditional, holders.key)
    return handlers
      .handle("list", ({ path, urlParams }) =>
        Effect.flatMap(currentOrganisation, (owner) => reminders.list([owner, path.appointment_type_uid], urlParams))
      )
      .handle("create", (request) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          reminders.create([owner, request.path.appointment_type_uid], request)
        )
      )
      .handle("update", ({ path: { appointment_type_uid: type, reminder_uid: uid }, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => reminders.update([owner, type], uid, request))
      )
      .handle("remove", ({ path: { appointment_type_uid: type, reminder_uid: uid }, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => reminders.remove([owner, type], uid, request))
      )
  })
).pipe(Layer.provide([Idempotency.Default, Conditional.Default, Reminders.Default]))
