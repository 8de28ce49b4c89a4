/** What happens by the clock: that pg-boss has been told when, and that what it will send then is understood and done. */
import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Exit, Layer, Scope } from "effect"
import { Workers } from "../../src/jobs/Workers.ts"
import { Boss } from "../../src/services/Jobs.ts"
import { queues } from "../../src/services/queues.ts"
import { place, worldWithPatient } from "../scheduling/life/provisioned.ts"
import { eventually } from "../support/eventually.ts"
import { stored } from "../support/records.ts"
import { ownServer } from "../support/server.ts"
import { inDays } from "../support/world.ts"

/** Without a timer of its own: nothing runs but what is sent here. */
const server = ownServer({ ROLE: "http" })

const withBoss = <A>(ask: (boss: Boss["Type"]) => Promise<A>) =>
  server.current.run(Effect.flatMap(Boss, (boss) => Effect.promise(() => ask(boss))))

const schedules = async () => {
  const known = await withBoss((boss) => boss.getSchedules())
  return new Map(known.map((one) => [one.name, one]))
}

/** Sends what the schedule would send at its next moment. */
const tick = async (queue: string) => {
  const schedule = (await schedules()).get(queue)
  return withBoss((boss) => boss.send(queue, schedule?.data ?? null))
}

const working = async (body: () => Promise<unknown>) => {
  const scope = Effect.runSync(Scope.make())
  await server.current.run(Layer.buildWithScope(Workers, scope))
  try {
    await body()
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

test("every periodic job has its schedule, in UTC", async () => {
  await working(async () => {
    const known = [...(await schedules()).values()].map(({ name, cron, timezone }) => [name, cron, timezone])
    expect(Object.fromEntries(known.map(([name, cron]) => [name, cron]))).toEqual({
      "maintenance.appointments": "* * * * *",
      "maintenance.checkouts": "*/10 * * * *",
      "maintenance.deliveries": "* * * * *",
      "maintenance.holds": "* * * * *",
      "maintenance.orders": "*/5 * * * *",
      "maintenance.payouts": "*/5 * * * *",
      "maintenance.reminders": "* * * * *",
      "maintenance.retention": "*/10 * * * *"
    })
    expect(known.map(([name]) => name).sort()).toEqual(
      Object.keys(queues)
        .filter((name) => name.startsWith("maintenance."))
        .sort()
    )
    for (const [, , timezone] of known) expect(timezone).toBe("UTC")
  })
})

test("its job, once sent, lapses holds and ends appointments; until then nobody does", async () => {
  const { world, patient_uid } = await worldWithPatient(server.current)
  const held = await place(world, patient_uid, { status: "held", start_date: inDays(3, 9) })
  const missed = await place(world, patient_uid, { status: "confirmed", start_date: inDays(-1, 9) })
  const met = await place(world, patient_uid, {
    status: "confirmed",
    start_date: inDays(-1, 12),
    fields: { meeting_format: "IN_PERSON" }
  })
  await server.current.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`UPDATE appointments SET hold_expires_at = created_at - interval '1 minute' WHERE uid = ${held}`
    )
  )
  const statuses = () => Promise.all([held, missed, met].map(async (uid) => (await stored(server.current, uid)).status))
  await working(async () => {
    expect(await statuses()).toEqual(["held", "confirmed", "confirmed"])
    await tick("maintenance.holds")
    await eventually(statuses, ([first]) => first === "expired")
    expect(await statuses()).toEqual(["expired", "confirmed", "confirmed"])
    await tick("maintenance.appointments")
    await eventually(statuses, (all) => !all.includes("confirmed"))
    expect(await statuses()).toEqual(["expired", "no_show", "completed"])
  })
})
