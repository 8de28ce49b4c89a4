/** Time that is taken by something else than appointments, for as long as a record of its writer says. Slot search offers none of it. */
import { Effect } from "effect"
import type { DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { timestamp } from "../../../services/database/SqlErrors.ts"

/** The record that takes the time. */
interface Claimant {
  readonly organisation_uid: OrganisationUid
  /** A word of the writer for what it is. */
  readonly kind: string
  readonly uid: string
}

/** Instants are Unix seconds. */
interface KeptTime {
  readonly uid: string
  readonly doctor_uids: ReadonlyArray<string>
  readonly resource_uids: ReadonlyArray<string>
  readonly start_date: number
  readonly end_date: number
  readonly buffer_before_minutes: number
  readonly buffer_after_minutes: number
  readonly buffer_minutes: number
  readonly closed_until: number
}

export class TakenTime extends Effect.Service<TakenTime>()("scheduling/TakenTime", {
  effect: Effect.map(Sql, (sql) => {
    /**
     * Replaces the time that the record takes of the doctor; null: of all doctors. Ranges are disjoint, start, end, start, end … in Unix
     * seconds. `counts_from`: until then it is not taken; null: at once. Only what is different is written.
     */
    const put = Effect.fn("TakenTime.put")(function* (
      { organisation_uid: owner, kind, uid }: Claimant,
      doctor: DoctorUid | null,
      ranges: ReadonlyArray<number>,
      counts_from: number | null = null
    ) {
      const starts = ranges.filter((_, at) => at % 2 === 0)
      const ends = ranges.filter((_, at) => at % 2 === 1)
      const subject = doctor ?? ""
      const since = counts_from === null ? null : timestamp(counts_from)
      const wanted = sql`unnest(${starts}::bigint[], ${ends}::bigint[]) r (s, e)`
      const own = sql`c.organisation_uid = ${owner} AND c.claimed_by = ${uid} AND c.claimant = ${kind}`
      yield* sql`DELETE FROM claims c WHERE ${own} AND (c.subject_uid <> ${subject}
        OR c.counts_from IS DISTINCT FROM ${since}::timestamptz
        OR (c.start_date, c.end_date) NOT IN (SELECT to_timestamp(s), to_timestamp(e) FROM ${wanted}))`
      yield* sql`INSERT INTO claims
          (organisation_uid, claimant, claimed_by, subject_kind, subject_uid, during, exclusive, buffered, counts_from)
        SELECT ${owner}, ${kind}, ${uid}, 'doctor', ${subject}, tstzrange(to_timestamp(s), to_timestamp(e)), false, false,
          ${since}::timestamptz
        FROM ${wanted} WHERE NOT EXISTS (SELECT FROM claims c WHERE ${own} AND c.start_date = to_timestamp(s))
        ON CONFLICT DO NOTHING` // there is none; without it several nodes copy the rows in, which row-level security refuses
    }, Effect.orDie)
    /**
     * Keeps time that was given back from search and holds, with its buffers, for its doctors and resources, until `closed_until`. Limits
     * count the appointment with its uid until then.
     */
    const keep = Effect.fn("TakenTime.keep")(
      (owner: OrganisationUid, kind: string, some: ReadonlyArray<KeptTime>) =>
        sql`INSERT INTO claims (organisation_uid, claimant, claimed_by, subject_kind, subject_uid, during, exclusive,
            buffer_before_minutes, buffer_after_minutes, buffer_minutes, held_until)
          SELECT ${owner}, ${kind}, x.uid, s.kind, s.uid, tstzrange(to_timestamp(x.start_date), to_timestamp(x.end_date)), false,
            x.buffer_before_minutes, x.buffer_after_minutes, x.buffer_minutes, to_timestamp(x.closed_until)
          FROM jsonb_to_recordset(${JSON.stringify(some)}::jsonb) AS x(uid text, doctor_uids text[], resource_uids text[],
            start_date bigint, end_date bigint, buffer_before_minutes smallint, buffer_after_minutes smallint,
            buffer_minutes integer, closed_until bigint)
          CROSS JOIN LATERAL (SELECT 'doctor' AS kind, unnest(x.doctor_uids) AS uid
            UNION ALL SELECT 'resource', unnest(x.resource_uids)) s
          ON CONFLICT DO NOTHING`,
      Effect.orDie
    )
    /** Opens what `keep` has kept. */
    const release = Effect.fn("TakenTime.release")(
      (owner: OrganisationUid, kind: string, uids: ReadonlyArray<string>) =>
        sql`DELETE FROM claims WHERE organisation_uid = ${owner} AND claimant = ${kind} AND claimed_by = ANY (${[...uids]})`,
      Effect.orDie
    )
    return {
      put,
      keep,
      release,
      /** The record takes nothing any more. */
      clear: (claimant: Claimant) => put(claimant, null, [])
    } as const
  })
}) {}
