/** Parameters of searches as conditions on expressions of the service that is searched. Rule 20.5. */
import type { Statement } from "@effect/sql"
import { SPECIALTY_SYSTEM } from "../../../schemas/scheduling/specialties.ts"
import type { Sql } from "../../../services/database/Sql.ts"
import { TYPE_SYSTEM } from "./forms.ts"
import { namedBy, type SchedulePlace } from "./ids.ts"
import { type Given, matchesToken, textOf, tokenOf } from "./parameters.ts"

type Fragment = Statement.Fragment

/** Uids whose id is not made of their text. */
const UNFIT = "!~ '^(?!h-[0-9a-f]{32}$)[A-Za-z0-9_-]{1,64}$'"

export const conditionsOf = (sql: Sql) => {
  const either = (conditions: ReadonlyArray<Fragment>) => (conditions.length === 0 ? sql`false` : sql.or(conditions))

  /** The record of an id, by its uid. */
  const isNamed = (uid: Fragment, id: string) => {
    const name = namedBy(id)
    if (name === undefined) return sql`false`
    return "uid" in name ? sql`${uid} = ${name.uid}` : sql`(${uid} ${sql.literal(UNFIT)} AND md5(${uid}) = ${name.md5})`
  }

  const isAmong = (uid: Fragment, uids: Iterable<string>) => sql`${uid} = ANY (${[...uids]}::text[])`

  /** The doctor and the type of a schedule's or a slot's id. */
  const isAt = (doctor_uid: Fragment, type_uid: Fragment, { doctor, type }: SchedulePlace) =>
    sql`(left(md5(${doctor_uid}), 16) = ${doctor} AND left(md5(${type_uid}), 16) = ${type})`

  const within = (time: Fragment, { ranges }: Given) =>
    either(
      ranges.map(({ from, to }) =>
        sql.and([
          ...(from === undefined ? [] : [sql`${time} >= to_timestamp(${from})`]),
          ...(to === undefined ? [] : [sql`${time} < to_timestamp(${to})`])
        ])
      )
    )

  /** Text that begins with, contains or is the value; `parts`: one of its words begins with it. */
  const isLike = (text: Fragment, { modifier, values }: Given, parts = false) =>
    either(
      values.map((value) => {
        const wanted = textOf(value)
        if (modifier === "exact") return sql`${text} = ${wanted}`
        const pattern = wanted.toLowerCase().replace(/[\\%_]/g, "\\$&")
        if (modifier === "contains") return sql`lower(${text}) LIKE ${`%${pattern}%`}`
        const begins = sql`lower(${text}) LIKE ${`${pattern}%`}`
        return parts ? sql`(${begins} OR lower(${text}) LIKE ${`% ${pattern}%`})` : begins
      })
    )

  const negated = ({ modifier }: Given, condition: Fragment) =>
    modifier === "not" ? sql`(${condition}) IS NOT TRUE` : condition

  /** One of the columns has the code of a token of this system. */
  const hasCode = (system: string, columns: ReadonlyArray<Fragment>, given: Given) =>
    negated(
      given,
      either(
        given.values.flatMap((value) => {
          const token = tokenOf(value)
          if (token.system !== undefined && token.system !== system) return []
          const { code } = token
          return columns.map((column) => (code === undefined ? sql`${column} IS NOT NULL` : sql`${column} = ${code}`))
        })
      )
    )
  const isOfType = (uid: Fragment, given: Given) => hasCode(TYPE_SYSTEM, [uid], given)
  const hasSpecialty = (codes: ReadonlyArray<Fragment>, given: Given) => hasCode(SPECIALTY_SYSTEM, codes, given)

  const identifies = (given: Given, systems: ReadonlyArray<readonly [system: string, column: Fragment]>) =>
    either(
      given.values.flatMap((value) => {
        const token = tokenOf(value)
        return systems.flatMap(([system, column]) =>
          token.code === undefined || !matchesToken(token, system, token.code) ? [] : [sql`${column} = ${token.code}`]
        )
      })
    )

  const isActive = (active: Fragment, given: Given) =>
    negated(given, either(given.values.map((value) => sql`${active} = ${tokenOf(value).code === "true"}`)))

  return {
    either,
    isNamed,
    isAmong,
    isAt,
    within,
    isLike,
    negated,
    isOfType,
    hasSpecialty,
    identifies,
    isActive
  } as const
}
