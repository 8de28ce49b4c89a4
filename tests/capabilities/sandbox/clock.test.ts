import { describe, expect, test } from "bun:test"
import { present } from "../../support/body.ts"
import { commandLine } from "../../support/cli.ts"
import { stored } from "../../support/records.ts"
import { ownServer, startServer, testServer } from "../../support/server.ts"
import { adminOf } from "../../support/staff.ts"
import { HOUR, inDays, makeWorld } from "../../support/world.ts"

const server = ownServer({ SANDBOX: "true" })
const plain = testServer()
const seconds = () => Math.floor(Date.now() / 1000)

describe("the sandbox clock", () => {
  test("moves the time of the whole service forward, and runs due work", async () => {
    const world = await makeWorld(server.current)
    const held = await world.hold(await world.session("anna"), inDays(5, 9))
    const before = await world.api("GET", "/v1/sandbox/clock")
    expect(before.body.now).toBeWithin(seconds() - 5, seconds() + 400 * 86_400)
    const moved = await world.api("POST", "/v1/sandbox/clock", { advance_seconds: HOUR })
    expect(moved.status).toBe(200)
    expect(moved.body.now - before.body.now).toBeWithin(HOUR, HOUR + 60)
    expect(await stored(server.current, held.body.hold_uid)).toMatchObject({ status: "expired" })
    const target = moved.body.now + 120
    const set = await world.api("POST", "/v1/sandbox/clock", { now: target })
    expect(set.body.now).toBeWithin(target, target + 60)
  })

  test("set concurrently to one instant moves once", async () => {
    const world = await makeWorld(server.current)
    const { body } = await world.api("GET", "/v1/sandbox/clock")
    const now = body.now + 10 * HOUR
    const moves = Array.from({ length: 5 }, () => world.api("POST", "/v1/sandbox/clock", { now }))
    const answers = (await Promise.all(moves)).filter(({ status }) => status === 200)
    expect(answers.length).toBeGreaterThan(0)
    for (const { body: moved } of answers) expect(moved.now).toBeWithin(now, now + HOUR)
  })

  test("never goes back, and accepts exactly one of its parameters", async () => {
    const world = await makeWorld(server.current)
    const move = (body: unknown) => world.api("POST", "/v1/sandbox/clock", body)
    for (const body of [
      { advance_seconds: -1 },
      { now: seconds() - HOUR },
      {},
      { now: seconds() + 10 * 86_400, advance_seconds: 1 },
      { advance_seconds: 1.5 },
      { advance_seconds: 253_402_300_799 }
    ])
      expect(await move(body)).toMatchObject({ status: 400, body: { error: [expect.any(String)] } })
  })

  test("is the same for every replica, and at real time again after a restart of the last one; Rule 3.10.5", async () => {
    const first = await startServer({ SANDBOX: "true" })
    const world = await makeWorld(first)
    const { key } = world
    const ahead = async ({ api }: Pick<typeof first, "api">) =>
      (await api("GET", "/v1/sandbox/clock", { key })).body.now - seconds()
    const held = await world.hold(await world.session("anna"), inDays(6, 9))
    await first.api("POST", "/v1/sandbox/clock", { key, body: { advance_seconds: 10 * HOUR - 700 } })
    const second = await startServer({ SANDBOX: "true", ROLE: "http" }, first.databaseUrl)
    // the other replica has the worker
    await second.api("POST", "/v1/sandbox/clock", { key, body: { advance_seconds: 700 } })
    expect(await stored(first, held.body.hold_uid)).toMatchObject({ status: "expired" })
    for (const one of [first, second]) expect(await ahead(one)).toBeWithin(10 * HOUR - 60, 11 * HOUR)
    await second.stop()
    await first.stop()
    const third = await startServer({ SANDBOX: "true" }, first.databaseUrl)
    expect(await ahead(third)).toBeWithin(-60, 60)
    await third.stop()
  })

  test("sends the messages that are due then, in a process without workers too; Rule 3.10.3", async () => {
    const own = await startServer({ SANDBOX: "true", ROLE: "http" })
    const world = await makeWorld(own)
    const reminder = { recipient_role: "patient", minutes_before: 60, send_email: true }
    const at = `/v1/management/scheduling/appointment-types/${world.type_uid}/reminders`
    expect((await world.api("POST", at, reminder)).status).toBe(201)
    const start = inDays(3, 9)
    await world.booked(start, "anna")
    expect((await world.api("POST", "/v1/sandbox/clock", { now: start - 45 * 60 })).status).toBe(200)
    expect((await world.api("GET", "/v1/management/messages")).body.data).toMatchObject([
      { kind: "reminder", status: "sent" }
    ])
    await own.stop()
  })

  test("leads at most five years ahead, where sessions still open, by keys with a permission of its own where the setting asks for it; Rules 3.10.4 and 3.10.6", async () => {
    const own = await startServer({ SANDBOX: "true", SANDBOX_PERMISSION: "true" })
    const world = await makeWorld(own)
    const allowed = await world.keyWith("sandbox:clock")
    const move = (body: unknown, key = allowed) => own.api("POST", "/v1/sandbox/clock", { key, body })
    const without = await world.keyWith("scheduling:admin", "organisation:admin")
    expect(await move({ advance_seconds: 60 }, without)).toMatchObject({ status: 403, body: { code: "forbidden" } })
    expect((await own.api("GET", "/v1/sandbox/clock", { key: without })).status).toBe(200)
    const years = 5 * 365 * 86_400
    for (const body of [{ now: 253_402_300_799 }, { advance_seconds: years + 86_400 }])
      expect(await move(body)).toMatchObject({ status: 400 })
    expect((await move({ advance_seconds: years - 60 })).status).toBe(200)
    expect(await world.session("anna", { from: seconds() + years, to: seconds() + years + 86_400 })).toStartWith("blc_")
    expect((await move({ advance_seconds: 3600 })).body.error[0]).toStartWith("advance_seconds:")
    await own.stop()
  })

  test("does not affect token checks, which use real time", async () => {
    const world = await makeWorld(server.current)
    await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 2 * HOUR })
    expect(await world.session("anna")).toStartWith("blc_")
  })

  test("needs a key, and does not exist outside of a sandbox", async () => {
    expect((await server.current.api("GET", "/v1/sandbox/clock")).status).toBe(401)
    const { api } = await makeWorld(plain.current)
    expect((await api("GET", "/v1/sandbox/clock")).status).toBe(404)
    expect((await api("POST", "/v1/sandbox/clock", { advance_seconds: 60 })).status).toBe(404)
  })
})

