/** The service is killed (SIGKILL) between freeing a time, holding it, offering it and mailing the offer: nothing is lost, double or left over. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Deferred, Effect } from "effect"
import { mailsTo } from "../../support/codes.ts"
import { eventually } from "../../support/eventually.ts"
import { type Service, startService, temporaryFolder } from "../../support/processes.ts"
import { startServer, type TestServer } from "../../support/server.ts"
import { DAY, HOUR, makeWorld, random } from "../../support/world.ts"

const PATH = "/v1/management/scheduling/waitlist-entries"
/**
 * Whose insertion is awaited when the process is killed: the event of the cancellation (the time is freed, nothing is held), the hold, the
 * offer (it is held), the message (it is offered). `none`: killed after the answer, before or while the mail goes out.
 */
const POINTS = ["events", "claims", "waitlist_offers", "messages", "none"] as const
const ROUNDS = 10

const folder = temporaryFolder()
let observer: TestServer
let service: Service
const once = () =>
  startService({
    DATABASE_URL: observer.databaseUrl,
    DATA_DIR: folder.path,
    DATABASE_POOL_SIZE: "4",
    ROLE: "all",
    SANDBOX: "true",
    LOG_LEVEL: "error"
  })
/** On a machine that is too busy for a connection the service ends, and whatever runs it starts it again. */
const start = async () => {
  for (let attempt = 0; ; attempt++)
    try {
      return await once()
    } catch (error) {
      if (attempt === 4) throw error
    }
}
beforeAll(async () => {
  observer = await startServer({ ROLE: "http", SANDBOX: "true" })
  service = await start()
}, 180_000)
afterAll(async () => {
  await service.stop()
  await observer.stop()
  folder.remove()
})

/** Nobody writes to the table until the work is over; the work can wait until somebody waits for it. */
const lockedTable = (table: string, work: (blocked: () => Promise<unknown>) => Promise<void>) =>
  observer.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const result = yield* Deferred.make<void>()
      const waiting = async () =>
        (await observer.query("SELECT 1 FROM pg_locks WHERE NOT granted AND relation = $1::regclass", [table])).length >
        0
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql.unsafe(`LOCK TABLE ${table} IN EXCLUSIVE MODE`)
          yield* Effect.promise(() => work(() => eventually(waiting, (is) => is)))
          yield* Deferred.succeed(result, undefined)
        })
      )
      return yield* Deferred.await(result)
    }).pipe(Effect.orDie)
  )

const offersTo = async (address: string) =>
  (await mailsTo({ dataDir: folder.path }, address)).filter(({ text }) => text?.includes("/waitlist/"))

test("killed at every step: each freed time is offered once, mailed, and given back when it lapses", async () => {
  const world = await makeWorld(observer, { doctors: 1 })
  const advance = (advance_seconds: number) => world.api("POST", "/v1/sandbox/clock", { advance_seconds })
  const now = await observer.now()
  await advance(Math.ceil((now - 9 * HOUR) / DAY) * DAY + 9 * HOUR - now) // outside of quiet hours
  const day = Math.floor((await observer.now()) / DAY + 5) * DAY + 8 * HOUR
  const patient = async () => {
    const email = `${random("wait")}@example.org`
    return { uid: await world.patient({ first_name: "Ada", email }), email }
  }
  const rounds: Array<{ readonly entry: string; readonly email: string; readonly start_date: number }> = []
  for (let at = 0; at < ROUNDS; at++) {
    const point = POINTS[at % POINTS.length] ?? "none"
    const start_date = day + at * 1_200
    const booked = await world.bookByKey({ patient_uid: (await patient()).uid, doctor_uid: world.doctor, start_date })
    const { uid: patient_uid, email } = await patient()
    const entry = await world.api("POST", PATH, {
      patient_uid,
      appointment_type_uid: world.type_uid,
      from: start_date,
      to: start_date + 1
    })
    rounds.push({ entry: entry.body.uid, email, start_date })
    const cancel = () =>
      fetch(`${service.url}/v1/scheduling/appointments/${booked.body.uid}/cancel`, {
        method: "POST",
        headers: { "x-api-key": world.key, "content-type": "application/json" },
        body: JSON.stringify({ reason: null })
      }).then(
        ({ status }) => status,
        () => 0
      )
    if (point === "none") {
      expect(await cancel()).toBe(200)
      await service.stop("SIGKILL")
      service = await start()
      continue
    }
    await lockedTable(point, async (blocked) => {
      const unanswered = cancel()
      await blocked()
      await service.stop("SIGKILL")
      expect(await unanswered).toBe(0)
    })
    service = await start()
    // nothing of it was done: the client asks again
    expect(await cancel()).toBe(200)
  }

  const statuses = () =>
    Promise.all(rounds.map(async ({ entry }) => (await world.api("GET", `${PATH}/${entry}`)).body.status as string))
  await eventually(statuses, (found) => found.every((one) => one === "offered"))
  for (const { entry, start_date } of rounds)
    expect((await world.api("GET", `${PATH}/${entry}/offers`)).body.offers).toMatchObject([
      { status: "offered", start_date }
    ])
  const { body } = await world.search({ from: day, to: day + ROUNDS * 1_200 })
  expect(body.slots).toEqual([])
  for (const { email } of rounds)
    expect(
      (
        await eventually(
          () => offersTo(email),
          (mails) => mails.length > 0,
          120
        )
      ).length
    ).toBeGreaterThan(0)

  await advance(2 * HOUR + 60)
  await eventually(statuses, (found) => found.every((one) => one === "waiting"))
  const left = await observer.query(
    `SELECT (SELECT count(*)::int FROM claims WHERE held_until IS NOT NULL AND organisation_uid = $1) AS holds,
      (SELECT count(*)::int FROM waitlist_openings WHERE organisation_uid = $1) AS openings,
      (SELECT count(*)::int FROM waitlist_offers WHERE organisation_uid = $1) AS offers`,
    [world.organisation_uid]
  )
  expect(left).toEqual([{ holds: 0, openings: 0, offers: ROUNDS }])
  const free = await world.search({ from: day, to: day + ROUNDS * 1_200 })
  expect(free.body.slots).toHaveLength(ROUNDS)
}, 1_800_000)
