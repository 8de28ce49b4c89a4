/** Appointment types that an organisation offers (Rule 7.3). */
import { Effect, Schema } from "effect"
import { ShopNotFound } from "../../../schemas/access/errors.ts"
import { isNothing } from "../../../schemas/fields.ts"
import { AppointmentTypeUid, type OrganisationUid } from "../../../schemas/ids.ts"
import type { ListQuery } from "../../../schemas/paging.ts"
import { Invalid } from "../../../schemas/problems.ts"
import type { AppointmentTypeEntry } from "../../../schemas/provisioning/scheduling.ts"
import {
  AppointmentType,
  type AppointmentTypeChanges,
  type NewAppointmentType,
  PublicAppointmentType,
  typeFields,
  WholeType
} from "../../../schemas/scheduling/AppointmentType.ts"
import { AppointmentTypeNotFound } from "../../../schemas/scheduling/errors.ts"
import type { Requirement } from "../../../schemas/scheduling/Requirements.ts"
import { DomainClock } from "../../DomainClock.ts"
import { changedSince } from "../../database/changedSince.ts"
import { matchingOf, namedColumns } from "../../database/matching.ts"
import { anyOr, columnsOf, rowsOf, withAdded } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"
import { timestamp } from "../../database/SqlErrors.ts"
import { Extensions } from "../../Extensions.ts"
import { ensureBelowLimit, RECORD_LIMITS } from "../../recordLimits.ts"
import { Service } from "../../Service.ts"
import { OwnerByKey } from "../../tenancy/OwnerByKey.ts"
import { newUid } from "../../uid.ts"
import { FreedTime } from "../booking/FreedTime.ts"

const notFound = () => new AppointmentTypeNotFound()

const Matched = Schema.Struct({ ...AppointmentType.fields, deleted: Schema.Boolean })

/** The columns of a type's fields: lists are stored as JSON, and so are those of capabilities, together. */
const rowOf = <T extends AppointmentTypeChanges>({ translations, requirements, limits, formats, ...row }: T) => ({
  ...typeFields.without(row),
  ...(translations !== undefined && { translations: JSON.stringify(translations) }),
  ...(requirements !== undefined && { requirements: JSON.stringify(requirements) }),
  ...(limits !== undefined && { limits: JSON.stringify(limits) }),
  ...(formats !== undefined && { formats: JSON.stringify(formats) })
})

/** Columns with texts for patients. */
const TEXTS = ["description", "preparation", "cancellation_rule", "price", "translations"] as const

const bytesOf = (text: AppointmentTypeChanges[(typeof TEXTS)[number]]) =>
  typeof text === "object" && text !== null
    ? text.length === 0
      ? 0
      : Buffer.byteLength(JSON.stringify(text))
    : Buffer.byteLength(text ?? "")

