/** Rooms, devices and other persons of an organisation; the only writer of their table. Section 18.1. */
import { Effect } from "effect"
import { isNothing } from "../../../schemas/fields.ts"
import { type OrganisationUid, ResourceUid } from "../../../schemas/ids.ts"
import type { ListQuery } from "../../../schemas/paging.ts"
import type { ResourceEntry } from "../../../schemas/provisioning/scheduling.ts"
import { ResourceNotFound } from "../../../schemas/scheduling/errors.ts"
import { type NewResource, Resource, type ResourceChanges } from "../../../schemas/scheduling/Resource.ts"
import { DomainClock } from "../../DomainClock.ts"
import { changedSince } from "../../database/changedSince.ts"
import { anyOr, columnsOf, rowsOf } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"
import { timestamp } from "../../database/SqlErrors.ts"
import { ensureBelowLimit, RECORD_LIMITS } from "../../recordLimits.ts"
import { Service } from "../../Service.ts"
import { newUid } from "../../uid.ts"
import { FreedTime } from "../booking/FreedTime.ts"

const notFound = () => new ResourceNotFound()

export class Resources extends Service<Resources>()("scheduling/Resources", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const freed = yield* FreedTime
    const resources = rowsOf(Resource)
    const columns = sql.literal(columnsOf(Resource))
    const present = (owner: OrganisationUid) => sql`organisation_uid = ${owner} AND deleted_at IS NULL`
    const of = (owner: OrganisationUid, uid: ResourceUid) => sql`${present(owner)} AND uid = ${uid}`

    /** Every resource that is not deleted, by name. */
    const list = Effect.fn("Resources.list")((owner: OrganisationUid, query: ListQuery) =>
      resources.all(sql`SELECT ${columns} FROM resources
        WHERE ${sql.and([present(owner), ...changedSince(sql, query)])} ORDER BY name, uid`)
    )

    const one = (name: string, locking = sql``) =>
      Effect.fn(name)((owner: OrganisationUid, uid: ResourceUid) =>
        resources.firstOr(sql`SELECT ${columns} FROM resources WHERE ${of(owner, uid)} ${locking}`, notFound)
      )
    /** Fails with `ResourceNotFound`. */
    const find = one("Resources.find")
    /** As `find`, locked until the transaction ends. */
    const findForChange = one("Resources.findForChange", sql`FOR NO KEY UPDATE`)

    /** Fails with `ResourceNotFound` unless the resource is the organisation's and not deleted. */
    const ensure = Effect.fn("Resources.ensure")((owner: OrganisationUid, uid: ResourceUid) =>
      anyOr(sql`SELECT 1 FROM resources WHERE ${of(owner, uid)}`, notFound)
    )

    /** Fails with `Invalid` at the limit. */
    const create = Effect.fn("Resources.create")(function* (owner: OrganisationUid, resource: NewResource) {
      yield* ensureBelowLimit(
        sql`SELECT count(*) AS count FROM resources WHERE ${present(owner)}`,
        RECORD_LIMITS.resources,
        "name",
        "resources"
      )
      const now = timestamp(yield* clock.now)
      const uid = yield* newUid(ResourceUid)
      const row = { ...resource, organisation_uid: owner, uid, created_at: now, updated_at: now }
      return yield* resources.one(sql`INSERT INTO resources ${sql.insert(row)} RETURNING ${columns}`)
    })

    /** Creates or replaces a resource of a provisioning file, also one that was deleted. */
    const provision = Effect.fn("Resources.provision")(function* (entry: ResourceEntry) {
      const now = timestamp(yield* clock.now)
      const { uid: _uid, organisation_uid: _owner, ...fields } = entry
      yield* sql`INSERT INTO resources ${sql.insert({ ...entry, created_at: now, updated_at: now })}
        ON CONFLICT (organisation_uid, uid) DO UPDATE
        SET ${sql.update({ ...fields, updated_at: now })}, deleted_at = NULL`
    })

    /**
     * Updates the fields sent, in one statement. Appointments that took the resource keep it, also one that is no longer active. Fails
     * with `ResourceNotFound`.
     */
    const update = Effect.fn("Resources.update")(function* (
      owner: OrganisationUid,
      uid: ResourceUid,
      changes: ResourceChanges
    ) {
      if (isNothing(changes)) return yield* findForChange(owner, uid)
      const updated_at = timestamp(yield* clock.now)
      return yield* resources.firstOr(
        sql`UPDATE resources SET ${sql.update({ ...changes, updated_at })} WHERE ${of(owner, uid)} RETURNING ${columns}`,
        notFound
      )
    })

    /**
     * Marks the resource deleted: nothing new takes it, and appointments that took it keep it. Fails with `ResourceNotFound`, also if it
     * was already deleted.
     */
    const remove = Effect.fn("Resources.remove")(function* (owner: OrganisationUid, uid: ResourceUid) {
      const now = yield* clock.now
      yield* anyOr(
        sql`UPDATE resources SET deleted_at = to_timestamp(${now}) WHERE ${of(owner, uid)} RETURNING uid`,
        notFound
      )
    })
    return {
      list,
      find,
      findForChange,
      ensure,
      create,
      provision,
      // it may open time
      update: freed.offering((_: ResourceUid) => undefined)(update),
      remove
    } as const
  }),
  dependencies: [FreedTime.Default]
}) {}
