/** Columns of sealed entries and of chain heads. */
import { Schema } from "effect"
import type { Sql } from "../../../services/database/Sql.ts"

export const entryFields = {
  owner_uid: Schema.String,
  position: Schema.Number,
  at: Schema.Number,
  action: Schema.String,
  actor_kind: Schema.String,
  actor_uid: Schema.String,
  subject: Schema.NullOr(Schema.String),
  purpose: Schema.NullOr(Schema.String),
  trace_id: Schema.String,
  address: Schema.NullOr(Schema.String)
}

export const SealedLine = Schema.Struct({ ...entryFields, number: Schema.Number, mac: Schema.String })
export const Head = Schema.Struct({ owner_uid: Schema.String, number: Schema.Number, mac: Schema.String })

export const entryColumns = (sql: Sql) =>
  sql`e.owner_uid, e.position, (extract(epoch FROM e.at) * 1000000)::bigint AS at, e.action, e.actor_kind,
    e.actor_uid, e.subject, e.purpose, e.trace_id, e.address`

export const headOf = (sql: Sql, owner: string) =>
  sql`SELECT owner_uid, number, encode(mac, 'base64') AS mac FROM audit_heads WHERE owner_uid = ${owner}`

/** Entries with their links; links without an entry are left out. */
export const linesOf = (
  sql: Sql,
  owner: string,
  { after, until, limit }: { readonly after: number; readonly until: number; readonly limit: number }
) => sql`SELECT c.number, translate(encode(c.mac, 'base64'), E'\\n', '') AS mac, ${entryColumns(sql)}
  FROM audit_chain c JOIN audit_entries e ON e.owner_uid = ${owner} AND e.position = c.position AND e.at = c.at
  WHERE c.owner_uid = ${owner} AND c.number > ${after} AND c.number <= ${until} ORDER BY c.number LIMIT ${limit}`
