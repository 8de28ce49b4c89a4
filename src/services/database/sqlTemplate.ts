/** SQL templates, shared by statements of the service and functions of the database. */
import type { Statement } from "@effect/sql"
import type { Sql } from "./Sql.ts"

/** Replaces each `{name}` by its fragment or value. */
export const interpolate = (
  sql: Sql,
  text: string,
  values: Readonly<Record<string, Statement.Fragment>>
): Statement.Fragment =>
  text
    .split(/(\{\w+\})/)
    .map((part) => (/^\{\w+\}$/.test(part) ? (values[part.slice(1, -1)] ?? sql.literal(part)) : sql.literal(part)))
    .reduce((all, part) => sql`${all}${part}`, sql.literal(""))

/** Replaces each `{name}` by its SQL text. */
export const interpolateText = (text: string, values: Readonly<Record<string, string>>) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
