import { afterAll, expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { DomainClock } from "../../src/services/DomainClock.ts"
import { DeliveryRunner } from "../../src/services/events/DeliveryRunner.ts"
import { present } from "../support/body.ts"
import { ownServer } from "../support/server.ts"
import { transaction } from "../support/transaction.ts"
import { makeWorld } from "../support/world.ts"
import { appendMeeting, numberOf, subjectOf } from "./meetingEvent.ts"
import { startReceiver } from "./receiver.ts"

const KILLS = 200
const AT_ONCE = 3
const SUBJECTS = 10
/** Of every six workers, two are killed at a fault point. */
const faultPoints: Readonly<Record<number, { readonly DOOM: string }>> = {
  0: { DOOM: "claimed" },
  3: { DOOM: "answered" }
}
const folder = await mkdtemp(join(tmpdir(), "sprechstunde-kills-"))
afterAll(() => rm(folder, { recursive: true }))
/** Bundled, the worker starts five times as fast. */
const built = await Bun.build({
  entrypoints: [`${import.meta.dir}/doomedWorker.ts`],
  target: "bun",
  minify: true,
  outdir: folder
})
const worker = built.outputs[0]?.path ?? ""

const server = ownServer({ SANDBOX: "true", ROLE: "http" })
const receiver = await startReceiver()
afterAll(() => receiver.stop())

test(`${KILLS} killed workers: every event arrives under its own id and in order, but none that was rolled back`, async () => {
  const { run, databaseUrl, dataDir } = server.current
  const world = await makeWorld(server.current)
  const subscribed = await world.api("POST", "/v1/management/notification-subscriptions", {
    notification_type: "PATIENT_DOCTOR_MEETING_UPDATED",
    url: receiver.url("/hook")
  })
  expect(subscribed.status).toBe(201)

  const append = (subject: string, n: number, fate: "commit" | "roll back") =>
    run(
      appendMeeting(world.organisation_uid, subject, n).pipe(
        Effect.tap(() => (fate === "commit" ? Effect.void : Effect.fail("rolled back"))),
        transaction,
        Effect.option
      )
    )

  const environment = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
    ROLE: "worker",
    SANDBOX: "true",
    DATABASE_POOL_SIZE: "3",
    LOG_LEVEL: "none"
  }
  /** A killed worker's claims are due again. The clock does not move: after ten minutes an event would no longer wait. */
  const expireLeases = Effect.flatMap(Effect.all([SqlClient.SqlClient, DomainClock]), ([sql, clock]) =>
    Effect.flatMap(
      clock.now,
      (now) => sql`UPDATE webhook_deliveries SET next_attempt_at = to_timestamp(${now}) WHERE status = 'pending'`
    )
  )
  const outcomes = new Map<string, number>()
  let started = 0
  const committed = new Map<string, number>()
  let rolledBack = 0

  /** Appends events, starts a worker, which is killed; sometimes expires the leases of killed workers. */
  const killWorkers = async () => {
    while (started < KILLS) {
      const n = started++
      const outcome = n % 7 === 3 ? "roll back" : "commit"
      const id = await append(`apt_${n % SUBJECTS}`, n, outcome)
      if (id._tag === "Some") committed.set(id.value, n)
      else rolledBack += 1
      const child = Bun.spawn([process.execPath, "--no-install", worker], {
        env: { ...environment, ...faultPoints[n % 6] },
        stdout: "pipe",
        stderr: "inherit"
      })
      const point = await new Response(child.stdout).text()
      await child.exited
      expect(child.signalCode).toBe("SIGKILL")
      outcomes.set(point, (outcomes.get(point) ?? 0) + 1)
      if (n % 10 === 9) await run(expireLeases)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, killWorkers))
  expect([...outcomes.values()].reduce((sum, count) => sum + count, 0)).toBe(KILLS)
  expect([...outcomes.keys()].sort()).toEqual(["answered", "at random", "claimed"])

  await run(expireLeases)
  await run(Effect.flatMap(DeliveryRunner, ({ runDue }) => runDue()))
  expect(await server.current.sql`SELECT 1 FROM webhook_deliveries WHERE status = 'pending'`).toEqual([])

  expect(rolledBack).toBeGreaterThan(KILLS / 10)
  const receivedIds = new Set(receiver.all.map(({ id }) => id))
  expect([...receivedIds].sort()).toEqual([...committed.keys()].sort())
  for (const { id, event } of receiver.all) expect([event.id, numberOf(event)]).toEqual([id, committed.get(id)])
  const firstReceived = [...receivedIds].map((id) => present(receiver.all.find((got) => got.id === id)).event)
  for (let subject = 0; subject < SUBJECTS; subject += 1) {
    const order = firstReceived.filter((event) => subjectOf(event) === `apt_${subject}`).map(numberOf)
    const written = [...committed.values()].filter((n) => n % SUBJECTS === subject)
    expect(order).toEqual(written)
  }
}, 600_000)
