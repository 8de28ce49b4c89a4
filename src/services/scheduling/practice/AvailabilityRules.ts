/** A doctor's recurring week (specification §2.4, §4.1). */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { type DoctorUid, type OrganisationUid, RuleUid } from "../../../schemas/ids.ts"
import { invalid, NotFound } from "../../../schemas/problems.ts"
import type {
  AvailabilityRule,
  AvailabilityRuleChanges,
  NewAvailabilityRule
} from "../../../schemas/scheduling/Availability.ts"
import { DomainClock } from "../../DomainClock.ts"
import { onConstraint, timestamp } from "../../SqlErrors.ts"
import { newUid } from "../../uid.ts"
import { AppointmentTypes } from "./AppointmentTypes.ts"
import { Doctors } from "./Doctors.ts"

const notFound = new NotFound({ what: "Availability rule" })

/** What an update says of one field that has a clear flag: nothing, a new value, or none. */
const cleared = <T>(clear: boolean | undefined, value: T | undefined): T | null | undefined => (clear ? null : value)

const sent = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const columnsOf = (changes: AvailabilityRuleChanges) => {
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

    const columns = sql`uid, doctor_uid, weekday, start_time, end_time, buffer_minutes, valid_from, valid_until, active,
      appointment_type_uid`

    /** The doctor's rules from Monday morning on. 404: no such doctor. */
    const list = Effect.fn("AvailabilityRules.list")(function* (owner: OrganisationUid, doctor: DoctorUid) {
      yield* doctors.ensure(owner, doctor)
      return yield* sql<AvailabilityRule>`SELECT ${columns} FROM availability_rules
        WHERE organisation_uid = ${owner} AND doctor_uid = ${doctor} AND deleted_at IS NULL
        ORDER BY weekday, start_time, uid`.pipe(Effect.orDie)
    })

    /** 404: no such doctor or appointment type. */
    const create = Effect.fn("AvailabilityRules.create")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      rule: NewAvailabilityRule
    ) {
      yield* doctors.ensure(owner, doctor)
      yield* types.ensure(owner, rule.appointment_type_uid)
      const row = {
        ...rule,
        organisation_uid: owner,
        uid: yield* newUid(RuleUid),
        doctor_uid: doctor,
        valid_from: timestamp(rule.valid_from),
        valid_until: timestamp(rule.valid_until),
        created_at: timestamp(yield* clock.now)
      }
      const [created] = yield* sql<AvailabilityRule>`
        INSERT INTO availability_rules ${sql.insert(row)} RETURNING ${columns}`.pipe(Effect.orDie)
      return created ?? (yield* Effect.dieMessage("an insert returns its row"))
    })

    /**
     * Changes what is sent, in one statement. What is sent may be fine by itself and still not fit what is there: 400.
     * 404: no such rule of that doctor, or no such appointment type.
     */
    const update = Effect.fn("AvailabilityRules.update")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      uid: RuleUid,
      changes: AvailabilityRuleChanges
    ) {
      yield* types.ensure(owner, changes.appointment_type_uid)
      const [updated] = yield* sql<AvailabilityRule>`
        UPDATE availability_rules SET ${sql.update({ doctor_uid: doctor, ...columnsOf(changes) })}
        WHERE organisation_uid = ${owner} AND doctor_uid = ${doctor} AND uid = ${uid} AND deleted_at IS NULL
        RETURNING ${columns}`.pipe(
        onConstraint("availability_rules_window", () => invalid("end_time", "must be after start_time")),
        onConstraint("availability_rules_validity", () => invalid("valid_until", "must be after valid_from")),
        Effect.catchTag("SqlError", Effect.die)
      )
      return updated ?? (yield* notFound)
    })

    /** 404: no such rule of that doctor, or deleted already. */
    const remove = Effect.fn("AvailabilityRules.remove")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      uid: RuleUid
    ) {
      const removed = yield* sql`UPDATE availability_rules SET deleted_at = to_timestamp(${yield* clock.now})
        WHERE organisation_uid = ${owner} AND doctor_uid = ${doctor} AND uid = ${uid} AND deleted_at IS NULL
        RETURNING uid`.pipe(Effect.orDie)
      if (removed.length === 0) return yield* notFound
    })
    return { list, create, update, remove } as const
  }),
  dependencies: [DomainClock.Default, Doctors.Default, AppointmentTypes.Default]
}) {}
