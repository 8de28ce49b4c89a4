import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { signToken, verifyToken } from "../../src/services/access/signedTokens.ts"
import { MasterKeyRotation } from "../../src/services/sealing/MasterKeyRotation.ts"
import { SecretBox } from "../../src/services/sealing/SecretBox.ts"
import { eventually } from "../support/eventually.ts"
import { ownServer, startServer, type TestServer } from "../support/server.ts"
import { adminOf } from "../support/staff.ts"
import { inDays, makeWorld } from "../support/world.ts"

const server = ownServer()
const oldKey = Buffer.alloc(32, 7).toString("base64")
const newKey = Buffer.alloc(32, 8).toString("base64")

test("a new master key opens what the old one sealed, and no longer needs the old one after the rotation", async () => {
  const world = await makeWorld(server.current)
  const code = await world.session("anna")
  await server.current.stop()

  const database = server.current.databaseUrl
  const rotating = await startServer({ MASTER_KEY: newKey, MASTER_KEY_PREVIOUS: oldKey }, database)
  const rotate = () => rotating.run(Effect.flatMap(MasterKeyRotation, ({ resealAll }) => resealAll()))
  expect(await rotate()).toBeGreaterThanOrEqual(3)
  expect(await rotate()).toBe(0)
  await rotating.stop()

  const after = await startServer({ MASTER_KEY: newKey }, database)
  const bearer = await adminOf(after, world)
  const path = `/v1/admin/scheduling/booking-token-secrets/${world.key_id}`
  expect(await after.api("GET", path, { bearer })).toMatchObject({ status: 200, body: { secret: world.secret } })
  const session = await after.api("GET", `/v1/scheduling/booking-sessions/${code}`)
  expect(session.status).toBe(200)
  const opened = await after.api("POST", "/v1/scheduling/booking-sessions", {
    token: await world.token("anna"),
    body: { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(2) }
  })
  expect(opened.status).toBe(200)
  await after.stop()
})

test("while processes of either key serve, each opens what the other sealed and signed; Rule 15.1.9", async () => {
  const first = await startServer({ MASTER_KEY: oldKey, MASTER_KEY_NEXT: newKey })
  const second = await startServer({ MASTER_KEY: newKey, MASTER_KEY_PREVIOUS: oldKey }, first.databaseUrl)
  const world = await makeWorld(first)
  for (const [index, [sealing, opening]] of [
    [first, second],
    [second, first]
  ].entries()) {
    if (sealing === undefined || opening === undefined) throw new Error("two processes")
    const book = (server: TestServer) =>
      world.bookByKey({ doctor_uid: world.doctor, start_date: inDays(1, 9 + index) }, `rotation-${index}`, server)
    const booked = await book(sealing)
    expect(booked.status).toBe(201)
    const repeated = await book(opening)
    expect([repeated.status, repeated.body, repeated.headers.get("idempotency-replayed")]).toEqual([
      201,
      booked.body,
      "true"
    ])
    const secret = await sealing.api("POST", "/v1/admin/scheduling/booking-token-secrets", {
      bearer: await adminOf(sealing, world),
      body: {}
    })
    expect(secret.status).toBe(201)
    const path = `/v1/admin/scheduling/booking-token-secrets/${secret.body.key_id ?? secret.body.uid}`
    expect(await opening.api("GET", path, { bearer: await adminOf(opening, world) })).toMatchObject({
      status: 200,
      body: { secret: secret.body.secret }
    })
    const signed = await sealing.run(
      Effect.flatMap(SecretBox, (box) =>
        Effect.flatMap(box.derive("test"), (keys) => signToken(keys, { a: 1 }, { lifetime: 60 }))
      )
    )
    const claims = await opening.run(
      Effect.flatMap(SecretBox, (box) =>
        Effect.flatMap(box.derive("test"), (keys) =>
          verifyToken(Schema.Struct({ a: Schema.Number }))(keys, signed.token)
        )
      )
    )
    expect(claims).toEqual({ a: 1 })
    expect((await opening.api("GET", "/readyz")).status).toBe(200)
  }
  await second.stop()
  await first.stop()
})

// Shows: a stolen database or backup
test("two processes are restarted one by one for each step of a rotation: every request under load is answered, and repeated alike", async () => {
  const first = await startServer({ MASTER_KEY: oldKey })
  const world = await makeWorld(first, { doctors: 4 })
  const url = first.databaseUrl
  const pair = [first, await startServer({ MASTER_KEY: oldKey }, url)]
  const under = new Map<TestServer, number>()
  const faults: Array<string> = []
  let [booked, going] = [0, true]
  /** One that may be replaced meanwhile is stopped only after it has answered. */
  const ask = async (server: TestServer, number: number) => {
    under.set(server, (under.get(server) ?? 0) + 1)
    const times = { doctor_uid: world.doctors[number % 4], start_date: inDays(1) + Math.floor(number / 4) * 1_200 }
    const whose = { shop_customer_id: `customer-${number}`, visit_reason: "kept sealed" }
    const { status, body } = await world.bookByKey({ ...times, ...whose }, `rotation-load-${number}`, server)
    under.set(server, (under.get(server) ?? 1) - 1)
    if (status !== 201) faults.push(`${status} ${JSON.stringify(body)}`)
    return body
  }
  const load = (async () => {
    for (let number = 0; going; number++) {
      // In turn sealed by one and opened by the other
      const [sealing = first, opening = first] = number % 2 === 0 ? pair : pair.toReversed()
      const made = await ask(sealing, number)
      const repeated = await ask(opening, number)
      if (!Bun.deepEquals(repeated, made)) faults.push(`${number}: ${JSON.stringify([made, repeated])}`)
      booked++
    }
  })()
  const more = (count: number) => {
    const wanted = booked + count
    return eventually(
      async () => booked >= wanted || faults.length > 0,
      (is) => is,
      60
    )
  }
  const restartAll = async (keys: Readonly<Record<string, string>>) => {
    for (const index of [0, 1]) {
      const former = pair[index] ?? first
      pair[index] = await startServer(keys, url)
      await more(3)
      await eventually(
        async () => under.get(former) ?? 0,
        (open) => open === 0
      )
      if (former !== first) await former.stop()
    }
  }
  await more(5)
  await restartAll({ MASTER_KEY: oldKey, MASTER_KEY_NEXT: newKey })
  await restartAll({ MASTER_KEY: newKey, MASTER_KEY_PREVIOUS: oldKey })
  await pair[0]?.run(Effect.flatMap(MasterKeyRotation, ({ resealAll }) => resealAll()))
  await more(5)
  await restartAll({ MASTER_KEY: newKey })
  await more(5)
  going = false
  await load
  expect([faults, booked > 20]).toEqual([[], true])
  for (const server of pair) await server.stop()
  await first.stop()
}, 300_000)

test("no secret is stored in clear text", async () => {
  const plain = await startServer()
  const world = await makeWorld(plain)
  const code = await world.session("anna")
  const tables = await plain.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return yield* Effect.forEach(
        ["booking_token_secrets", "booking_sessions", "api_keys", "shops"],
        (table) => sql`SELECT to_jsonb(t)::text AS row FROM ${sql(table)} t`
      )
    })
  )
  for (const secret of [world.secret, world.key, code]) expect(JSON.stringify(tables)).not.toContain(secret)
  await plain.stop()
})
