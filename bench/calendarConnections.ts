/**
 * `bun bench/calendarConnections.ts`: the processor time of 1,000 connected doctors' calendars with ten changes each, as in an hour, pushed by a
 * stand-in of Google; and the time from a change there until it is closed here. The stand-in is this process, which is not counted. Last, the
 * time of asking a real CalDAV server, Radicale, which cannot push.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Layer, Option } from "effect"
import { calendarStandIn } from "../script/calendar/standIn.ts"
import { CalendarProvidersLive } from "../src/capabilities/calendars/layers/connections/CalendarProvidersLive.ts"
import { CalendarServersLive } from "../src/capabilities/calendars/layers/reading/CalendarServersLive.ts"
import { CalendarSync } from "../src/capabilities/calendars/services/connections/CalendarSync.ts"
import { Connections } from "../src/capabilities/calendars/services/connections/Connections.ts"
import { DoctorUid, OrganisationUid } from "../src/schemas/ids.ts"
import { DAY } from "../src/schemas/seconds.ts"
import { onlyOwner } from "../src/services/tenancy/Tenancy.ts"
import { runFolder } from "../tests/support/postgres.ts"
import { startService } from "../tests/support/processes.ts"
import { radicaleAddress, radicaleCalendar, radicaleUser, startRadicale } from "../tests/support/radicale.ts"
import { startServer } from "../tests/support/server.ts"
import { makeWorld } from "../tests/support/world.ts"
import { familyProcessorOf, median, processorOf } from "./harness/measure.ts"

const [ORGANISATIONS, DOCTORS, CHANGES, SINGLE] = [5, 200, 10, 20]
const there = calendarStandIn()
const server = await startServer({ ROLE: "http", ...there.settings })
const postmaster = Number(readFileSync(join(runFolder(), "data", "postmaster.pid"), "utf8").split("\n")[0])

const services = Layer.merge(Connections.Default, CalendarSync.Default).pipe(
  Layer.provide(CalendarProvidersLive),
  Layer.provide(CalendarServersLive)
)
const connectAll = (owner: OrganisationUid, doctors: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { create, finish } = yield* Connections
    for (const doctor of doctors.map((uid) => DoctorUid.make(uid))) {
      const made = yield* create(owner, doctor, { provider: "google" })
      const url = "authorize_url" in made ? made.authorize_url : ""
      const back = yield* Effect.promise(() => fetch(url, { redirect: "manual" }))
      const { searchParams } = new URL(back.headers.get("location") ?? "")
      const answer = { state: searchParams.get("state") ?? "", code: searchParams.get("code") ?? "" }
      if (Option.isNone(yield* finish(owner, doctor, "google", answer))) throw new Error("a doctor was not connected")
    }
  }).pipe(Effect.provide(services), onlyOwner({ organisation_uid: owner }))
for (let at = 0; at < ORGANISATIONS; at++) {
  const world = await makeWorld(server, { doctors: DOCTORS })
  await server.run(connectAll(OrganisationUid.make(world.organisation_uid), world.doctors))
}
const service = await startService({
  DATABASE_URL: server.databaseUrl,
  DATA_DIR: join(runFolder(), "calendar-connections"),
  WEBHOOK_ALLOW_PRIVATE: "true",
  ...there.settings
})
const count = async (text: string, ...values: ReadonlyArray<unknown>) =>
  (await server.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${text}`, values))[0]?.count ?? 0
const until = async (wanted: () => Promise<boolean>, pause = 200) => {
  while (!(await wanted())) await Bun.sleep(pause)
}
const all = ORGANISATIONS * DOCTORS
await until(async () => there.channels.size === all)
console.log(`${all} doctors are connected`)
const today = Math.floor(Date.now() / 1000 / DAY) * DAY
const begun = [processorOf(service.pid), familyProcessorOf(postmaster)] as const
for (let change = 0; change < CHANGES; change++) {
  const { id } = there.set({ start: today + (2 + change) * DAY, end: today + (2 + change) * DAY + 1_800 })
  await until(async () => (await count("connected_times WHERE entry_id = $1", id)) === all)
}
const [ofService, ofDatabase] = [
  (processorOf(service.pid) - begun[0]) / 1000,
  (familyProcessorOf(postmaster) - begun[1]) / 1000
]
console.log(
  `${all * CHANGES} pushed changes: ${ofService.toFixed(1)} + ${ofDatabase.toFixed(1)} s of processor time (service + PostgreSQL)`
)
for (const channel of [...there.channels.keys()].slice(1)) there.channels.delete(channel)
const millis: Array<number> = []
for (let change = 0; change < SINGLE; change++) {
  const since = performance.now()
  const { id } = there.set({ start: today + (20 + change) * DAY, end: today + (20 + change) * DAY + 1_800 })
  await until(async () => (await count("connected_times WHERE entry_id = $1", id)) > 0, 5)
  millis.push(performance.now() - since)
}
console.log(`from a change there until it is closed here: ${median(millis).toFixed(0)} ms (median of ${SINGLE})`)
await service.stop()

const address = radicaleAddress()
const stopRadicale = await startRadicale(address)
const dav = radicaleCalendar(address, "own")
const account = { provider: "caldav", url: dav.url, ...radicaleUser } as const
const askEach = (owner: OrganisationUid, doctor: DoctorUid) =>
  Effect.gen(function* () {
    const { create } = yield* Connections
    const { sync } = yield* CalendarSync
    const { uid } = yield* create(owner, doctor, account)
    const key = { organisation_uid: owner, uid }
    yield* sync(key)
    const took: Array<number> = []
    for (let change = 0; change < SINGLE; change++) {
      const start = today + (2 + change) * DAY
      yield* Effect.promise(() => dav.put(`change${change}`, start, start + 1_800))
      // as after five minutes
      yield* Effect.promise(() =>
        server.query(
          `WITH asked AS (UPDATE connected_calendars SET read_at = date_trunc('second', now()) WHERE connection_uid = $1)
        UPDATE calendar_connections SET next_at = date_trunc('second', now()) WHERE uid = $1`,
          [uid]
        )
      )
      const since = performance.now()
      yield* sync(key)
      took.push(performance.now() - since)
    }
    const closed = yield* Effect.promise(() => count("connected_times WHERE connection_uid = $1", uid))
    if (closed !== SINGLE) throw new Error(`${closed} of ${SINGLE} times are closed`)
    return took
  }).pipe(Effect.provide(services), onlyOwner({ organisation_uid: owner }))
const ask = async () => {
  await dav.create()
  const world = await makeWorld(server, { doctors: 1 })
  return server.run(askEach(OrganisationUid.make(world.organisation_uid), DoctorUid.make(world.doctor)))
}
const asked = await ask().finally(stopRadicale)
console.log(`asking Radicale, until what changed is closed here: ${median(asked).toFixed(0)} ms (median of ${SINGLE})`)
await server.stop()
there.stop()
process.exit(0)
