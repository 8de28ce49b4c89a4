/** Citus takes no INSERT together with another change: these are statements of their own, in the same transaction. */
import { Effect, Predicate } from "effect"
import { Inserts } from "../../../services/database/Inserts.ts"

export const separateInserts = Inserts.of({
  ifAllowed: (sql, { first, from, where, insert, values, answers }) =>
    Effect.gen(function* () {
      const found = yield* sql<{ allowed: boolean }>`WITH ${first} SELECT *, (${where}) AS allowed FROM ${from}`
      if (found[0]?.allowed !== true) return found
      yield* sql`${insert} VALUES (${values})`
      if (answers === undefined) return found
      const [read] = yield* sql`${answers.select(sql`(${answers.stored})`)}`
      return [{ ...found[0], ...read }]
    }),
  forEach: (sql, { change, table, uid, insert, rows, returning }) =>
    Effect.gen(function* () {
      const changed = yield* sql<Record<string, string>>`${change} RETURNING ${sql(uid)}`
      const uids = changed.map((row) => row[uid]).filter(Predicate.isString)
      const found = rows(sql`${sql(table)}`, sql.in(`e.${uid}`, uids))
      const made = yield* sql`SELECT ${returning} FROM (${found}) made`
      if (made.length > 0) yield* sql`${insert} ${found}`
      return made
    }),
  ofSelected: (sql, { insert, rows, returning }) =>
    Effect.tap(sql`SELECT ${returning} FROM (${rows}) made`, (made) =>
      Effect.when(sql`${insert} ${rows} ON CONFLICT DO NOTHING`, () => made.length > 0)
    )
})