export class AppointmentTypes extends Service<AppointmentTypes>()("scheduling/AppointmentTypes", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const owners = yield* OwnerByKey
    const clock = yield* DomainClock
    const freed = yield* FreedTime
    const extensions = yield* Extensions
    const types = rowsOf(WholeType)
    const offered = rowsOf(Schema.Struct({ types: Schema.Array(PublicAppointmentType) }))
    const subjects = rowsOf(Schema.Struct({ kind: Schema.String, uid: Schema.String }))
    const stored = sql.literal(columnsOf(AppointmentType))
    const columns = () => withAdded(sql, sql`${stored}`, typeFields)

    /** Fails with `Invalid` where a capability refuses the fields that it has added. */
    const ensureAdded = Effect.fnUntraced(function* (owner: OrganisationUid, sent: AppointmentTypeChanges) {
      const fields = typeFields.among(sent)
      if (isNothing(fields)) return
      yield* Effect.forEach(yield* extensions.having("typeFields"), (one) => one.typeFields(owner, fields), {
        discard: true
      })
    })

    /** Every type that is not deleted, by name. */
    const list = (owner: OrganisationUid, query: ListQuery) =>
      types.all(sql`SELECT ${columns()} FROM appointment_types
        WHERE ${sql.and([sql`organisation_uid = ${owner} AND deleted_at IS NULL`, ...changedSince(sql, query)])}
        ORDER BY name, uid`)

    /** Those that fit a condition, deleted ones too, by uid and without what capabilities add. */
    const matching = matchingOf(sql, Matched, {
      fields: { ...namedColumns(sql, AppointmentType, "t"), deleted: sql`(t.deleted_at IS NOT NULL)` },
      from: (owner) => sql`FROM appointment_types t WHERE t.organisation_uid = ${owner}`,
      key: [["uid", sql`t.uid`]]
    })

    /** The types that a shop's patients can book: active ones, by name. Fails with `ShopNotFound`. */
    const ofShop = (shop_uid: string) => {
      const unknown = () => new ShopNotFound()
      const found = (owner: OrganisationUid) =>
        offered.firstOr(
          sql`SELECT (SELECT coalesce(json_agg(t ORDER BY t.name, t.uid), '[]') FROM (
                SELECT ${sql.literal(columnsOf(PublicAppointmentType))} FROM appointment_types
                WHERE organisation_uid = ${owner} AND active AND deleted_at IS NULL) t) AS types
              FROM shops s WHERE s.uid = ${shop_uid} AND s.organisation_uid = ${owner}`,
          unknown
        )
      return Effect.map(owners.within({ kind: "shop", key: shop_uid }, unknown, found), ({ types }) => types)
    }

    /** Locks a type until the transaction ends. Fails with `AppointmentTypeNotFound`. */
    const findForChange = (owner: OrganisationUid, uid: AppointmentTypeUid) =>
      types.firstOr(
        sql`SELECT ${columns()} FROM appointment_types
            WHERE organisation_uid = ${owner} AND uid = ${uid} AND deleted_at IS NULL FOR NO KEY UPDATE`,
        notFound
      )

    /** Fails with `Invalid` if the texts of all types together would be too long. Removing a text is always possible. */
    const ensureTextsFit = (owner: OrganisationUid, uid: string, sent: AppointmentTypeChanges) => {
      const added = TEXTS.reduce((sum, name) => sum + bytesOf(sent[name]), 0)
      if (added === 0) return Effect.void
      const kept = TEXTS.map((name) => {
        const text = sql`nullif(${sql(name)}::text, '[]')`
        return sent[name] === undefined ? text : sql`CASE WHEN uid <> ${uid} THEN ${text} END`
      })
      return ensureBelowLimit(
        sql`SELECT coalesce(sum(octet_length(concat(${sql.join(", ", false)(kept)}))), 0)::bigint + ${added}::bigint AS count
          FROM appointment_types WHERE organisation_uid = ${owner} AND deleted_at IS NULL`,
        RECORD_LIMITS.typeTexts + 1,
        "description",
        "bytes of texts for patients in all types"
      )
    }

    /** Fails with `Invalid`, naming each subject of the requirements that the organisation does not have. */
    const ensureRequirements = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      requirements: ReadonlyArray<Requirement> = []
    ) {
      const named = requirements.flatMap(({ resource_uids = [], doctor_uids = [] }, i) => [
        ...resource_uids.map((uid, j) => ({ field: `requirements[${i}].resource_uids[${j}]`, kind: "resource", uid })),
        ...doctor_uids.map((uid, j) => ({ field: `requirements[${i}].doctor_uids[${j}]`, kind: "doctor", uid }))
      ])
      if (named.length === 0) return
      const uids = named.map(({ uid }) => uid)
      const known = yield* subjects.all(sql`SELECT 'resource' AS kind, uid FROM resources
          WHERE organisation_uid = ${owner} AND deleted_at IS NULL AND uid = ANY (${uids}::text[])
        UNION ALL SELECT 'doctor', uid FROM doctors
          WHERE organisation_uid = ${owner} AND deleted_at IS NULL AND uid = ANY (${uids}::text[])`)
      const faults = named.flatMap(({ field, kind, uid }) =>
        known.some((one) => one.kind === kind && one.uid === uid)
          ? []
          : [{ field, message: `is no ${kind} of the organisation` }]
      )
      if (faults.length > 0) return yield* new Invalid({ faults })
    })

    /** Fails with `Invalid` at the limits, and for an unknown subject of a requirement. */
    const create = Effect.fnUntraced(function* (owner: OrganisationUid, type: NewAppointmentType) {
      yield* ensureBelowLimit(
        sql`SELECT count(*) AS count FROM appointment_types WHERE organisation_uid = ${owner} AND deleted_at IS NULL`,
        RECORD_LIMITS.appointmentTypes,
        "name",
        "appointment types"
      )
      yield* ensureTextsFit(owner, "", type)
      yield* ensureRequirements(owner, type.requirements)
      yield* ensureAdded(owner, type)
      const now = timestamp(yield* clock.now)
      const uid = yield* newUid(AppointmentTypeUid)
      const added = JSON.stringify(typeFields.among(type))
      const row = { ...rowOf(type), added, organisation_uid: owner, uid, created_at: now, updated_at: now }
      return yield* types.one(sql`INSERT INTO appointment_types ${sql.insert(row)} RETURNING ${columns()}`)
    })

    /**
     * Creates or replaces a type of a provisioning file, also one that was deleted. Fails with `Invalid` for an unknown subject of a
     * requirement.
     */
    const provision = Effect.fnUntraced(function* (entry: AppointmentTypeEntry) {
      yield* ensureRequirements(entry.organisation_uid, entry.requirements)
      yield* ensureAdded(entry.organisation_uid, entry)
      const now = timestamp(yield* clock.now)
      const { uid, organisation_uid, ...rest } = entry
      const fields = { ...rowOf(rest), added: JSON.stringify(typeFields.among(rest)) }
      const key = { organisation_uid, uid, created_at: now, updated_at: now }
      yield* sql`INSERT INTO appointment_types ${sql.insert({ ...key, ...fields })}
        ON CONFLICT (organisation_uid, uid) DO UPDATE
        SET ${sql.update({ ...fields, updated_at: now }, ["added"])},
          added = appointment_types.added || excluded.added, deleted_at = NULL`
    })

    /**
     * Updates the fields sent, in one statement, so that concurrent updates of different fields are both kept. Fails with `Invalid` at
     * the limit of texts, and for an unknown subject of a requirement.
     */
    const update = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      uid: AppointmentTypeUid,
      changes: AppointmentTypeChanges
    ) {
      if (isNothing(changes)) return yield* findForChange(owner, uid)
      yield* ensureTextsFit(owner, uid, changes)
      yield* ensureRequirements(owner, changes.requirements)
      yield* ensureAdded(owner, changes)
      const updated_at = timestamp(yield* clock.now)
      return yield* types.firstOr(
        sql`UPDATE appointment_types SET ${sql.update({ ...rowOf(changes), updated_at })},
            added = added || ${JSON.stringify(typeFields.among(changes))}::jsonb
          WHERE organisation_uid = ${owner} AND uid = ${uid} AND deleted_at IS NULL RETURNING ${columns()}`,
        notFound
      )
    })

    /** Marks the type deleted and removes it from every list; its appointments keep its name. */
    const remove = Effect.fnUntraced(function* (owner: OrganisationUid, uid: AppointmentTypeUid) {
      const now = yield* clock.now
      yield* anyOr(
        sql`UPDATE appointment_types SET deleted_at = to_timestamp(${now})
          WHERE organisation_uid = ${owner} AND uid = ${uid} AND deleted_at IS NULL RETURNING uid`,
        notFound
      )
    })

    /**
     * Fails with `AppointmentTypeNotFound` unless the type is the organisation's and not deleted; null, which means all types, passes.
     */
    const ensure = Effect.fnUntraced(function* (owner: OrganisationUid, uid: AppointmentTypeUid | null | undefined) {
      if (uid === null || uid === undefined) return
      yield* anyOr(
        sql`SELECT 1 FROM appointment_types
          WHERE organisation_uid = ${owner} AND uid = ${uid} AND deleted_at IS NULL`,
        notFound
      )
    })
    return {
      list,
      matching,
      ofShop,
      findForChange,
      create,
      provision,
      // it may open time
      update: freed.offering((_: AppointmentTypeUid) => undefined)(update),
      remove,
      ensure
    } as const
  }),
  dependencies: [OwnerByKey.Default, FreedTime.Default]
}) {}
