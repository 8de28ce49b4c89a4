/** Reminders of an appointment type: recipient role, lead time and channels. Rule 7.4. */
import { Effect } from "effect"
import { isNothing } from "../../../schemas/fields.ts"
import { type AppointmentTypeUid, type OrganisationUid, ReminderUid } from "../../../schemas/ids.ts"
import type { ListQuery } from "../../../schemas/paging.ts"
import type { ReminderEntry } from "../../../schemas/provisioning/scheduling.ts"
import { ReminderExists, ReminderNotFound } from "../../../schemas/scheduling/errors.ts"
import { type NewReminder, Reminder, type ReminderChanges } from "../../../schemas/scheduling/Reminder.ts"
import { DomainClock } from "../../DomainClock.ts"
import { changedSince } from "../../database/changedSince.ts"
import { anyOr, columnsOf, rowsOf } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"
import { onSqlState, timestamp, UNIQUE_VIOLATION } from "../../database/SqlErrors.ts"
import { ensureBelowLimit, RECORD_LIMITS } from "../../recordLimits.ts"
import { Service } from "../../Service.ts"
import { newUid } from "../../uid.ts"
import { AppointmentTypes } from "./AppointmentTypes.ts"

/**
 * SQL for `effective_from` in an UPDATE: now, if the change creates due times in the past (switched on, moved, another role, undeleted),
 * else unchanged.
 */
const effectiveFrom = (
  sql: Sql,
  { active, minutes_before, recipient_role }: ReminderChanges,
  now: number
) => sql`CASE WHEN reminders.deleted_at IS NOT NULL OR (${active ?? null}::boolean AND NOT reminders.active)
    OR reminders.minutes_before <> ${minutes_before ?? null}::integer
    OR reminders.recipient_role <> ${recipient_role ?? null}::text
  THEN to_timestamp(${now}) ELSE reminders.effective_from END`

const notFound = () => new ReminderNotFound()
const exists = onSqlState(UNIQUE_VIOLATION, () => new ReminderExists())

export class Reminders extends Service<Reminders>()("scheduling/Reminders", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const types = yield* AppointmentTypes
    const reminders = rowsOf(Reminder)
    const columns = sql.literal(columnsOf(Reminder))
    const one = (owner: OrganisationUid, type: AppointmentTypeUid, uid: ReminderUid) =>
      sql`organisation_uid = ${owner} AND appointment_type_uid = ${type} AND uid = ${uid} AND deleted_at IS NULL`

    /** By role, the earliest first. Fails with `AppointmentTypeNotFound`. */
    const list = Effect.fn("Reminders.list")(function* (
      owner: OrganisationUid,
      type: AppointmentTypeUid,
      query: ListQuery
    ) {
      yield* types.ensure(owner, type)
      const where = sql`organisation_uid = ${owner} AND appointment_type_uid = ${type} AND deleted_at IS NULL`
      return yield* reminders.all(sql`SELECT ${columns} FROM reminders WHERE ${sql.and([where, ...changedSince(sql, query)])}
        ORDER BY recipient_role, minutes_before DESC, uid`)
    })

    /** Locks a reminder until the transaction ends. Fails with `AppointmentTypeNotFound` or `ReminderNotFound`. */
    const findForChange = Effect.fn("Reminders.findForChange")(function* (
      owner: OrganisationUid,
      type: AppointmentTypeUid,
      uid: ReminderUid
    ) {
      yield* types.ensure(owner, type)
      return yield* reminders.firstOr(
        sql`SELECT ${columns} FROM reminders WHERE ${one(owner, type, uid)} FOR NO KEY UPDATE`,
        notFound
      )
    })

    /** Fails with `AppointmentTypeNotFound`, `ReminderExists` if the role has one at that time, and `Invalid` at a limit. */
    const create = Effect.fn("Reminders.create")(function* (
      owner: OrganisationUid,
      type: AppointmentTypeUid,
      reminder: NewReminder
    ) {
      yield* types.ensure(owner, type)
      const ofAll = sql`organisation_uid = ${owner} AND deleted_at IS NULL`
      yield* ensureBelowLimit(
        sql`SELECT count(*) AS count FROM reminders WHERE ${ofAll} AND appointment_type_uid = ${type}`,
        RECORD_LIMITS.reminders,
        "minutes_before",
        "reminders of this type"
      )
      yield* ensureBelowLimit(
        sql`SELECT count(*) AS count FROM reminders WHERE ${ofAll}`,
        RECORD_LIMITS.allReminders,
        "minutes_before",
        "reminders of all types"
      )
      const now = timestamp(yield* clock.now)
      const row = {
        ...reminder,
        organisation_uid: owner,
        uid: yield* newUid(ReminderUid),
        appointment_type_uid: type,
        created_at: now,
        updated_at: now,
        effective_from: now
      }
      return yield* reminders.one(sql`INSERT INTO reminders ${sql.insert(row)} RETURNING ${columns}`.pipe(exists))
    })

    /** Creates or replaces a reminder of a provisioning file, also one that was deleted. */
    const provision = Effect.fn("Reminders.provision")(function* (owner: OrganisationUid, entry: ReminderEntry) {
      const now = yield* clock.now
      const { uid, ...rest } = entry
      const fields = { ...rest, updated_at: timestamp(now) }
      const key = { organisation_uid: owner, uid, created_at: timestamp(now), effective_from: timestamp(now) }
      yield* sql`INSERT INTO reminders ${sql.insert({ ...key, ...fields })}
        ON CONFLICT (organisation_uid, uid) DO UPDATE SET ${sql.update(fields)}, deleted_at = NULL,
          effective_from = ${effectiveFrom(sql, entry, now)}`
    })

    /**
     * Updates the fields sent, in one statement; due times in the past are not sent. Rules 6.6.6, 6.6.7. Fails with
     * `AppointmentTypeNotFound`, `ReminderNotFound`, or `ReminderExists` if the role has another one at that time.
     */
    const update = Effect.fn("Reminders.update")(function* (
      owner: OrganisationUid,
      type: AppointmentTypeUid,
      uid: ReminderUid,
      changes: ReminderChanges
    ) {
      if (isNothing(changes)) return yield* findForChange(owner, type, uid)
      yield* types.ensure(owner, type)
      const now = yield* clock.now
      return yield* reminders.firstOr(
        sql`UPDATE reminders SET ${sql.update({ ...changes, updated_at: timestamp(now) })},
          effective_from = ${effectiveFrom(sql, changes, now)}
          WHERE ${one(owner, type, uid)} RETURNING ${columns}`.pipe(exists),
        notFound
      )
    })

    /** Fails with `AppointmentTypeNotFound`, or `ReminderNotFound` also if it was already deleted. */
    const remove = Effect.fn("Reminders.remove")(function* (
      owner: OrganisationUid,
      type: AppointmentTypeUid,
      uid: ReminderUid
    ) {
      yield* types.ensure(owner, type)
      yield* anyOr(
        sql`UPDATE reminders SET deleted_at = to_timestamp(${yield* clock.now})
          WHERE ${one(owner, type, uid)} RETURNING uid`,
        notFound
      )
    })
    return { list, findForChange, create, provision, update, remove } as const
  }),
  dependencies: [AppointmentTypes.Default]
}) {}
