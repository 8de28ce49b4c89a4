/**
 * Seals entries of the audit log into their owner's hash chain, and verifies the chains. Sealing is a job: entries are written in the
 * transactions of their changes, which do not wait for one another. Section 13.1.
 */
import { Effect, Option, Schema } from "effect"
import { Database } from "../../../services/database/Database.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { type Place, SecretBox } from "../../../services/sealing/SecretBox.ts"
import { batches, Owners } from "../../../services/tenancy/Owners.ts"
import { asWorker, type CurrentTenant } from "../../../services/tenancy/Tenancy.ts"
import { chained, chainVerifier, type Fault, headMacOf, start } from "./chain.ts"
import { entryColumns, entryFields, Head, SealedLine } from "./sealedRows.ts"

const BATCH = 5_000
/** Upper bound of a transaction's duration after its entry's time: longer than any statement and idle timeout. */
const SETTLED = "1 hour"

const place: Place = { table: "audit_sealing", column: "key_sealed", row: ["true"] }

const Entry = Schema.Struct(entryFields)
const Last = Schema.Struct({ number: Schema.Number, mac: Schema.String })

/** One line of an export: an entry and its link, or the head of an owner's chain. */
export const ExportedLine = Schema.Union(SealedLine, Schema.Struct({ head: Head }))
export type ExportedLine = typeof ExportedLine.Type

/** The number of verified entries, and the first fault, if any. */
export interface Verified {
  readonly entries: number
  readonly fault: Fault | undefined
}

