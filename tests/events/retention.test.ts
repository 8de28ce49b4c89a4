import { expect, test } from "bun:test"
import { Effect } from "effect"
import { Retention } from "../../src/capabilities/retention/services/Retention.ts"
import { retentionRules } from "../../src/capabilities/shared/services/retentionRules.ts"
import { system } from "../../src/schemas/access/Actor.ts"
import { OrganisationUid, PrescriptionUid } from "../../src/schemas/ids.ts"
import { DomainClock } from "../../src/services/DomainClock.ts"
import { EventLog } from "../../src/services/events/EventLog.ts"
import { isLong } from "../support/scale.ts"
import { ownServer } from "../support/server.ts"
import { transaction } from "../support/transaction.ts"
import { DAY, inDays, makeWorld } from "../support/world.ts"

const server = ownServer({ SANDBOX: "true", ROLE: "http" })

const count = async (table: string, column: string, owner: string) =>
  (await server.current.query(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [owner])).length
const pass = (seconds: number) =>
  server.current.run(
    Effect.gen(function* () {
      yield* Effect.flatMap(DomainClock, ({ advance }) => advance(seconds))
      yield* Effect.flatMap(Retention, ({ deleteExpired }) => deleteExpired())
    })
  )

test("events are kept for 30 days, idempotency keys for one day, sessions past their end; appointments stay", async () => {
  const world = await makeWorld(server.current)
  const { organisation_uid: owner } = world
  const code = await world.session("c1")
  const held = await world.hold(code, inDays(5, 9), {}, "key-1")
  await world.confirm(code, held.body.hold_uid)
  expect(await count("events", "owner_uid", owner)).toBe(2)
  expect(await count("idempotency_keys", "owner_uid", owner)).toBe(1)
  await pass(DAY - 600)
  expect(await count("idempotency_keys", "owner_uid", owner)).toBe(1)
  await pass(1200)
  expect(await count("idempotency_keys", "owner_uid", owner)).toBe(0)
  await pass(28 * DAY)
  expect(await count("booking_sessions", "organisation_uid", owner)).toBe(0)
  expect(await count("events", "owner_uid", owner)).toBe(2)
  await pass(DAY)
  expect(await count("events", "owner_uid", owner)).toBe(0)
  expect(await count("appointments", "organisation_uid", owner)).toBe(1)
})

if (isLong)
  test("one run deletes thousands of old events and keeps recent ones", async () => {
    const { organisation_uid } = await makeWorld(server.current)
    const append = (n: number) =>
      server.current.run(
        Effect.flatMap(EventLog, (log) =>
          transaction(
            log.appendAll(
              Array.from({ length: n }, (_, i) => ({
                organisation_uid: OrganisationUid.make(organisation_uid),
                type: "prescription.render" as const,
                subject: `prs_${i}`,
                data: { prescription_uid: PrescriptionUid.make(`prs_${i}`), actor: system }
              }))
            )
          )
        )
      )
    await append(4_500)
    await server.current.advance(20 * DAY)
    await append(3)
    await pass(15 * DAY)
    expect(await count("events", "owner_uid", organisation_uid)).toBe(3)
  })

test("every table with deletion by age has an index for it", async () => {
  const indexed = await server.current.sql<{ tablename: string; indexdef: string }>`
    SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = current_schema()`
  for (const { table, since } of retentionRules()) {
    const found = indexed.some((one) => one.tablename === table && one.indexdef.includes(`(${since})`))
    expect([table, since, found]).toEqual([table, since, true])
  }
})
