/** Reads the audit log. Section 13.2. */
import { Effect, Option, Schema } from "effect"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { ANSWER_LIMITS } from "../../../services/recordLimits.ts"
import { AuditEntry, AuditEntryId, type AuditExportQuery, type AuditQuery } from "../schemas/AuditEntry.ts"
import { Head, headOf, linesOf, SealedLine } from "./sealedRows.ts"

/** How long a list waits for changes that are being committed. */
const WAIT_MILLIS = 1_000
const POLL_MILLIS = 20

const Row = Schema.Struct({
  position: Schema.Number,
  ...AuditEntry.omit("id", "actor").fields,
  actor_kind: AuditEntry.fields.actor.fields.kind,
  actor_uid: Schema.String
})

const idOf = (position: number) => AuditEntryId.make(`aud_${position}`)

const entryOf = ({ position, actor_kind, actor_uid, ...entry }: typeof Row.Type): AuditEntry => ({
  id: idOf(position),
  ...entry,
  actor: { kind: actor_kind, uid: actor_uid }
})

export class AuditReader extends Effect.Service<AuditReader>()("audit/AuditReader", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const rows = rowsOf(Row)
    const heads = rowsOf(Head)
    const lines = rowsOf(SealedLine)
    const positions = rowsOf(Row.pick("position"))
    const sealingStates = rowsOf(Schema.Struct({ newest: Schema.Number, settled: Schema.Number }))

    const sealingState = (owner: OrganisationUid) =>
      sealingStates.one(sql`SELECT newest, settled FROM audit_settled(${owner})`)

    /**
     * The position up to which the log is final. Waits briefly for transactions that are committing, but not for long ones: their
     * entries, and all after them, are listed once they have ended.
     */
    const settledFor = Effect.fnUntraced(function* (owner: OrganisationUid) {
      const { newest, settled } = yield* sealingState(owner)
      let end = settled
      for (let waited = 0; end < newest && waited < WAIT_MILLIS; waited += POLL_MILLIS) {
        yield* Effect.sleep(POLL_MILLIS)
        end = Math.min(newest, (yield* sealingState(owner)).settled)
      }
      return end
    })

    /**
     * An organisation's entries in order, after a cursor, without gaps. Filtered by actor or action, at most `most` entries are scanned
     * per page.
     */
    const list = Effect.fn("AuditReader.list")(function* (
      owner: OrganisationUid,
      query: AuditQuery,
      most = ANSWER_LIMITS.scannedEntries
    ) {
      const { limit, action, actor, subject, from, to } = query
      const after = query.after === undefined ? 0 : Number(query.after.slice("aud_".length))
      const settled = yield* settledFor(owner)
      const within = sql.and([
        sql`owner_uid = ${owner}`,
        sql`position > ${after}`,
        ...(from === undefined ? [] : [sql`at >= to_timestamp(${from})`]),
        ...(to === undefined ? [] : [sql`at < to_timestamp(${to})`])
      ])
      const isFiltered = subject === undefined && (action !== undefined || actor !== undefined)
      const last = isFiltered
        ? yield* positions.first(sql`SELECT position FROM audit_entries WHERE ${within}
            ORDER BY position LIMIT 1 OFFSET ${most - 1}`)
        : Option.none()
      const end = Option.match(last, { onNone: () => settled, onSome: ({ position }) => Math.min(settled, position) })
      const found =
        yield* rows.all(sql`SELECT position, at, action, actor_kind, actor_uid, subject, purpose, trace_id, address
        FROM audit_entries WHERE ${sql.and([
          within,
          sql`position <= ${end}`,
          ...(action === undefined ? [] : [sql`action = ${action}`]),
          ...(actor === undefined ? [] : [sql`actor_uid = ${actor}`]),
          ...(subject === undefined ? [] : [sql`subject = ${subject}`])
        ])} ORDER BY position LIMIT ${limit + 1}`)
      const data = found.slice(0, limit).map(entryOf)
      if (found.length > limit) return { data, next: data.at(-1)?.id ?? null }
      return { data, next: end < settled ? idOf(end) : null }
    })

    /**
     * An organisation's sealed entries with their links, after a number; the last page ends with the head of its chain. The input of
     * `AuditChain.verifyLines`.
     */
    const sealedLines = Effect.fn("AuditReader.sealedLines")(function* (
      owner: OrganisationUid,
      { after, limit }: AuditExportQuery
    ) {
      const head = yield* heads.first(headOf(sql, owner))
      if (Option.isNone(head)) return []
      const found = yield* lines.all(linesOf(sql, owner, { after, until: head.value.number, limit }))
      return found.length < limit ? [...found, { head: head.value }] : found
    })

    return { list, sealedLines } as const
  })
}) {}
