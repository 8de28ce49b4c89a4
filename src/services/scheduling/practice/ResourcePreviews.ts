/** Previews which appointments a change of a resource, its removal or a change of its overrides hits. Read-only (Rule 18.1.5). */
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { AppointmentTypeUid, AppointmentUid, type OrganisationUid, type ResourceUid } from "../../../schemas/ids.ts"
import type { DateOverridePreview } from "../../../schemas/scheduling/DateOverride.ts"
import type { Resource, ResourceEffects, ResourcePreview } from "../../../schemas/scheduling/Resource.ts"
import { DomainClock } from "../../DomainClock.ts"
import { rowsOf } from "../../database/rows.ts"
import type { DateOverride, Rule } from "../slots/calendar.ts"
import { coveredHours } from "../slots/offered.ts"
import { AppointmentTypes } from "./AppointmentTypes.ts"
import { ResourceRules } from "./AvailabilityRules.ts"
import { ResourceOverridesRepo } from "./DateOverridesRepo.ts"
import { overridesAfter } from "./OverridePreviews.ts"
import { Resources } from "./Resources.ts"

const Taking = Schema.Struct({
  uid: AppointmentUid,
  appointment_type_uid: Schema.NullOr(AppointmentTypeUid),
  start_date: UnixSeconds,
  end_date: UnixSeconds
})
type Taking = typeof Taking.Type

const Zone = Schema.Struct({ timezone: Schema.String })

/** What decides whether a resource is open. */
interface Opening extends Pick<Resource, "active" | "always_available"> {
  readonly timezone: string
  readonly rules: ReadonlyArray<Rule>
  readonly overrides: ReadonlyArray<DateOverride>
}

/** Whether the resource is open for the whole of an appointment. */
const openFor = ({ active, always_available, ...hours }: Opening) => {
  if (!active) return () => false
  if (always_available) return () => true
  const isCovered = coveredHours(hours)
  return ({ appointment_type_uid, start_date, end_date }: Taking) =>
    isCovered(appointment_type_uid, start_date, end_date)
}

/** Appointments for which it is open before and not afterwards. */
const hitBy = (taking: ReadonlyArray<Taking>, before: Opening, after: Opening): ResourceEffects => {
  const [was, becomes] = [openFor(before), openFor(after)]
  return { hit: taking.filter((one) => was(one) && !becomes(one)).map(({ uid }) => uid) }
}

export class ResourcePreviews extends Effect.Service<ResourcePreviews>()("scheduling/ResourcePreviews", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const types = yield* AppointmentTypes
    const resources = yield* Resources
    const rules = yield* ResourceRules
    const overrides = yield* ResourceOverridesRepo
    const appointments = rowsOf(Taking)
    const zones = rowsOf(Zone)

    /** Confirmed appointments with the resource that have not ended, by start. */
    const taking = (owner: OrganisationUid, uid: ResourceUid, now: number) =>
      appointments.all(sql`SELECT a.uid, a.appointment_type_uid, a.start_date, a.end_date
        FROM claims c JOIN appointments a ON a.organisation_uid = ${owner} AND a.uid = c.appointment_uid
        WHERE c.organisation_uid = ${owner} AND c.subject_kind = 'resource' AND c.subject_uid = ${uid}
          AND upper(c.during) > to_timestamp(${now}) AND a.status = 'confirmed'
        ORDER BY a.start_date, a.uid COLLATE "C"`)

    const read = Effect.fnUntraced(function* (owner: OrganisationUid, uid: ResourceUid) {
      const now = yield* clock.now
      const { active, always_available } = yield* resources.find(owner, uid)
      const { timezone } = yield* zones.one(sql`SELECT timezone FROM organisations WHERE organisation_uid = ${owner}`)
      const weekly = (yield* rules.list(owner, uid, {})).filter((rule) => rule.active)
      const stored = yield* overrides.since(owner, uid, now)
      const opening: Opening = { active, always_available, timezone, rules: weekly, overrides: stored }
      return { opening, stored, taking: yield* taking(owner, uid, now) }
    })

    /** The effects of an update, or of the removal without `changes`. Fails with `ResourceNotFound`. */
    const ofChange = Effect.fn("ResourcePreviews.ofChange")(function* (
      owner: OrganisationUid,
      uid: ResourceUid,
      { changes }: ResourcePreview
    ) {
      const found = yield* read(owner, uid)
      // what is removed is gone for every appointment, also one outside of its hours
      if (changes === undefined) return { hit: found.taking.map((one) => one.uid) }
      return hitBy(found.taking, found.opening, { ...found.opening, ...changes })
    })

    /**
     * The effects of a change of the overrides. Fails as the change itself, with `ResourceNotFound`, `DateOverrideNotFound` or
     * `AppointmentTypeNotFound`.
     */
    const ofOverride = Effect.fn("ResourcePreviews.ofOverride")(function* (
      owner: OrganisationUid,
      uid: ResourceUid,
      request: DateOverridePreview
    ) {
      const { override, override_uid } = request
      const found = yield* read(owner, uid)
      yield* types.ensure(owner, override?.appointment_type_uid)
      if (override_uid !== undefined) yield* overrides.ensure(owner, uid, override_uid)
      const after = overridesAfter(found.stored, request)
      return hitBy(found.taking, found.opening, { ...found.opening, overrides: after })
    })

    return { ofChange, ofOverride } as const
  }),
  dependencies: [
    DomainClock.Default,
    AppointmentTypes.Default,
    Resources.Default,
    ResourceRules.Default,
    ResourceOverridesRepo.Default
  ]
}) {}
