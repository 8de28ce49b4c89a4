/** Statements that travel with COMMIT or with the next statement of their transaction. */
import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Cause, Effect } from "effect"
import { Database, lastly } from "../../src/services/database/Database.ts"
import { testServer } from "../support/server.ts"
import { recording } from "../support/statements.ts"
import { transaction } from "../support/transaction.ts"
import { makeWorld } from "../support/world.ts"

const server = testServer()

const scene = async () => {
  const { organisation_uid } = await makeWorld(server.current)
  const run = <A, E>(work: (sql: SqlClient.SqlClient) => Effect.Effect<A, E, Database>) =>
    server.current.run(Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.exit(transaction(work(sql)))))
  const rename = (sql: SqlClient.SqlClient, name: string | null) =>
    sql`UPDATE organisations SET name = ${name} WHERE organisation_uid = ${organisation_uid}`
  const name = async () => {
    const [row] = await server.current.sql<{ name: string }>`SELECT name FROM organisations
      WHERE organisation_uid = ${organisation_uid}`
    return row?.name
  }
  return { run, rename, name }
}

test("the last statement is committed without a COMMIT of its own", async () => {
  const { run, rename, name } = await scene()
  const { statements } = await recording(
    () => run((sql) => Effect.zipRight(rename(sql, "first"), lastly(rename(sql, "last")))),
    server.current.databaseUrl
  )
  expect(await name()).toBe("last")
  expect(statements.map(({ text }) => text).filter((text) => /^(COMMIT|UPDATE organisations)/.test(text))).toEqual([
    expect.stringMatching(/^UPDATE/),
    expect.stringMatching(/^UPDATE/)
  ])
})

test("a later statement of the transaction sees what was postponed", async () => {
  const { run, rename, name } = await scene()
  const exit = await run((sql) =>
    Effect.gen(function* () {
      yield* lastly(rename(sql, "first"))
      yield* lastly(sql`UPDATE organisations SET name = name || ', second' WHERE name = 'first'`)
      return yield* sql`SELECT 1 FROM organisations WHERE name = 'first, second'`
    })
  )
  expect(exit).toMatchObject({ _tag: "Success", value: [expect.anything()] })
  expect(await name()).toBe("first, second")
})

test("if it fails, nothing of the transaction remains, and the connection is of use", async () => {
  const { run, rename, name } = await scene()
  const before = await name()
  const exit = await run((sql) => Effect.zipRight(rename(sql, "earlier"), lastly(rename(sql, null))))
  expect(exit).toMatchObject({ _tag: "Failure" })
  expect(await name()).toBe(before)
  await Promise.all(
    Array.from({ length: 20 }, async () => expect((await run((sql) => sql`SELECT 1`))._tag).toBe("Success"))
  )
})

test("if one of several fails, the connection's next transaction is its own", async () => {
  const { run, rename, name } = await scene()
  const before = await name()
  // One after the other, so that they run on one connection
  for (let turn = 0; turn < 3; turn++) {
    const exit = await run((sql) =>
      Effect.all([rename(sql, "earlier"), lastly(rename(sql, null)), lastly(rename(sql, "last"))])
    )
    expect(exit).toMatchObject({ _tag: "Failure" })
    expect((await run((sql) => sql`SELECT 1`))._tag).toBe("Success")
  }
  expect(await name()).toBe(before)
})

test("if one dies before it is sent, the connection's next transaction is its own", async () => {
  const { run, rename, name } = await scene()
  const before = await name()
  for (const postponed of [[], [lastly(Effect.void)]]) {
    const exit = await run((sql) => Effect.all([rename(sql, "earlier"), lastly(Effect.die("no")), ...postponed]))
    expect(exit).toMatchObject({ _tag: "Failure", cause: { defect: "no" } })
    expect((await run((sql) => sql`SELECT 1`))._tag).toBe("Success")
    expect(await name()).toBe(before)
  }
})

test("within a savepoint that is rolled back, it is never sent; what was postponed before is", async () => {
  const { run, rename, name } = await scene()
  const { result, statements } = await recording(
    () =>
      run((sql) =>
        Effect.gen(function* () {
          yield* rename(sql, "first")
          yield* lastly(rename(sql, "before"))
          const tried = Effect.zipRight(lastly(rename(sql, "within")), Effect.fail("no"))
          const { savepoint } = yield* Database
          return yield* Effect.flip(savepoint(tried))
        })
      ),
    server.current.databaseUrl
  )
  expect(result).toMatchObject({ _tag: "Success", value: "no" })
  expect(await name()).toBe("before")
  expect(statements.flatMap(({ values }) => values)).not.toContain("within")
})

test("if it fails before a statement whose failure is handled, the transaction fails", async () => {
  const { run, rename, name } = await scene()
  const before = await name()
  const exit = await run((sql) =>
    Effect.all([rename(sql, "earlier"), lastly(rename(sql, null)), Effect.either(sql`SELECT 1`)])
  )
  expect(exit).toMatchObject({ _tag: "Failure", cause: { defect: { cause: { code: "23502" } } } })
  expect(await name()).toBe(before)
})

test("if it fails before a savepoint whose failure is handled, nothing of an earlier one is undone alone", async () => {
  const { run, rename, name } = await scene()
  const before = await name()
  const exit = await run((sql) =>
    Effect.flatMap(Database, ({ savepoint }) =>
      Effect.all([
        savepoint(Effect.zipRight(rename(sql, "earlier"), lastly(rename(sql, null)))),
        Effect.either(savepoint(Effect.void))
      ])
    )
  )
  expect(exit).toMatchObject({ _tag: "Failure", cause: { defect: { cause: { code: "23502" } } } })
  expect(await name()).toBe(before)
})

test("if it fails before a savepoint by a serialisation failure, the transaction runs again", async () => {
  const { run, rename, name } = await scene()
  let runs = 0
  const exit = await run((sql) =>
    Effect.gen(function* () {
      const { savepoint } = yield* Database
      yield* rename(sql, "before")
      if (runs++ === 0) yield* lastly(sql.unsafe("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$"))
      yield* savepoint(rename(sql, "within"))
    })
  )
  expect(exit._tag).toBe("Success")
  expect([runs, await name()]).toEqual([2, "within"])
})

test("if the transaction fails, it is not sent", async () => {
  const { run, rename, name } = await scene()
  const before = await name()
  const exit = await run((sql) => Effect.zipRight(lastly(rename(sql, "postponed")), Effect.fail("no")))
  expect(exit._tag === "Failure" && Cause.squash(exit.cause)).toBe("no")
  expect(await name()).toBe(before)
})
