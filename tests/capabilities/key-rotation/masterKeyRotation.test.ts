import { expect, test } from "bun:test"
import { Effect, Schema } from "effect"
import { MasterKeyRotation } from "../../../src/capabilities/key-rotation/services/MasterKeyRotation.ts"
import { signToken, verifyToken } from "../../../src/services/access/signedTokens.ts"
import { SecretBox } from "../../../src/services/sealing/SecretBox.ts"
import { eventually } from "../../support/eventually.ts"
import { startServer, type TestServer } from "../../support/server.ts"
import { adminOf } from "../../support/staff.ts"
import { inDays, makeWorld, type World } from "../../support/world.ts"

const oldKey = Buffer.alloc(32, 7).toString("base64")
const newKey = Buffer.alloc(32, 8).toString("base64")
/** The settings of a rotation, one after another: processes of two neighbours serve side by side. */
const steps: ReadonlyArray<Readonly<Record<string, string>>> = [
  { MASTER_KEY: oldKey },
  { MASTER_KEY: oldKey, MASTER_KEY_NEXT: newKey },
  { MASTER_KEY: newKey, MASTER_KEY_PREVIOUS: oldKey },
  { MASTER_KEY: newKey }
]

const SECRETS = "/v1/admin/scheduling/booking-token-secrets"

/** What the one seals and signs, the other opens. */
const exchange = async (world: World, sealing: TestServer, opening: TestServer) => {
  const bearer = await adminOf(sealing, world)
  const made = await sealing.api("POST", SECRETS, { bearer, body: {} })
  expect(made.status).toBe(201)
  const read = await opening.api("GET", `${SECRETS}/${made.body.key_id ?? made.body.uid}`, {
    bearer: await adminOf(opening, world)
  })
  expect(read).toMatchObject({ status: 200, body: { secret: made.body.secret } })
  const keys = Effect.flatMap(SecretBox, (box) => box.derive("test"))
  const signed = await sealing.run(Effect.flatMap(keys, (own) => signToken(own, { a: 1 }, { lifetime: 60 })))
  const verify = verifyToken(Schema.Struct({ a: Schema.Number }))
  expect(await opening.run(Effect.flatMap(keys, (own) => verify(own, signed.token)))).toEqual({ a: 1 })
  expect((await opening.api("GET", "/readyz")).status).toBe(200)
}

const rotate = (server: TestServer) => server.run(Effect.flatMap(MasterKeyRotation, ({ resealAll }) => resealAll()))

// Shows: a stolen database or backup
test("a master key is rotated while two processes serve: each opens what the other sealed and signed, every request is answered and repeated alike, and at the end the old key is not needed; Rule 15.1.9", async () => {
  const first = await startServer(steps[0])
  const world = await makeWorld(first, { doctors: 4 })
  const code = await world.session("anna")
  let pair: readonly [TestServer, TestServer] = [first, first]
  const faults: Array<string> = []
  let [booked, going] = [0, true]
  const ask = async (server: TestServer, number: number) => {
    const times = { doctor_uid: world.doctors[number % 4], start_date: inDays(1) + Math.floor(number / 4) * 1_200 }
    const whose = { shop_customer_id: `customer-${number}`, visit_reason: "kept sealed" }
    const { status, body } = await world.bookByKey({ ...times, ...whose }, `rotation-load-${number}`, server)
    if (status !== 201) faults.push(`${status} ${JSON.stringify(body)}`)
    return body
  }
  const load = (async () => {
    for (let number = 0; going; number++) {
      // in turn sealed by one and opened by the other
      const [sealing, opening] = number % 2 === 0 ? pair : ([pair[1], pair[0]] as const)
      const made = await ask(sealing, number)
      const repeated = await ask(opening, number)
      if (!Bun.deepEquals(repeated, made)) faults.push(`${number}: ${JSON.stringify([made, repeated])}`)
      booked++
    }
  })()
  const more = async () => {
    const wanted = booked + 3
    await eventually(
      async () => booked >= wanted || faults.length > 0,
      (is) => is
    )
  }
  await more()
  for (const keys of steps.slice(1)) {
    const [former] = pair
    if (keys.MASTER_KEY_PREVIOUS === undefined && keys.MASTER_KEY_NEXT === undefined) {
      expect(await rotate(former)).toBeGreaterThanOrEqual(3)
      expect(await rotate(former)).toBe(0)
    }
    const latter = await startServer(keys, first.databaseUrl)
    pair = [former, latter]
    await exchange(world, former, latter)
    await exchange(world, latter, former)
    await more()
    pair = [latter, latter]
    // what was going then has been answered
    await more()
    await former.stop()
  }
  going = false
  await load
  expect([faults, booked > 20]).toEqual([[], true])

  const [last] = pair
  const read = await last.api("GET", `${SECRETS}/${world.key_id}`, { bearer: await adminOf(last, world) })
  expect(read).toMatchObject({ status: 200, body: { secret: world.secret } })
  expect((await last.api("GET", `/v1/scheduling/booking-sessions/${code}`)).status).toBe(200)
  const opened = await last.api("POST", "/v1/scheduling/booking-sessions", {
    token: await world.token("anna"),
    body: { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(2) }
  })
  expect(opened.status).toBe(200)
  await last.stop()
})
