/** A connection that breaks at COMMIT: no committed change is refused, and none happens twice. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { lastly } from "../../src/services/database/Database.ts"
import { eventsIn, makePharmacy } from "../pharmacy/pharmacyWorld.ts"
import { losingCommits } from "../support/lostCommits.ts"
import { freshDatabase } from "../support/postgres.ts"
import { eventsOf, type Row } from "../support/records.ts"
import { migrated, startServer, type TestServer } from "../support/server.ts"
import { transaction } from "../support/transaction.ts"
import { inDays, makeWorld, SENDS_MAIL } from "../support/world.ts"

let way: Awaited<ReturnType<typeof losingCommits>>
let server: TestServer
beforeAll(async () => {
  way = await losingCommits((await freshDatabase(migrated)).url)
  // no worker: the only COMMIT at that moment is the request's. One connection: a broken one leaves its place to the one that settles
  server = await startServer({ ROLE: "http", DATABASE_POOL_SIZE: "1" }, way.url)
})
afterAll(async () => {
  await server.stop()
  way.stop()
})

const rows = (organisation_uid: string) =>
  server.sql<Row>`SELECT uid, status FROM appointments WHERE organisation_uid = ${organisation_uid} ORDER BY uid`
const named = (organisation_uid: string) =>
  server.sql<{ name: string }>`SELECT name FROM organisations WHERE organisation_uid = ${organisation_uid}`
const changesOf = async (uid: string) => (await eventsOf(server, uid)).map(({ data }) => data)

describe.each(["before", "after"] as const)("a connection that breaks %s the server has committed", (when) => {
  test("leaves one hold, which the caller receives", async () => {
    const world = await makeWorld(server)
    const code = await world.session()
    const held = await way.during(when, () => world.hold(code, inDays(2, 9)))
    expect(held.status).toBe(200)
    expect(await rows(world.organisation_uid)).toEqual([{ uid: held.body.hold_uid, status: "held" }])
  })

  test("leaves one hold under an idempotency key, and a repetition gets the same answer", async () => {
    const world = await makeWorld(server)
    const code = await world.session()
    const held = await way.during(when, () => world.hold(code, inDays(2, 9), {}, "once"))
    const again = await world.hold(code, inDays(2, 9), {}, "once")
    expect([held.status, again.status]).toEqual([200, 200])
    expect(again.body.hold_uid).toBe(held.body.hold_uid)
    expect(await rows(world.organisation_uid)).toHaveLength(1)
  })

  test("leaves one confirmation, one event and one job that sends its mail, with which COMMIT travels", async () => {
    const world = await makeWorld(server, SENDS_MAIL)
    const code = await world.session()
    const { hold_uid } = (await world.hold(code, inDays(2, 9))).body
    const confirmed = await way.during(when, () => world.confirm(code, hold_uid))
    expect(confirmed).toMatchObject({ status: 200, body: { uid: hold_uid, status: "confirmed" } })
    expect(await changesOf(hold_uid)).toEqual([expect.objectContaining({ change: "confirmed" })])
    const jobs = await server.sql`SELECT 1 FROM pgboss.job
      WHERE name = 'message.send' AND strpos(data::text, ${world.organisation_uid}) > 0`
    expect(jobs).toHaveLength(1)
  })

  test("leaves one change by a transaction of one statement that was to be its last", async () => {
    const { organisation_uid } = await makeWorld(server)
    const change = Effect.flatMap(SqlClient.SqlClient, (sql) =>
      transaction(
        lastly(sql`UPDATE organisations SET name = name || ', again' WHERE organisation_uid = ${organisation_uid}`)
      )
    )
    const [before] = await named(organisation_uid)
    await way.during(when, () => server.run(change))
    expect(await named(organisation_uid)).toEqual([{ name: `${before?.name}, again` }])
  })

  test("leaves one completion of an order and one job that routes its payouts", async () => {
    const world = await makePharmacy(server)
    const uid = await world.order({ status: "in_preparation", payment_id: "tr_1" })
    const answer = await way.during(when, () => world.call("PATCH", `/pharmacy_orders/${uid}/complete_order`))
    expect(answer).toMatchObject({ status: 200, body: { uid, status: "completed" } })
    const published = (await eventsIn(server, world.pharmacy_uid)).filter(({ subject }) => subject === uid)
    expect(published.filter(({ type }) => type === "pharmacy_order.completed")).toHaveLength(1)
    const jobs =
      await server.sql`SELECT 1 FROM pgboss.job WHERE name = 'payout.route' AND strpos(data::text, ${uid}) > 0`
    expect(jobs).toHaveLength(1)
  })
})

test("a change of which the database does not tell whether it was made is answered 503, and is not made again", async () => {
  const world = await makeWorld(server)
  const code = await world.session()
  const hold = () => world.hold(code, inDays(2, 9), {}, "once")
  const held = await way.during("after", hold, true)
  expect(held.status).toBe(503)
  expect(held.body).toMatchObject({ code: "unavailable", error: expect.stringContaining("may have been made") })
  expect(await rows(world.organisation_uid)).toHaveLength(1)
  // as the answer says
  expect((await hold()).status).toBe(200)
  expect(await rows(world.organisation_uid)).toHaveLength(1)
})
