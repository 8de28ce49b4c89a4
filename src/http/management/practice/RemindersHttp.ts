import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Reminders } from "../../../services/scheduling/practice/Reminders.ts"
import { Api } from "../../Api.ts"
import { Conditional } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials.ts"
import { inData, presentReminder, reminderListTags, reminderTags } from "./versions.ts"

export const RemindersHttp = HttpApiBuilder.group(Api, "management.reminders", (handlers) =>
  Effect.zipWith(Reminders, Conditional, (reminders, { changing }) =>
    handlers
      .handle("list", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) => inData(reminders.list(owner, path.appointment_type_uid))).pipe(
          (answer) => reminderListTags.tagged(answer, {})
        )
      )
      .handle("create", ({ path, payload }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          reminders.create(owner, path.appointment_type_uid, payload)
        ).pipe(reminderTags.tagged)
      )
      .handle("update", ({ path: { appointment_type_uid: type, reminder_uid: uid }, payload, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changing(headers, presentReminder(reminders, owner, type, uid), reminders.update(owner, type, uid, payload))
        ).pipe(reminderTags.tagged)
      )
      .handle("remove", ({ path: { appointment_type_uid: type, reminder_uid: uid }, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changing(headers, presentReminder(reminders, owner, type, uid), reminders.remove(owner, type, uid))
        )
      )
  )
).pipe(Layer.provide([Conditional.Default, Reminders.Default]))
