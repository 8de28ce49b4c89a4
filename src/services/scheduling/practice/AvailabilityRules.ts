/** A doctor's recurring weekly windows. Rule 7.5. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { type DoctorUid, type OrganisationUid, RuleUid } from "../../../schemas/ids.ts"
import type { ListQuery } from "../../../schemas/paging.ts"
import { invalid } from "../../../schemas/problems.ts"
import type { RuleEntry } from "../../../schemas/provisioning/scheduling.ts"
import {
  AvailabilityRule,
  type AvailabilityRuleChanges,
  type NewAvailabilityRule
} from "../../../schemas/scheduling/Availability.ts"
import { AvailabilityRuleNotFound } from "../../../schemas/scheduling/errors.ts"
import { DomainClock } from "../../DomainClock.ts"
import { changedSince } from "../../database/changedSince.ts"
import { anyOr, columnsOf, rowsOf } from "../../database/rows.ts"
import { onConstraint, timestamp } from "../../database/SqlErrors.ts"
import { ensureBelowLimit, RECORD_LIMITS } from "../../recordLimits.ts"
import { newUid } from "../../uid.ts"
import { AppointmentTypes } from "./AppointmentTypes.ts"
import { Doctors } from "./Doctors.ts"

const notFound = () => new AvailabilityRuleNotFound()

/** The update's value for a field with a clear flag: undefined keeps it, null clears it. */
const cleared = <T>(clear: boolean | undefined, value: T | undefined): T | null | undefined => (clear ? null : value)

const sent = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const assignmentsOf = (changes: AvailabilityRuleChanges) => {
  const { clear_valid_from, clear_valid_until, clear_appointment_type, ...plain } = changes
  const valid_from = cleared(clear_valid_from, plain.valid_from)
  const valid_until = cleared(clear_valid_until, plain.valid_until)
  return sent({
    ...plain,
    valid_from: valid_from === undefined ? undefined : timestamp(valid_from),
    valid_until: valid_until === undefined ? undefined : timestamp(valid_until),
    appointment_type_uid: cleared(clear_appointment_type, plain.appointment_type_uid)
  })
}

export class AvailabilityRules extends Effect.Service<AvailabilityRules>()("scheduling/AvailabilityRules", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const doctors = yield* Doctors
    const types = yield* AppointmentTypes
    const rules = rowsOf(AvailabilityRule)
    const columns = sql.literal(columnsOf(AvailabilityRule))

    /** The doctor's rules by weekday and start. Fails with `DoctorNotFound`. */
    const list = Effect.fn("AvailabilityRules.list")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      query: ListQuery
    ) {
      yield* doctors.ensure(owner, doctor)
      const where = sql`organisation_uid = ${owner} AND doctor_uid = ${doctor} AND deleted_at IS NULL`
      return yield* rules.all(sql`SELECT ${columns} FROM availability_rules WHERE ${sql.and([where, ...changedSince(sql, query)])}
        ORDER BY weekday, start_time, uid`)
    })

    /** Locks a rule until the transaction ends. Fails with `AvailabilityRuleNotFound`. */
    const findForChange = Effect.fn("AvailabilityRules.findForChange")(
      (owner: OrganisationUid, doctor: DoctorUid, uid: RuleUid) =>
        rules.firstOr(
          sql`SELECT ${columns} FROM availability_rules WHERE organisation_uid = ${owner} AND doctor_uid = ${doctor}
            AND uid = ${uid} AND deleted_at IS NULL FOR NO KEY UPDATE`,
          notFound
        )
    )

    /** Fails with `DoctorNotFound` or `AppointmentTypeNotFound`, and with `Invalid` at a limit. */
    const create = Effect.fn("AvailabilityRules.create")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      rule: NewAvailabilityRule
    ) {
      yield* doctors.ensure(owner, doctor)
      yield* types.ensure(owner, rule.appointment_type_uid)
      yield* ensureBelowLimit(
        sql`SELECT count(*) AS count FROM availability_rules
          WHERE organisation_uid = ${owner} AND doctor_uid = ${doctor} AND deleted_at IS NULL`,
        RECORD_LIMITS.rules,
        "weekday",
        "rules of this doctor"
      )
      yield* ensureBelowLimit(
        sql`SELECT count(*) AS count FROM availability_rules WHERE organisation_uid = ${owner} AND deleted_at IS NULL`,
        RECORD_LIMITS.allRules,
        "weekday",
        "rules of all doctors"
      )
      const now = timestamp(yield* clock.now)
      const row = {
        ...rule,
        organisation_uid: owner,
        uid: yield* newUid(RuleUid),
        doctor_uid: doctor,
        valid_from: timestamp(rule.valid_from),
        valid_until: timestamp(rule.valid_until),
        created_at: now,
        updated_at: now
      }
      return yield* rules.one(sql`INSERT INTO availability_rules ${sql.insert(row)} RETURNING ${columns}`)
    })

    /** Creates or replaces a rule of a provisioning file, also one that was deleted. */
    const provision = Effect.fn("AvailabilityRules.provision")(function* (owner: OrganisationUid, entry: RuleEntry) {
      const { uid, valid_from, valid_until, ...rest } = entry
      const now = timestamp(yield* clock.now)
      const row = { ...rest, valid_from: timestamp(valid_from), valid_until: timestamp(valid_until), updated_at: now }
      const key = { organisation_uid: owner, uid, created_at: now }
      yield* sql`INSERT INTO availability_rules ${sql.insert({ ...key, ...row })}
        ON CONFLICT (organisation_uid, uid) DO UPDATE SET ${sql.update(row)}, deleted_at = NULL`
    })

    /**
     * Updates the fields sent, in one statement. Fails with `Invalid` if they conflict with stored ones, with `AvailabilityRuleNotFound`
     * or `AppointmentTypeNotFound`.
     */
    const update = Effect.fn("AvailabilityRules.update")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      uid: RuleUid,
      changes: AvailabilityRuleChanges
    ) {
      yield* types.ensure(owner, changes.appointment_type_uid)
      const updated_at = timestamp(yield* clock.now)
      return yield* rules.firstOr(
        sql`UPDATE availability_rules SET ${sql.update({ ...assignmentsOf(changes), updated_at })}
          WHERE organisation_uid = ${owner} AND doctor_uid = ${doctor} AND uid = ${uid} AND deleted_at IS NULL
          RETURNING ${columns}`.pipe(
          onConstraint("availability_rules_window", () => invalid("end_time", "must be after start_time")),
          onConstraint("availability_rules_validity", () => invalid("valid_until", "must be after valid_from"))
        ),
        notFound
      )
    })

    /** Fails with `AvailabilityRuleNotFound`, also if it was already deleted. */
    const remove = Effect.fn("AvailabilityRules.remove")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      uid: RuleUid
    ) {
      yield* anyOr(
        sql`UPDATE availability_rules SET deleted_at = to_timestamp(${yield* clock.now})
          WHERE organisation_uid = ${owner} AND doctor_uid = ${doctor} AND uid = ${uid} AND deleted_at IS NULL
          RETURNING uid`,
        notFound
      )
    })
    return { list, findForChange, create, provision, update, remove } as const
  }),
  dependencies: [DomainClock.Default, Doctors.Default, AppointmentTypes.Default]
}) {}
