import { Effect, Layer } from "effect"
import { Reminder } from "../../../schemas/scheduling/Reminder.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import { Reminders } from "../../../services/scheduling/practice/Reminders.ts"
import { Conditional } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders, idempotent } from "../../idempotent.ts"
import { inData } from "../../inData.ts"
import { currentReminderTags, reminderListTags, reminderTags } from "./versions.ts"

export const RemindersHttp = group("management.reminders", (handlers) =>
  Effect.zipWith(Reminders, Conditional, (reminders, { changeIfMatch }) =>
    handlers
      .handle("list", ({ path, urlParams }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          inData(reminders.list(owner, path.appointment_type_uid, urlParams))
        ).pipe((answer) => reminderListTags.tagged(answer, urlParams))
      )
      .handle("create", (request) =>
        idempotent(
          request,
          { name: "reminders", answer: Reminder, by: holders.key },
          Effect.flatMap(currentOrganisation, (owner) =>
            reminders.create(owner, request.path.appointment_type_uid, request.payload)
          )
        ).pipe(reminderTags.tagged)
      )
      .handle("update", ({ path: { appointment_type_uid: type, reminder_uid: uid }, payload, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(
            headers,
            currentReminderTags(reminders, owner, type, uid),
            reminders.update(owner, type, uid, payload)
          )
        ).pipe(reminderTags.tagged)
      )
      .handle("remove", ({ path: { appointment_type_uid: type, reminder_uid: uid }, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(headers, currentReminderTags(reminders, owner, type, uid), reminders.remove(owner, type, uid))
        )
      )
  )
).pipe(Layer.provide([Idempotency.Default, Conditional.Default, Reminders.Default]))
