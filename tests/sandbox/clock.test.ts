import { describe, expect, test } from "bun:test"
import { present } from "../support/body.ts"
import { commandLine } from "../support/cli.ts"
import { stored } from "../support/records.ts"
import { ownServer, startServer } from "../support/server.ts"
import { adminOf } from "../support/staff.ts"
import { HOUR, inDays, makeWorld } from "../support/world.ts"

const server = ownServer({ SANDBOX: "true" })
const seconds = () => Math.floor(Date.now() / 1000)

describe("the sandbox clock", () => {
  test("moves the time of the whole service forward, and runs due work", async () => {
    const world = await makeWorld(server.current)
    const { api } = server.current
    const held = await world.hold(await world.session("anna"), inDays(5, 9))
    const before = await api("GET", "/v1/sandbox/clock", { key: world.key })
    expect(before.body.now).toBeWithin(seconds() - 5, seconds() + 400 * 86_400)
    const moved = await api("POST", "/v1/sandbox/clock", { key: world.key, body: { advance_seconds: HOUR } })
    expect(moved.status).toBe(200)
    expect(moved.body.now - before.body.now).toBeWithin(HOUR, HOUR + 60)
    expect(await stored(server.current, held.body.hold_uid)).toMatchObject({ status: "expired" })
    const target = moved.body.now + 120
    const set = await api("POST", "/v1/sandbox/clock", { key: world.key, body: { now: target } })
    expect(set.body.now).toBeWithin(target, target + 60)
  })

  test("is the same for every replica, including workers", async () => {
    const world = await makeWorld(server.current)
    const replica = await startServer({ SANDBOX: "true", ROLE: "http" }, server.current.databaseUrl)
    const moved = await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 1000 })
    const there = await replica.api("GET", "/v1/sandbox/clock", { key: world.key })
    expect(there.body.now).toBeWithin(moved.body.now, moved.body.now + 60)
    const held = await world.hold(await world.session("anna"), inDays(6, 9))
    await replica.api("POST", "/v1/sandbox/clock", { key: world.key, body: { advance_seconds: 700 } })
    expect(await stored(server.current, held.body.hold_uid)).toMatchObject({ status: "expired" })
    await replica.stop()
  })

  test("set concurrently to one instant moves once", async () => {
    const world = await makeWorld(server.current)
    const { body } = await world.api("GET", "/v1/sandbox/clock")
    const options = { key: world.key, body: { now: body.now + 10 * HOUR } }
    const moves = Array.from({ length: 5 }, () => server.current.api("POST", "/v1/sandbox/clock", options))
    const answers = (await Promise.all(moves)).filter(({ status }) => status === 200)
    expect(answers.length).toBeGreaterThan(0)
    for (const { body: moved } of answers) expect(moved.now).toBeWithin(options.body.now, options.body.now + HOUR)
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

  test("leads at most five years ahead, and sessions still open there; Rule 3.10.4", async () => {
    const own = await startServer({ SANDBOX: "true" })
    const world = await makeWorld(own)
    const move = (body: unknown) => own.api("POST", "/v1/sandbox/clock", { key: world.key, body })
    const years = 5 * 365 * 86_400
    for (const body of [{ now: 253_402_300_799 }, { advance_seconds: years + 86_400 }])
      expect(await move(body)).toMatchObject({ status: 400 })
    expect((await move({ advance_seconds: years - 60 })).status).toBe(200)
    expect(await world.session("anna", { from: seconds() + years, to: seconds() + years + 86_400 })).toStartWith("blc_")
    expect((await move({ advance_seconds: 3600 })).body.error[0]).toStartWith("advance_seconds:")
    await own.stop()
  })

  test("is back at real time after a restart of the only process, and not while another one runs; Rule 3.10.5", async () => {
    const first = await startServer({ SANDBOX: "true" })
    const { key } = await makeWorld(first)
    const ahead = async ({ api }: Pick<typeof first, "api">) =>
      (await api("GET", "/v1/sandbox/clock", { key })).body.now - seconds()
    await first.api("POST", "/v1/sandbox/clock", { key, body: { advance_seconds: 10 * HOUR } })
    const second = await startServer({ SANDBOX: "true", ROLE: "http" }, first.databaseUrl)
    expect(await ahead(second)).toBeWithin(10 * HOUR - 60, 11 * HOUR)
    await second.stop()
    await first.stop()
    const third = await startServer({ SANDBOX: "true" }, first.databaseUrl)
    expect(await ahead(third)).toBeWithin(-60, 60)
    await third.stop()
  })

  test("can be limited to keys with a permission of its own; Rule 3.10.6", async () => {
    const shared = await startServer({ SANDBOX: "true", SANDBOX_PERMISSION: "true" })
    const world = await makeWorld(shared)
    const move = (key: string) => shared.api("POST", "/v1/sandbox/clock", { key, body: { advance_seconds: 60 } })
    const without = await world.keyWith("scheduling:admin", "organisation:admin")
    expect(await move(without)).toMatchObject({ status: 403, body: { code: "forbidden" } })
    expect((await shared.api("GET", "/v1/sandbox/clock", { key: without })).status).toBe(200)
    expect((await move(await world.keyWith("sandbox:clock"))).status).toBe(200)
    await shared.stop()
  })

  test("does not affect token checks, which use real time", async () => {
    const world = await makeWorld(server.current)
    await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 2 * HOUR })
    expect(await world.session("anna")).toStartWith("blc_")
  })

  test("needs a key, and does not exist outside of a sandbox", async () => {
    expect((await server.current.api("GET", "/v1/sandbox/clock")).status).toBe(401)
    const plain = await startServer()
    const world = await makeWorld(plain)
    expect((await plain.api("GET", "/v1/sandbox/clock", { key: world.key })).status).toBe(404)
    const body = { advance_seconds: 60 }
    expect((await plain.api("POST", "/v1/sandbox/clock", { key: world.key, body })).status).toBe(404)
    await plain.stop()
  })
})

describe("the command line on a database whose clock was moved", () => {
  const ahead = 40 * 86_400

  /** The creation time of the created key in the response, and the other fields. */
  const keyMade = async (SANDBOX: string) => {
    const world = await makeWorld(server.current)
    const { databaseUrl, dataDir } = server.current
    const cli = commandLine({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, SANDBOX })
    const create = ["keys", "create", "--organisation", world.organisation_uid, "--name", "made", "--permission"]
    const { status, said } = await cli(...create, "scheduling:read")
    expect(status, said).toBe(0)
    const bearer = await adminOf(server.current, world)
    const { body } = await server.current.api("GET", "/v1/admin/api-keys", { bearer })
    const made = present(body.data.find((key) => key.name === "made"))
    return { created_at: made.created_at, said }
  }

  test("follows it with SANDBOX=true, and otherwise says that it does not", async () => {
    const { key } = await makeWorld(server.current)
    await server.current.api("POST", "/v1/sandbox/clock", { key, body: { advance_seconds: ahead } })
    const before = seconds()
    const real = await keyMade("false")
    expect(real.created_at).toBeWithin(before, before + ahead / 2)
    expect(real.said).toMatch(/sandbox clock of this database is \d+ s ahead, but SANDBOX is not true/)
    const moved = await keyMade("true")
    expect(moved.created_at).toBeGreaterThanOrEqual(before + ahead)
    expect(moved.said).not.toContain("sandbox clock")
  })
})