/** A link as read for verification: cast, not decoded, since there are a million of them. */
export class AuditChain extends Effect.Service<AuditChain>()("audit/AuditChain", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const tenants = yield* Owners
    const box = yield* SecretBox
    const { transaction } = yield* Database
    const entries = rowsOf(Entry)
    const lasts = rowsOf(Last)
    const keys = rowsOf(Schema.Struct({ key_sealed: Schema.String }))
    const times = rowsOf(Schema.Struct({ began: Schema.String }))
    const owners = rowsOf(Schema.Struct({ owner_uid: Schema.String }))
    const heads = rowsOf(Head)
    const newests = rowsOf(Schema.Struct({ newest: Schema.Number }))
    // A position that somebody has made up may be beyond the safe integers
    const waitings = rowsOf(Schema.Struct({ count: Schema.Number, last: Schema.String }))

    const columns = entryColumns(sql)

    const storedKey = keys.first(sql`SELECT key_sealed FROM audit_sealing`)
    /** Created by the first process that seals. */
    const key = Effect.gen(function* () {
      const found = yield* storedKey
      if (Option.isNone(found)) {
        const made = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64")
        yield* Effect.orDie(
          sql`INSERT INTO audit_sealing (key_sealed, sealed_until)
            VALUES (${yield* box.seal(place, made)}, '-infinity') ON CONFLICT DO NOTHING`
        )
      }
      const { key_sealed } = yield* Effect.flatten(storedKey)
      return Buffer.from(yield* box.open(place, key_sealed), "base64")
    }).pipe(Effect.catchTag("NoSuchElementException", Effect.die), asWorker())

    const unsealed = (owner: string) => sql`NOT EXISTS (SELECT FROM audit_chain c
      WHERE c.owner_uid = ${owner} AND c.position = e.position AND c.at = e.at)`
    /** An unsealed entry with the position of a sealed one, or beyond the last assigned position: the service writes neither. */
    const foreign = (owner: string, newest: number) => sql`(e.position > ${newest}
      OR EXISTS (SELECT FROM audit_chain c WHERE c.owner_uid = ${owner} AND c.position = e.position))`
    /** The last assigned position. By a statement of its own: on several nodes, what it asks cannot be part of another. */
    const newestOf = (owner: string) =>
      Effect.map(newests.one(sql`SELECT newest FROM audit_settled(${owner})`), ({ newest }) => newest)
    /** Entries before this time are sealed: their transactions had ended at the last complete run. */
    const settled = sql`(SELECT sealed_until - ${SETTLED}::interval FROM audit_sealing)`

    const sealBatch = Effect.fnUntraced(
      function* (owner: string) {
        const secret = yield* key
        yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${`audit/${owner}`}, 0))`
        const last = yield* lasts.first(sql`SELECT number, encode(mac, 'base64') AS mac FROM audit_chain
        WHERE owner_uid = ${owner} ORDER BY number DESC LIMIT 1`)
        // Entries are sealed in the order of their time
        const before = sql`(SELECT at - ${SETTLED}::interval FROM audit_chain WHERE owner_uid = ${owner}
        ORDER BY number DESC LIMIT 1)`
        const newest = yield* newestOf(owner)
        const found = yield* entries.all(sql`SELECT ${columns} FROM audit_entries e
        WHERE e.owner_uid = ${owner} AND ${unsealed(owner)} AND e.at > coalesce(${before}, '-infinity')
          AND NOT ${foreign(owner, newest)}
        ORDER BY e.at, e.position LIMIT ${BATCH}`)
        const after = Option.getOrElse(last, () => start)
        const links = chained(secret, after, found)
        const end = links.at(-1)
        if (end === undefined) return 0
        const rows = links.map(
          ({ number, mac }, index) => sql`(${owner}, ${number}, ${found[index]?.position},
            to_timestamp(${found[index]?.at} / 1000000.0), decode(${mac}, 'base64'))`
        )
        yield* sql`INSERT INTO audit_chain (owner_uid, number, position, at, mac) VALUES ${sql.csv(rows)}`
        yield* sql`INSERT INTO audit_heads (owner_uid, number, mac)
        VALUES (${owner}, ${end.number}, decode(${headMacOf(secret, owner, end)}, 'base64'))
        ON CONFLICT (owner_uid) DO UPDATE SET number = excluded.number, mac = excluded.mac`
        return links.length
      },
      transaction,
      Effect.orDie,
      (sealed, owner) => asWorker(owner)(sealed)
    )

    /** Seals all unsealed entries, owner by owner; returns how many. Safe to run in several workers at once. */
    const seal = Effect.fn("AuditChain.seal")(function* () {
      yield* key
      const { began } = yield* times.one(sql`SELECT clock_timestamp()::text AS began`) // real time: as in the entries
      const { uids, isWhole } = yield* tenants.foundWith(
        sql`SELECT owner FROM owners_with_due('audit', ${settled}) AS owner ORDER BY 1`
      )
      const { count, waiting } = yield* tenants.each(uids, (owner) => batches(BATCH, sealBatch(owner)))
      // An unsealed entry older than this was not written in time
      if (isWhole && waiting === 0)
        yield* sql`UPDATE audit_sealing SET sealed_until = greatest(sealed_until, ${began}::timestamptz)`.pipe(
          Effect.orDie,
          asWorker()
        )
      return count
    })

    const page = (owner: string, after: number) =>
      Effect.orDie(sql<
        { readonly number: number; readonly mac: string; readonly entry: boolean } & typeof Entry.Type
      >`SELECT c.number, translate(encode(c.mac, 'base64'), E'\n', '') AS mac,
          e.position IS NOT NULL AS entry, ${columns}
        FROM audit_chain c LEFT JOIN audit_entries e
          ON e.owner_uid = ${owner} AND e.position = c.position AND e.at = c.at
        WHERE c.owner_uid = ${owner} AND c.number > ${after} ORDER BY c.number LIMIT ${BATCH}`)

    const chainsOf = (owner: string | undefined) =>
      owners.all(sql`SELECT DISTINCT owner_uid FROM (SELECT owner_uid FROM audit_heads UNION SELECT DISTINCT owner_uid FROM audit_chain) o
        WHERE ${owner === undefined ? sql`true` : sql`owner_uid = ${owner}`} ORDER BY 1`)
    const headOf = (owner: string) =>
      heads.first(
        sql`SELECT owner_uid, number, encode(mac, 'base64') AS mac FROM audit_heads WHERE owner_uid = ${owner}`
      )

    /** The entries of an owner that are in no chain yet: how many, and the first that is foreign or should have been sealed. */
    const verifyUnsealed = Effect.fnUntraced(function* (owner: string) {
      const waiting = sql`FROM audit_entries e WHERE e.owner_uid = ${owner} AND ${unsealed(owner)}`
      const { count, last } = yield* waitings.one(
        sql`SELECT count(*) AS count, coalesce(max(position), 0)::text AS last ${waiting}`
      )
      // Later than the entries, whose positions were assigned before
      const newest = yield* newestOf(owner)
      const wrong = yield* entries.first(sql`SELECT ${columns} ${waiting} AND e.position <= ${last}::bigint
        AND (e.at <= ${settled} OR ${foreign(owner, newest)}) ORDER BY e.at LIMIT 1`)
      const fault = Option.map(wrong, ({ position }) => ({
        owner_uid: owner,
        number: position,
        reason: "was added later: it is in no chain"
      }))
      return { count, fault: Option.getOrUndefined(fault) }
    })

    const verifyChain = Effect.fnUntraced(function* (owner: string) {
      const { follow, end } = chainVerifier(yield* key, owner)
      let entries = 0
      for (;;) {
        const rows = yield* page(owner, entries)
        for (const row of rows) {
          const fault = follow(row, row.entry ? row : undefined)
          if (fault !== undefined) return { entries, fault }
          entries++
        }
        if (rows.length < BATCH) break
      }
      const fault = end(Option.getOrUndefined(yield* headOf(owner)))
      return { entries, fault }
    })

    /** Verifies every chain, and that no entry outside of them was added by hand, up to the first fault. Writes nothing. */
    const verify = Effect.fn("AuditChain.verify")(function* (): Effect.fn.Return<Verified, never, CurrentTenant> {
      let total = 0
      for (const { owner_uid } of yield* chainsOf(undefined)) {
        const { entries, fault } = yield* verifyChain(owner_uid)
        total += entries
        if (fault !== undefined) return { entries: total, fault }
      }
      for (const { owner_uid } of yield* owners.all(sql`SELECT DISTINCT owner_uid FROM audit_entries e`)) {
        const { count, fault } = yield* verifyUnsealed(owner_uid)
        if (fault !== undefined) return { entries: total, fault }
        total += count
      }
      return { entries: total, fault: undefined }
    })

    const verifyLines = Effect.fn("AuditChain.verifyLines")(function* (lines: Iterable<ExportedLine>) {
      const secret = yield* key
      const verifiers = new Map<string, ReturnType<typeof chainVerifier>>()
      const verifierOf = (owner: string) => {
        const known = verifiers.get(owner) ?? chainVerifier(secret, owner)
        verifiers.set(owner, known)
        return known
      }
      let entries = 0
      const open = new Set<string>()
      for (const line of lines) {
        const owner = "head" in line ? line.head.owner_uid : line.owner_uid
        const verifier = verifierOf(owner)
        const fault = "head" in line ? verifier.end(line.head) : verifier.follow(line, line)
        if (fault !== undefined) return { entries, fault } satisfies Verified
        if ("head" in line) open.delete(owner)
        else {
          open.add(owner)
          entries++
        }
      }
      const [unfinished] = open
      const fault = unfinished === undefined ? undefined : verifierOf(unfinished).end(undefined)
      return { entries, fault } satisfies Verified
    })

    /** Writes every sealed entry of an owner, or of all, with its link, and the head of each chain. */
    const exportLines = Effect.fn("AuditChain.exportLines")(function* <R>(
      owner: string | undefined,
      write: (lines: ReadonlyArray<ExportedLine>) => Effect.Effect<void, never, R>
    ) {
      yield* seal()
      for (const { owner_uid } of yield* chainsOf(owner)) {
        let last = 0
        for (;;) {
          const rows = yield* page(owner_uid, last)
          yield* write(rows.map(({ entry: _, ...line }) => line))
          last = rows.at(-1)?.number ?? last
          if (rows.length < BATCH) break
        }
        const head = yield* headOf(owner_uid)
        if (Option.isSome(head)) yield* write([{ head: head.value }])
      }
    })

    return { seal, verify, verifyLines, exportLines } as const
  })
}) {}
