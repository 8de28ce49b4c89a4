/** Recurring weekly windows of doctors (Rule 7.5) and of resources (Rule 18.1.3). */
import { Effect, type Schema } from "effect"
import { isNothing } from "../../../schemas/fields.ts"
import { type OrganisationUid, RuleUid } from "../../../schemas/ids.ts"
import type { ListQuery } from "../../../schemas/paging.ts"
import { invalid } from "../../../schemas/problems.ts"
import type { RuleEntry } from "../../../schemas/provisioning/scheduling.ts"
import {
  AvailabilityRule,
  type AvailabilityRuleChanges,
  type NewAvailabilityRule,
  ResourceRule,
  type WeeklyHours
} from "../../../schemas/scheduling/Availability.ts"
import { AvailabilityRuleNotFound } from "../../../schemas/scheduling/errors.ts"
import { DomainClock } from "../../DomainClock.ts"
import { changedSince } from "../../database/changedSince.ts"
import { Database } from "../../database/Database.ts"
import { anyOr, columnsOf, rowsOf } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"
import { onConstraint, timestamp } from "../../database/SqlErrors.ts"
import { ensureBelowLimit, RECORD_LIMITS } from "../../recordLimits.ts"
import { Service } from "../../Service.ts"
import { newUid } from "../../uid.ts"
import { FreedTime } from "../booking/FreedTime.ts"
import { AppointmentTypes } from "./AppointmentTypes.ts"
import { Doctors } from "./Doctors.ts"
import { Resources } from "./Resources.ts"
import { doctorSubject, type HoursOf, resourceSubject } from "./subjects.ts"

const notFound = () => new AvailabilityRuleNotFound()

/** The columns that an update sets; a flag that clears a field wins over its value. */
const assignmentsOf = ({
  clear_valid_from,
  clear_valid_until,
  clear_appointment_type,
  valid_from,
  valid_until,
  ...plain
}: AvailabilityRuleChanges) => ({
  ...plain,
  ...(valid_from !== undefined && { valid_from: timestamp(valid_from) }),
  ...(valid_until !== undefined && { valid_until: timestamp(valid_until) }),
  ...(clear_valid_from === true && { valid_from: null }),
  ...(clear_valid_until === true && { valid_until: null }),
  ...(clear_appointment_type === true && { appointment_type_uid: null })
})

