/** One organisation as an operator sees it: what it lacks, its mails, who acts in it. Rule 8.5.12. */
import { Effect, Option, Schema } from "effect"
import { OrganisationNotFound } from "../../../../schemas/access/errors.ts"
import type { OrganisationUid } from "../../../../schemas/ids.ts"
import { DAY } from "../../../../schemas/seconds.ts"
import { DomainClock } from "../../../../services/DomainClock.ts"
import { rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { Service } from "../../../../services/Service.ts"
import { OrganisationState } from "../../schemas/Installation.ts"
import { messageCounts } from "./messageCounts.ts"
import { OwnerList } from "./OwnerList.ts"

const { setup: Setup, mails: Mails, members: Members } = OrganisationState.fields

const MEMBERS_MAX = 1_000

export class OrganisationStates extends Service<OrganisationStates>()("operation/OrganisationStates", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const owners = yield* OwnerList
    const setups = rowsOf(
      Schema.Struct({ ...Setup.fields, last_activity_at: OrganisationState.fields.last_activity_at })
    )
    const counts = rowsOf(Mails)
    const members = rowsOf(Members.value)

    /** Fails with `OrganisationNotFound`. */
    const get = Effect.fn("OrganisationStates.get")(function* (uid: OrganisationUid) {
      const found = yield* owners.find("organisation", uid)
      if (Option.isNone(found)) return yield* new OrganisationNotFound()
      const { kind: _, ...organisation } = found.value
      const { last_activity_at, ...setup } = yield* setups.one(sql`SELECT
          EXISTS (SELECT FROM availability_rules r JOIN doctors d ON d.organisation_uid = ${uid} AND d.uid = r.doctor_uid
            WHERE r.organisation_uid = ${uid} AND r.active AND r.deleted_at IS NULL AND d.deleted_at IS NULL) AS hours,
          (SELECT count(*) FROM appointment_types t WHERE t.organisation_uid = ${uid} AND t.active
            AND t.deleted_at IS NULL) AS types,
          num_nonnulls(o.branding ->> 'imprint_url', o.branding ->> 'privacy_url') = 2 AS legal,
          EXISTS (SELECT FROM appointments a WHERE a.organisation_uid = ${uid} AND a.confirmed_at IS NOT NULL) AS booked,
          (SELECT floor(extract(epoch FROM e.at))::bigint FROM audit_entries e WHERE e.owner_uid = ${uid}
            AND e.actor_kind NOT IN ('operator', 'system') ORDER BY e.at DESC LIMIT 1) AS last_activity_at
        FROM organisations o WHERE o.organisation_uid = ${uid}`)
      const mails = yield* counts.one(messageCounts(sql, (yield* clock.now) - DAY, sql`organisation_uid = ${uid}`))
      const people = yield* members.all(sql`SELECT * FROM (
          SELECT 'admin' AS kind, uid, subject, display_name AS name, coalesce(role, provider_role) AS role,
            removed_at IS NULL AS active, floor(extract(epoch FROM seen_at))::bigint AS seen_at
          FROM staff_people WHERE organisation_uid = ${uid}
          UNION ALL SELECT 'doctor', uid, NULL, display_name, NULL, deleted_at IS NULL, NULL
          FROM doctors WHERE organisation_uid = ${uid}
          UNION ALL SELECT 'api_key', uid, NULL, name, NULL, revoked_at IS NULL,
            floor(extract(epoch FROM last_used_at))::bigint
          FROM api_keys WHERE organisation_uid = ${uid}
        ) members ORDER BY active DESC, name, uid LIMIT ${MEMBERS_MAX}`)
      const state: OrganisationState = { ...organisation, setup, mails, last_activity_at, members: people }
      return state
    })

    return { get } as const
  }),
  dependencies: [OwnerList.Default]
}) {}
