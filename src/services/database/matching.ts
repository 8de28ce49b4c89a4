/** Records of a table by any condition: what a service offers to those who search by what it does not know. */
import type { Statement } from "@effect/sql"
import { Record, type Schema } from "effect"
import type { OrganisationUid } from "../../schemas/ids.ts"
import { countOf, rowsOf } from "./rows.ts"
import type { Sql } from "./Sql.ts"
import { readFromReplica } from "./staleReads.ts"
import { pageOf } from "./totals.ts"

/** The expression of each field of a row. */
export type FieldsOf<Row> = Readonly<{ [Name in keyof Row]: Statement.Fragment }>

/** A condition made of these expressions. */
export type Condition<Row> = (fields: FieldsOf<Row>) => Statement.Fragment

interface Source<Row> {
  readonly fields: FieldsOf<Row>
  /** FROM and WHERE of the organisation's rows. */
  readonly from: (owner: OrganisationUid) => Statement.Fragment
  /** What rows are ordered by: fields, of texts and numbers, that no two rows share. */
  readonly key: ReadonlyArray<readonly [field: keyof Row, expression: Statement.Fragment]>
}

/** The columns of a table that a schema's fields are named after. */
export const namedColumns = <Fields extends Schema.Struct.Fields>(
  sql: Sql,
  { fields }: Schema.Struct<Fields>,
  alias: string
) =>
  // The cast: the record has the fields' names
  Record.map(fields, (_, name) => sql.literal(`${alias}.${name}`)) as FieldsOf<Fields>

/** Reads by key: `all` that fit a condition, and a `page` of them. */
export const matchingOf = <Row, I>(sql: Sql, schema: Schema.Schema<Row, I>, { fields, from, key }: Source<Row>) => {
  const rows = rowsOf(schema)
  const columns = sql.csv(
    Object.entries<Statement.Fragment>(fields).map(([name, expression]) => sql`${expression} AS ${sql(name)}`)
  )
  const order = sql.csv(key.map(([, expression]) => expression))

  const all = (owner: OrganisationUid, condition: Condition<Row>) =>
    rows.all(sql`SELECT ${columns} ${from(owner)} AND ${condition(fields)} ORDER BY ${order}`)

  /** `after`: the key of the last row of the page before, so that changes in between neither repeat nor lose a row. */
  const page = (
    owner: OrganisationUid,
    condition: Condition<Row>,
    { limit, after }: { readonly limit: number; readonly after?: ReadonlyArray<string | number> | undefined }
  ) => {
    const where = sql`${from(owner)} AND ${condition(fields)}`
    const place = after && sql.csv(key.map((_, at) => sql`${after[at] ?? ""}`))
    const later = place === undefined ? sql`` : sql`AND (${order}) > (${place})`
    return readFromReplica(
      pageOf(
        { page: 0, limit, ...(after && { after }) },
        rows.all(sql`SELECT ${columns} ${where} ${later} ORDER BY ${order} LIMIT ${limit + 1}`),
        (row) => key.map(([field]) => row[field] as string | number), // as keys are
        countOf(sql`SELECT count(*) ${where}`)
      )
    )
  }
  return { all, page } as const
}
export type Matching<Row> = ReturnType<typeof matchingOf<Row, unknown>>