/** The rules of one kind of subject. Methods fail with the subject's error where it does not exist. */
const rulesOf = <Uid extends string, E, R, A, I>(subject: HoursOf<Uid, E, R>, record: Schema.Schema<A, I>) =>
  Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const types = yield* AppointmentTypes
    const ensureSubject = yield* subject.ensure
    const freed = yield* FreedTime
    const { transaction } = yield* Database
    const rules = rowsOf(record)
    const columns = sql.literal(columnsOf(record))
    const of = (owner: OrganisationUid, uid: Uid) =>
      sql`organisation_uid = ${owner} AND ${sql(subject.column)} = ${uid} AND deleted_at IS NULL`

    /** The subject's rules by weekday and start. */
    const list = Effect.fn("AvailabilityRules.list")(function* (owner: OrganisationUid, whose: Uid, query: ListQuery) {
      yield* ensureSubject(owner, whose)
      return yield* rules.all(sql`SELECT ${columns} FROM availability_rules
        WHERE ${sql.and([of(owner, whose), ...changedSince(sql, query)])}
        ORDER BY weekday, start_time, uid`)
    })

    /** All of them, locked until the transaction ends, in the order of the list. */
    const listForChange = Effect.fn("AvailabilityRules.listForChange")(function* (owner: OrganisationUid, whose: Uid) {
      yield* ensureSubject(owner, whose)
      return yield* rules.all(sql`SELECT ${columns} FROM availability_rules WHERE ${of(owner, whose)}
        ORDER BY weekday, start_time, uid FOR NO KEY UPDATE`)
    })

    /** Locks a rule until the transaction ends. Fails with `AvailabilityRuleNotFound`. */
    const findForChange = Effect.fn("AvailabilityRules.findForChange")(
      (owner: OrganisationUid, whose: Uid, uid: RuleUid) =>
        rules.firstOr(
          sql`SELECT ${columns} FROM availability_rules WHERE ${of(owner, whose)} AND uid = ${uid} FOR NO KEY UPDATE`,
          notFound
        )
    )

    /** Fails with `AppointmentTypeNotFound`, and with `Invalid` at a limit. */
    const create = Effect.fn("AvailabilityRules.create")(function* (
      owner: OrganisationUid,
      whose: Uid,
      rule: NewAvailabilityRule
    ) {
      yield* ensureSubject(owner, whose)
      yield* types.ensure(owner, rule.appointment_type_uid)
      yield* ensureBelowLimit(
        sql`SELECT count(*) AS count FROM availability_rules WHERE ${of(owner, whose)}`,
        RECORD_LIMITS.rules,
        "weekday",
        `rules of this ${subject.noun}`
      )
      yield* ensureBelowLimit(
        sql`SELECT count(*) AS count FROM availability_rules WHERE organisation_uid = ${owner} AND deleted_at IS NULL`,
        RECORD_LIMITS.allRules,
        "weekday",
        "rules of all doctors and resources"
      )
      const now = timestamp(yield* clock.now)
      const row = {
        ...rule,
        organisation_uid: owner,
        uid: yield* newUid(RuleUid),
        [subject.column]: whose,
        valid_from: timestamp(rule.valid_from),
        valid_until: timestamp(rule.valid_until),
        created_at: now,
        updated_at: now
      }
      return yield* rules.one(sql`INSERT INTO availability_rules ${sql.insert(row)} RETURNING ${columns}`)
    })

    /**
     * Replaces the weekly hours for all types; rules for one type and those with a bound stay. Returns all rules. Fails with `Invalid` at a
     * limit.
     */
    const replaceWeek = Effect.fn("AvailabilityRules.replaceWeek")(function* (
      owner: OrganisationUid,
      whose: Uid,
      { rules: wanted }: WeeklyHours
    ) {
      yield* ensureSubject(owner, whose)
      yield* Effect.orDie(sql`UPDATE availability_rules SET deleted_at = to_timestamp(${yield* clock.now})
        WHERE ${of(owner, whose)} AND num_nonnulls(appointment_type_uid, valid_from, valid_until) = 0`)
      const unbounded = { valid_from: null, valid_until: null, active: true, appointment_type_uid: null }
      yield* Effect.forEach(wanted, (rule) => create(owner, whose, { ...rule, ...unbounded }))
      return yield* list(owner, whose, {})
    }, transaction)

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
      whose: Uid,
      uid: RuleUid,
      changes: AvailabilityRuleChanges
    ) {
      if (isNothing(assignmentsOf(changes))) return yield* findForChange(owner, whose, uid)
      yield* types.ensure(owner, changes.appointment_type_uid)
      const updated_at = timestamp(yield* clock.now)
      return yield* rules.firstOr(
        sql`UPDATE availability_rules SET ${sql.update({ ...assignmentsOf(changes), updated_at })}
          WHERE ${of(owner, whose)} AND uid = ${uid} RETURNING ${columns}`.pipe(
          onConstraint("availability_rules_window", () => invalid("end_time", "must be after start_time")),
          onConstraint("availability_rules_validity", () => invalid("valid_until", "must be after valid_from"))
        ),
        notFound
      )
    })

    /** Fails with `AvailabilityRuleNotFound`, also if it was already deleted. */
    const remove = Effect.fn("AvailabilityRules.remove")(function* (owner: OrganisationUid, whose: Uid, uid: RuleUid) {
      yield* anyOr(
        sql`UPDATE availability_rules SET deleted_at = to_timestamp(${yield* clock.now})
          WHERE ${of(owner, whose)} AND uid = ${uid}
          RETURNING uid`,
        notFound
      )
    })
    /** A change may open time. */
    const offering = freed.offering(subject.doctors)
    return {
      list,
      findForChange,
      create: offering(create),
      listForChange,
      replaceWeek: offering(replaceWeek),
      provision,
      update: offering(update),
      remove: offering(remove)
    } as const
  })

export class AvailabilityRules extends Service<AvailabilityRules>()("scheduling/AvailabilityRules", {
  effect: rulesOf(doctorSubject, AvailabilityRule),
  dependencies: [Doctors.Default, AppointmentTypes.Default, FreedTime.Default]
}) {}

export class ResourceRules extends Service<ResourceRules>()("scheduling/ResourceRules", {
  effect: rulesOf(resourceSubject, ResourceRule),
  dependencies: [Resources.Default, AppointmentTypes.Default, FreedTime.Default]
}) {}
