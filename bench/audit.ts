/**
 * The cost of the audit log for a booking, in alternating rounds with and without its triggers, and the time to verify a million
 * entries. Times of one caller: they include the service's and the database's work.
 */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { AuditChain } from "../src/capabilities/audit/services/AuditChain.ts"
import { asLogin } from "../src/services/tenancy/Tenancy.ts"
import { startTestServer } from "../tests/support/postgres.ts"
import { startServer } from "../tests/support/server.ts"
import { inDays, makeWorld } from "../tests/support/world.ts"

const ROUNDS = 24
const EACH = 6
const ENTRIES = Number(process.env.BENCH_ENTRIES ?? 1_000_000)

await startTestServer()
const server = await startServer({ ROLE: "http" })
const world = await makeWorld(server, { doctors: 8 })
const query = (text: string) =>
  server.run(Effect.flatMap(SqlClient.SqlClient, (sql) => asLogin(sql.unsafe<Record<string, string>>(text))))

const triggers = await query(`SELECT tgrelid::regclass::text AS table, tgname AS name FROM pg_trigger
  WHERE tgname IN ('audit_write', 'audit_delete')`)
const toggle = async (how: "ENABLE" | "DISABLE") => {
  for (const { table, name } of triggers) await query(`ALTER TABLE ${table} ${how} TRIGGER ${name}`)
}

let start = 0
const book = async () => {
  const index = start++
  const code = await world.session(`patient${index}`)
  const { body, status } = await world.hold(code, inDays(1) + Math.floor(index / 8) * 1200, {
    doctor_uid: world.doctors[index % 8]
  })
  if (status !== 200) throw new Error(`no hold: ${status} ${JSON.stringify(body)}`)
  await server.api("POST", `/v1/scheduling/booking-sessions/${code}/holds/${body.hold_uid}/confirm`)
}

const times: Record<"ENABLE" | "DISABLE", Array<number>> = { ENABLE: [], DISABLE: [] }
for (let round = 0; round < 2 * ROUNDS; round++) {
  const kind = round % 2 === 0 ? "DISABLE" : "ENABLE"
  await toggle(kind)
  await book()
  const before = performance.now()
  for (let index = 0; index < EACH; index++) await book()
  times[kind].push((performance.now() - before) / EACH)
}
const [without, within] = [Math.min(...times.DISABLE), Math.min(...times.ENABLE)]
console.log(
  "booking",
  `${without.toFixed(2)} ms`,
  `${within.toFixed(2)} ms`,
  `${(100 * (within / without - 1)).toFixed(1)} %`
)

await server.run(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* asLogin(
      sql.unsafe(`INSERT INTO audit_entries SELECT 'org_' || i % 50, nextval('audit_positions'),
        clock_timestamp() - (${ENTRIES} - i) * interval '2.5 seconds' / greatest(1, ${ENTRIES} / 1000000),
        'management.appointments.one', 'api_key', 'key_' || i % 7, 'apt_' || md5(i::text), NULL, md5(i::text),
        '192.0.2.0/24' FROM generate_series(1, ${ENTRIES}) i`)
    )
  })
)
const timed = async <A>(name: string, work: Promise<A>) => {
  const before = performance.now()
  const done = await work
  console.log(name, `${((performance.now() - before) / 1000).toFixed(1)} s`, JSON.stringify(done))
}
await timed("seal", server.run(Effect.flatMap(AuditChain, ({ seal }) => seal())))
await timed("verify", server.run(Effect.flatMap(AuditChain, ({ verify }) => verify())))
await server.stop()
process.exit(0)
