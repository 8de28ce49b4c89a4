/** Many concurrent holds of one doctor's time, and their effect on other requests. */
import { expect, test } from "bun:test"
import { Client } from "pg"
import { onEveryNode } from "../support/citus.ts"
import { eventually } from "../support/eventually.ts"
import { ownServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"

const server = ownServer({ ROLE: "http", DATABASE_POOL_SIZE: "4" })

test("requests that wait for a doctor leave connections free for others, with and without idempotency keys", async () => {
  const world = await makeWorld(server.current)
  const codes = await Promise.all(Array.from({ length: 24 }, (_, i) => world.session(`customer-${i}`)))
  const others = onEveryNode(server.current.databaseUrl).map((connectionString) => new Client({ connectionString }))
  await Promise.all(others.map((other) => other.connect()))
  // another replica is busy with this doctor, on whichever node the organisation is
  const name = `${world.organisation_uid}/${world.doctor}`
  await Promise.all(others.map((other) => other.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [name])))
  const holds = codes.map((code, i) => world.hold(code, inDays(2, 9), {}, i % 2 === 0 ? undefined : `key-${i}`))
  const waiting = async () => {
    const found = others.map((other) =>
      other.query(`SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`)
    )
    return (await Promise.all(found)).reduce((sum, { rows }) => sum + rows.length, 0)
  }
  await eventually(waiting, (count) => count > 0)
  const unrelated = await Promise.race([
    world.search().then(({ status }) => status),
    Bun.sleep(5_000).then(() => "no answer")
  ])
  expect([await waiting(), unrelated]).toEqual([1, 200])
  await Promise.all(others.map((other) => other.end()))
  const answers = await Promise.all(holds)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.code === "slot_taken")).toHaveLength(23)
})
