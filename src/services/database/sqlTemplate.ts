/** Conditions written once, as text, for statements of the service and for functions of the database. */
import type { SqlClient, Statement } from "@effect/sql"

/** The text, with each `{name}` as this fragment or value. */
export const interpolate = (
  sql: SqlClient.SqlClient,
  text: string,
  values: Readonly<Record<string, Statement.Fragment>>
): Statement.Fragment =>
  text
    .split(/(\{\w+\})/)
    .map((part) => (/^\{\w+\}$/.test(part) ? (values[part.slice(1, -1)] ?? sql.literal(part)) : sql.literal(part)))
    .reduce((all, part) => sql`${all}${part}`, sql.literal(""))

/** The text, with each `{name}` as this SQL. */
export const interpolateText = (text: string, values: Readonly<Record<string, string>>) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
