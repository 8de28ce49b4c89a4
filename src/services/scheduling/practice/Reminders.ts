/** When and how people are reminded of appointments of a type (specification §2.3, §4.1). */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { Conflict } from "../../../schemas/conflicts.ts"
import { type AppointmentTypeUid, type OrganisationUid, ReminderUid } from "../../../schemas/ids.ts"
import { NotFound } from "../../../schemas/problems.ts"
import type { NewReminder, Reminder, ReminderChanges } from "../../../schemas/scheduling/Reminder.ts"
import { DomainClock } from "../../DomainClock.ts"
import { onSqlState, timestamp, UNIQUE_VIOLATION } from "../../SqlErrors.ts"
import { newUid } from "../../uid.ts"
import { AppointmentTypes } from "./AppointmentTypes.ts"

const notFound = new NotFound({ what: "Reminder" })

const alreadyThere = () => new Conflict({ reason: "reminder_exists" })

export class Reminders extends Effect.Service<Reminders>()("scheduling/Reminders", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const types = yield* AppointmentTypes

    const columns = sql`uid, appointment_type_uid, recipient_role, minutes_before, send_email, send_sms, active`
    const one = (owner: OrganisationUid, type: AppointmentTypeUid, uid: ReminderUid) =>
      sql`organisation_uid = ${owner} AND appointment_type_uid = ${type} AND uid = ${uid} AND deleted_at IS NULL`

    /** By role, the earliest first. 404: no such appointment type. */
    const list = Effect.fn("Reminders.list")(function* (owner: OrganisationUid, type: AppointmentTypeUid) {
      yield* types.ensure(owner, type)
      return yield* sql<Reminder>`SELECT ${columns} FROM reminders
        WHERE organisation_uid = ${owner} AND appointment_type_uid = ${type} AND deleted_at IS NULL
        ORDER BY recipient_role, minutes_before DESC, uid`.pipe(Effect.orDie)
    })

    /** 409: the role has one at that time. 404: no such appointment type. */
    const create = Effect.fn("Reminders.create")(function* (
      owner: OrganisationUid,
      type: AppointmentTypeUid,
      reminder: NewReminder
    ) {
      yield* types.ensure(owner, type)
      const row = {
        ...reminder,
        organisation_uid: owner,
        uid: yield* newUid(ReminderUid),
        appointment_type_uid: type,
        created_at: timestamp(yield* clock.now)
      }
      const [created] = yield* sql<Reminder>`INSERT INTO reminders ${sql.insert(row)} RETURNING ${columns}`.pipe(
        onSqlState(UNIQUE_VIOLATION, alreadyThere)
      )
      return created ?? (yield* Effect.dieMessage("an insert returns its row"))
    })

    /** Changes what is sent, in one statement. 409: the role has another at that time. 404: no such reminder. */
    const update = Effect.fn("Reminders.update")(function* (
      owner: OrganisationUid,
      type: AppointmentTypeUid,
      uid: ReminderUid,
      changes: ReminderChanges
    ) {
      yield* types.ensure(owner, type)
      const [updated] = yield* sql<Reminder>`
        UPDATE reminders SET ${sql.update({ appointment_type_uid: type, ...changes })}
        WHERE ${one(owner, type, uid)} RETURNING ${columns}`.pipe(onSqlState(UNIQUE_VIOLATION, alreadyThere))
      return updated ?? (yield* notFound)
    })

    /** 404: no such reminder, or deleted already. */
    const remove = Effect.fn("Reminders.remove")(function* (
      owner: OrganisationUid,
      type: AppointmentTypeUid,
      uid: ReminderUid
    ) {
      yield* types.ensure(owner, type)
      const removed = yield* sql`UPDATE reminders SET deleted_at = to_timestamp(${yield* clock.now})
        WHERE ${one(owner, type, uid)} RETURNING uid`.pipe(Effect.orDie)
      if (removed.length === 0) return yield* notFound
    })
    return { list, create, update, remove } as const
  }),
  dependencies: [DomainClock.Default, AppointmentTypes.Default]
}) {}
