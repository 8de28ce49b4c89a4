import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Reminders } from "../../../services/scheduling/practice/Reminders.ts"
import { Api } from "../../Api.ts"
import { currentOrganisation } from "../../credentials.ts"

export const RemindersHttp = HttpApiBuilder.group(Api, "management.reminders", (handlers) =>
  Effect.map(Reminders, (reminders) =>
    handlers
      .handle("list", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) => reminders.list(owner, path.appointment_type_uid)).pipe(
          Effect.map((data) => ({ data }))
        )
      )
      .handle("create", ({ path, payload }) =>
        Effect.flatMap(currentOrganisation, (owner) => reminders.create(owner, path.appointment_type_uid, payload))
      )
      .handle("update", ({ path, payload }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          reminders.update(owner, path.appointment_type_uid, path.reminder_uid, payload)
        )
      )
      .handle("remove", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          reminders.remove(owner, path.appointment_type_uid, path.reminder_uid)
        )
      )
  )
).pipe(Layer.provide(Reminders.Default))
