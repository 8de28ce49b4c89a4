/** People who work in a practice, and their invitations; the only writer of their table. Rules 1.9.11 to 1.9.13 and 12.1.27. */

import { Effect, Schema } from "effect"
import type { Actor } from "../../../../schemas/access/Actor.ts"
import { claimedRole } from "../../../../schemas/access/PracticeRole.ts"
import type { StaffClaims, StaffMember } from "../../../../schemas/access/StaffMember.ts"
import { isNothing, UnixSeconds } from "../../../../schemas/fields.ts"
import { type OrganisationUid, StaffPersonUid } from "../../../../schemas/ids.ts"
import type { ListQuery } from "../../../../schemas/paging.ts"
import { invalid } from "../../../../schemas/problems.ts"
import { WEEK } from "../../../../schemas/seconds.ts"
import { DomainClock, realNow } from "../../../../services/DomainClock.ts"
import { changedSince } from "../../../../services/database/changedSince.ts"
import { Database } from "../../../../services/database/Database.ts"
import { any, anyOr, rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { timestamp } from "../../../../services/database/SqlErrors.ts"
import { ensureBelowLimit, RECORD_LIMITS } from "../../../../services/recordLimits.ts"
import { Service } from "../../../../services/Service.ts"
import { OwnerByKey, tagKey } from "../../../../services/tenancy/OwnerByKey.ts"
import { onlyOwner, unaudited } from "../../../../services/tenancy/Tenancy.ts"
import { hashOf, newCodeOf, newUid } from "../../../../services/uid.ts"
import { StaffPersonNotFound } from "../../schemas/errors.ts"
import {
  type NewStaffPerson,
  type StaffEntry,
  StaffPerson,
  type StaffPersonChanges
} from "../../schemas/StaffPerson.ts"

/** How long an invitation can be accepted, seconds. */
const INVITATION_SECONDS = WEEK

const notFound = () => new StaffPersonNotFound()

export class StaffPeople extends Service<StaffPeople>()("access/StaffPeople", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const byKey = yield* OwnerByKey
    const people = rowsOf(StaffPerson)
    const accepted = rowsOf(Schema.Struct({ email: Schema.NullOr(Schema.String) }))
    const invitations = rowsOf(Schema.Struct({ display_name: Schema.String, practice: Schema.String }))
    const columns = sql`uid, display_name, email, coalesce(role, provider_role) AS role,
      CASE WHEN role IS NULL THEN 'provider' ELSE 'console' END AS role_from, subject,
      CASE WHEN removed_at IS NOT NULL THEN 'removed' WHEN subject IS NULL THEN 'invited' ELSE 'active' END AS status,
      CASE WHEN invitation_hash IS NOT NULL THEN invitation_expires_at END AS invitation_expires_at, seen_at, created_at, updated_at`
    const of = (owner: OrganisationUid, uid: StaffPersonUid) => sql`organisation_uid = ${owner} AND uid = ${uid}`

    /** By name, removed people included. */
    const list = Effect.fn("StaffPeople.list")((owner: OrganisationUid, query: ListQuery) =>
      people.all(sql`SELECT ${columns} FROM staff_people
        WHERE ${sql.and([sql`organisation_uid = ${owner}`, ...changedSince(sql, query)])} ORDER BY display_name, uid`)
    )

    const one =
      (locking = sql``) =>
      (owner: OrganisationUid, uid: StaffPersonUid) =>
        people.firstOr(sql`SELECT ${columns} FROM staff_people WHERE ${of(owner, uid)} ${locking}`, notFound)
    /** Fails with `StaffPersonNotFound`. */
    const get = one()
    /** As `get`, locked until the transaction ends. */
    const findForChange = one(sql`FOR NO KEY UPDATE`)

    /** A new code for a person, which ends an earlier one. The person may sign in again if they were removed. */
    const issue = Effect.fnUntraced(function* (owner: OrganisationUid, uid: StaffPersonUid) {
      const code = yield* newCodeOf("inv", owner)
      const expires = (yield* realNow) + INVITATION_SECONDS
      const row = {
        invitation_hash: hashOf(code),
        invitation_expires_at: timestamp(expires),
        subject: null,
        removed_at: null,
        updated_at: timestamp(yield* clock.now)
      }
      const { display_name: name, email } = yield* get(owner, uid)
      if (email === null) return yield* invalid("email", "is required: the link is sent to it")
      yield* Effect.orDie(sql`UPDATE staff_people SET ${sql.update(row)} WHERE ${of(owner, uid)}`)
      return { person: { name, email }, invited: { uid, code, invitation_expires_at: UnixSeconds.make(expires) } }
    })

    /** Adds a person with a role and a code by which they sign in. Fails with `Invalid` at the limit. */
    const create = Effect.fn("StaffPeople.create")(function* (owner: OrganisationUid, person: NewStaffPerson) {
      yield* ensureBelowLimit(
        sql`SELECT count(*) AS count FROM staff_people WHERE organisation_uid = ${owner} AND removed_at IS NULL`,
        RECORD_LIMITS.administrators,
        "display_name",
        "people"
      )
      const now = timestamp(yield* clock.now)
      const uid = yield* newUid(StaffPersonUid)
      const row = { organisation_uid: owner, uid, ...person, created_at: now, updated_at: now }
      yield* Effect.orDie(sql`INSERT INTO staff_people ${sql.insert(row)}`)
      return yield* Effect.catchTag(issue(owner, uid), "StaffPersonNotFound", Effect.die)
    }, transaction)

    /** As `create`, but a person with the address gets a new code and the role. */
    const ensure = Effect.fn("StaffPeople.ensure")(function* (owner: OrganisationUid, person: NewStaffPerson) {
      const [known] = yield* people.all(sql`SELECT ${columns} FROM staff_people
        WHERE organisation_uid = ${owner} AND lower(email) = lower(${person.email}) ORDER BY created_at, uid LIMIT 1`)
      if (known === undefined) return yield* create(owner, person)
      yield* Effect.orDie(sql`UPDATE staff_people SET role = ${person.role} WHERE ${of(owner, known.uid)}`)
      return yield* issue(owner, known.uid)
    }, transaction)

    /** A new code for a person who has none, or lost its link. Fails with `StaffPersonNotFound`, and with `Invalid` without a mail address. */
    const invite = Effect.fn("StaffPeople.invite")(
      (owner: OrganisationUid, uid: StaffPersonUid) => issue(owner, uid),
      transaction
    )

    /** Nobody takes the own role away: a practice would be left without an owner. */
    const ensureOther = ({ subject }: Pick<StaffPerson, "subject">, { kind, uid }: Actor) =>
      kind === "admin" && subject === uid
        ? Effect.fail(invalid("role", "is your own: another owner has to change it"))
        : Effect.void

    /** Updates the fields sent; a role that is set here counts instead of the provider's. Fails with `StaffPersonNotFound` and `Invalid`. */
    const update = Effect.fn("StaffPeople.update")(function* (
      owner: OrganisationUid,
      uid: StaffPersonUid,
      changes: StaffPersonChanges,
      actor: Actor
    ) {
      const before = yield* findForChange(owner, uid)
      if (isNothing(changes)) return before
      if (changes.role !== undefined && changes.role !== before.role) yield* ensureOther(before, actor)
      const row = { ...changes, updated_at: timestamp(yield* clock.now) }
      yield* Effect.orDie(sql`UPDATE staff_people SET ${sql.update(row)} WHERE ${of(owner, uid)}`)
      return yield* get(owner, uid)
    }, transaction)

    /** The person may no longer sign in to the practice, whatever the provider says; the name stays for the audit log. */
    const remove = Effect.fn("StaffPeople.remove")(function* (
      owner: OrganisationUid,
      uid: StaffPersonUid,
      actor: Actor
    ) {
      const before = yield* findForChange(owner, uid)
      if (before.status === "removed") return yield* notFound()
      yield* ensureOther(before, actor)
      const now = timestamp(yield* clock.now)
      yield* Effect.orDie(sql`UPDATE staff_people SET removed_at = ${now}, updated_at = ${now}, invitation_hash = NULL
        WHERE ${of(owner, uid)}`)
    }, transaction)

    /**
     * Creates or replaces a person of a provisioning file, who may sign in again if they were removed. Whoever has signed in with this
     * subject before becomes this person. Does not map SQL errors.
     */
    const provision = Effect.fn("StaffPeople.provision")(function* (entry: StaffEntry) {
      const { organisation_uid, uid, subject, ...rest } = entry
      const now = timestamp(yield* clock.now)
      if (subject !== null)
        yield* sql`UPDATE staff_people SET uid = ${uid} WHERE organisation_uid = ${organisation_uid} AND subject = ${subject}
          AND NOT EXISTS (SELECT FROM staff_people WHERE organisation_uid = ${organisation_uid} AND uid = ${uid})`
      const row = {
        ...rest,
        removed_at: null,
        updated_at: now,
        ...(subject !== null && { subject, invitation_hash: null })
      }
      yield* sql`INSERT INTO staff_people ${sql.insert({ organisation_uid, uid, created_at: now, ...row })}
        ON CONFLICT (organisation_uid, uid) DO UPDATE SET ${sql.update(row)}`
    })

    /** Remembers a person of the practice at sign-in: their name, and the role that the provider names. */
    const seen = Effect.fn("StaffPeople.seen")(function* (member: StaffMember, claims: StaffClaims) {
      const { organisation_uid: owner } = member
      if (owner === null || member.role !== "admin") return
      const now = timestamp(yield* realNow)
      const provider_role = claims.organisation_uid === owner ? claimedRole(claims.roles) : null
      const name = claims.name?.trim().slice(0, 255) || claims.subject
      const row = {
        organisation_uid: owner,
        uid: yield* newUid(StaffPersonUid),
        display_name: name,
        subject: claims.subject
      }
      yield* sql`INSERT INTO staff_people ${sql.insert({ ...row, provider_role, seen_at: now, created_at: now, updated_at: now })}
        ON CONFLICT (organisation_uid, subject) DO UPDATE SET seen_at = ${now}, provider_role = ${provider_role},
          display_name = CASE WHEN staff_people.role IS NULL THEN ${name} ELSE staff_people.display_name END`.pipe(
        Effect.orDie,
        onlyOwner({ organisation_uid: owner }),
        unaudited
      )
    })

    /** The name and the practice of an open invitation; none once it is accepted, ended or too old. */
    const invited = Effect.fn("StaffPeople.invited")(function* (code: string) {
      const now = yield* realNow
      return yield* byKey
        .within(tagKey(code), notFound, (owner) =>
          invitations.firstOr(
            sql`SELECT s.display_name, o.name AS practice FROM staff_people s
              JOIN organisations o ON o.organisation_uid = ${owner}
              WHERE s.organisation_uid = ${owner} AND s.invitation_hash = ${hashOf(code)}
                AND s.invitation_expires_at > to_timestamp(${now}) AND s.removed_at IS NULL`,
            notFound
          )
        )
        .pipe(Effect.option)
    })

    /** Binds an invitation to the person who signed in at the provider; each once. Fails with `StaffPersonNotFound`. */
    const accept = Effect.fn("StaffPeople.accept")(function* (
      code: string,
      { subject, organisation_uid }: StaffClaims
    ) {
      const now = yield* realNow
      yield* byKey.within(tagKey(code), notFound, (owner) =>
        Effect.gen(function* () {
          if (organisation_uid !== null && organisation_uid !== owner) return yield* notFound()
          const isKnown = yield* any(sql`SELECT FROM staff_people
            WHERE organisation_uid = ${owner} AND subject = ${subject}`)
          if (isKnown) return yield* notFound()
          const accepted = { subject, invitation_hash: null, seen_at: timestamp(now), updated_at: timestamp(now) }
          yield* anyOr(
            sql`UPDATE staff_people SET ${sql.update(accepted)}
              WHERE organisation_uid = ${owner} AND invitation_hash = ${hashOf(code)}
                AND invitation_expires_at > to_timestamp(${now}) AND removed_at IS NULL RETURNING uid`,
            notFound
          )
        }).pipe(transaction, unaudited)
      )
    })

    /** Ends an open invitation, once; the person signs in by the address to which it was sent. Fails with `StaffPersonNotFound`. */
    const acceptByMail = Effect.fn("StaffPeople.acceptByMail")(function* (code: string) {
      const now = yield* realNow
      const { email } = yield* byKey.within(tagKey(code), notFound, (owner) =>
        accepted.firstOr(
          unaudited(sql`UPDATE staff_people SET invitation_hash = NULL, updated_at = to_timestamp(${now})
            WHERE organisation_uid = ${owner} AND invitation_hash = ${hashOf(code)}
              AND invitation_expires_at > to_timestamp(${now}) AND removed_at IS NULL RETURNING email`),
          notFound
        )
      )
      return email ?? (yield* notFound())
    })

    /** Gives a person who has signed in by mail the subject of their sessions, and ends an open invitation. */
    const bind = (organisation_uid: string, uid: string, subject: string) =>
      sql`UPDATE staff_people SET subject = coalesce(subject, ${subject}), invitation_hash = NULL
        WHERE organisation_uid = ${organisation_uid} AND uid = ${uid} AND (subject IS NULL OR invitation_hash IS NOT NULL)`.pipe(
        Effect.orDie,
        onlyOwner({ organisation_uid }),
        unaudited
      )

    return {
      list,
      get,
      findForChange,
      create,
      invite,
      update,
      remove,
      provision,
      seen,
      invited,
      accept,
      acceptByMail,
      bind,
      ensure
    } as const
  }),
  dependencies: [OwnerByKey.Default]
}) {}
