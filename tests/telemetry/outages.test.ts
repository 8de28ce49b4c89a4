/** An outage of one of several nodes is two lines in the log, with its name. Rule 14.3.8. */
import { expect, test } from "bun:test"
import { SqlError } from "@effect/sql"
import { Effect, Logger, Redacted } from "effect"
import { DatabaseUrl } from "../../src/layers/Database.ts"
import { OutagesSummarised } from "../../src/layers/telemetry/Outages.ts"
import { eventually } from "../support/eventually.ts"
import { freshDatabase, rowsAt } from "../support/postgres.ts"

/** As a coordinator answers. */
const refusedBy = (node: string) =>
  new SqlError.SqlError({
    message: "Failed to execute statement",
    cause: Object.assign(
      new Error(`connection to the remote node sprechstunde@${node} failed with the following error: refused`),
      { code: "08006" }
    )
  })

test("while a node is away, one line at its start and one at its end, whatever fails for it, and other failures as ever", async () => {
  const { url, drop } = await freshDatabase()
  // What a database of several nodes answers
  await rowsAt(
    url,
    `CREATE TABLE reached (node text); INSERT INTO reached VALUES ('worker-2:5432');
    CREATE FUNCTION reaches_node(name text, port integer) RETURNS boolean LANGUAGE sql
      AS $$ SELECT EXISTS (SELECT FROM reached WHERE node = name || ':' || port) $$`
  )
  const lines: Array<string> = []
  const logger = Logger.make<unknown, void>(({ message }) => void lines.push([message].flat().map(String).join(" ")))
  const about = (node: string) => lines.filter((line) => line.includes(node))
  await Effect.gen(function* () {
    for (let count = 0; count < 20; count++) yield* Effect.logError("request failed", refusedBy("worker-1:5432"))
    yield* Effect.logError("request failed", refusedBy("worker-2:5432"))
    yield* Effect.logError("something else")
    expect(lines).toEqual([
      "The database's node worker-1:5432 does not answer (08006). What fails for it is logged again once it does",
      "The database's node worker-2:5432 does not answer (08006). What fails for it is logged again once it does",
      "something else"
    ])
    // The coordinator and the other node answer, this one does not
    yield* Effect.promise(() =>
      eventually(
        async () => about("worker-2").length,
        (count) => count === 2
      )
    )
    yield* Effect.logError("request failed", refusedBy("worker-1:5432"))
    expect(about("worker-1")).toHaveLength(1)
    yield* Effect.promise(() => rowsAt(url, "INSERT INTO reached VALUES ('worker-1:5432')"))
    yield* Effect.promise(() =>
      eventually(
        async () => about("worker-1").length,
        (count) => count === 2
      )
    )
    expect(about("worker-1")[1]).toMatch(/^The database's node worker-1:5432 answers again after \d+ seconds$/)
  }).pipe(
    Effect.provide(OutagesSummarised),
    Effect.provideService(DatabaseUrl, Redacted.make(url)),
    Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
    Effect.scoped,
    Effect.runPromise
  )
  await drop()
})