describe("the command line on a database whose clock was moved", () => {
  const ahead = 40 * 86_400

  /** The creation time of the created key in the response, and the other fields. */
  const keyMade = async (SANDBOX: string) => {
    const world = await makeWorld(server.current)
    const { databaseUrl, dataDir } = server.current
    const cli = commandLine({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, SANDBOX })
    const made = ["keys", "create", "--organisation", world.organisation_uid, "--name", "made"]
    const { status, said } = await cli(...made, "--permission", "scheduling:read")
    expect(status, said).toBe(0)
    const bearer = await adminOf(server.current, world)
    const { body } = await server.current.api("GET", "/v1/admin/api-keys", { bearer })
    return { created_at: present(body.data.find(({ name }) => name === "made")).created_at, said }
  }

  test("follows it with SANDBOX=true, and otherwise says that it does not", async () => {
    const { key } = await makeWorld(server.current)
    await server.current.api("POST", "/v1/sandbox/clock", { key, body: { advance_seconds: ahead } })
    const before = seconds()
    const real = await keyMade("false")
    expect(real.created_at).toBeWithin(before, before + ahead / 2)
    expect(real.said).toMatch(/Domain time of this database is \d+ s ahead, but SANDBOX is not true/)
    const moved = await keyMade("true")
    expect(moved.created_at).toBeGreaterThanOrEqual(before + ahead)
    expect(moved.said).not.toContain("Domain time of")
  })
})
