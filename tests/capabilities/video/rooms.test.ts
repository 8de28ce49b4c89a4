import { describe, expect, test } from "bun:test"
import { once } from "node:events"
import { createConnection } from "node:net"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { IceServer } from "../../../src/capabilities/video/schemas/Signal.ts"
import { turnServer } from "../../../src/capabilities/video/services/turn.ts"
import { asLogin } from "../../../src/services/tenancy/Tenancy.ts"
import { pageLink } from "../../support/codes.ts"
import { arrived } from "../../support/eventually.ts"
import { connect, doctorsMeeting, openAppointment, people } from "../../support/meetings.ts"
import { isLong, someOf } from "../../support/scale.ts"
import { ownServer, startServer } from "../../support/server.ts"
import { inDays, makeWorld } from "../../support/world.ts"

const limited = ownServer({ ROLE: "http", RATE_LIMIT_PER_SECOND: "3" })
const server = ownServer({ TURN_URL: "turn:relay.example", TURN_SECRET: "north" })

describe("a meeting's socket", () => {
  test("restores a browser's place in the queue by its resume token, and closes the older connection", async () => {
    const { room, patient } = await people(server.current, server.current)
    const { self, resume } = await patient.hears("welcome")
    const again = connect(server.current, room, resume)
    expect((await again.hears("welcome")).self).toMatchObject({ id: self.id, name: self.name, since: self.since })
    await patient.hears("replaced")
    expect(await patient.closed).toBe(1000)
    const elsewhere = connect(server.current, "room_other", resume)
    expect(await elsewhere.closed).toBe(4401)
    again.close()
  })

  test("publishes once that the patient waits, in the feed and to subscribers (Rule 6.2.4)", async () => {
    const { world, uid, room, patient, doctor } = await people(server.current, server.current)
    const { organisation_uid } = world
    const waits = async () => (await world.api("GET", "/v1/management/events?type=scheduling.waiting")).body.data
    const { resume } = await patient.hears("welcome")
    // a waiting patient is notified after the event was written
    await patient.hears("standing")
    const waitingEvents = await waits()
    expect(waitingEvents).toMatchObject([{ organisation_uid, data: { appointment: { uid } } }])
    const again = connect(server.current, room, resume)
    await again.hears("standing")
    expect(await waits()).toEqual(waitingEvents)
    const subscription = { notification_type: "WAITING", url: "http://127.0.0.1:9/" }
    expect((await world.api("POST", "/v1/management/notification-subscriptions", subscription)).status).toBe(201)
    again.close()
    doctor.close()
  })

  test("carries long session descriptions, and survives invalid messages", async () => {
    const { patient, patientId, doctor, doctorId } = await people(server.current, server.current)
    doctor.say({ type: "admit", member: patientId })
    await patient.hears("admitted")
    for (const nonsense of ["", "{", "[]", '{"type":"signal"}', "x".repeat(32_768)]) patient.raw(nonsense)
    const sdp = Array.from({ length: 400 }, (_, line) => `a=line:${line} of a description\r\n`).join("")
    patient.say({ type: "signal", to: doctorId, data: { description: { type: "offer", sdp } } })
    expect((await doctor.hears("signal")).data.description?.sdp).toBe(sdp)
    patient.say({ type: "ping" })
    await patient.hears("pong")
    patient.close()
    doctor.close()
  })

  if (isLong)
    test("recovers after the database has dropped the listeners of both replicas", async () => {
      const other = await startServer({}, server.current.databaseUrl)
      const { patient, patientId, doctor } = await people(other, server.current)
      const dropped = await server.current.run(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          asLogin(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE 'LISTEN%sprechstunde_meetings%'`)
        )
      )
      expect(dropped).toHaveLength(2)
      doctor.say({ type: "admit", member: patientId })
      const repeated = setInterval(() => doctor.say({ type: "admit", member: patientId }), 500)
      await patient.hears("admitted")
      clearInterval(repeated)
      doctor.close()
      await other.stop()
      expect(await patient.closed).toBeGreaterThanOrEqual(1000)
    })
})

const HOUR = 3600
const lasting = { type: { room_strategy: "persistent_per_provider" } }

const dismissals = (room: string, at = server.current) =>
  at.sql`SELECT 1 FROM meeting_dismissals JOIN appointments a ON a.uid = appointment_uid WHERE a.room_name = ${room}`

/** Every one of the tokens is refused; a valid one would keep its connection. */
const areRefused = async (room: string, ...tokens: ReadonlyArray<string>) => {
  for (const token of tokens) expect(await connect(server.current, room, token).closed).toBe(4401)
}

const kinds = [
  ["of the appointment alone", {}],
  ["that lasts", lasting]
] as const

describe.each(kinds)("a resume token of a room %s", (_, options) => {
  // Shows: reuse of a meeting token
  // Shows: a meeting token after its appointment
  test("expires with the cancellation, for patient and doctor, and disconnects the patient", async () => {
    const { world, uid, room, patient, doctor } = await people(server.current, server.current, options)
    const tokens = [(await patient.hears("welcome")).resume, (await doctor.hears("welcome")).resume]
    await world.run(world.practice.cancel(uid))
    expect(await patient.closed).toBe(4401)
    await areRefused(room, ...tokens)
    doctor.close()
  })

  test.each(someOf(["complete", "no-show"], 2))(
    "ends nothing with %s, also after a lost connection (Rule 5.7.4)",
    async (ending) => {
      const { world, uid, room, patient, patientId, doctor } = await people(server.current, server.current, options)
      const { resume } = await patient.hears("welcome")
      doctor.say({ type: "admit", member: patientId })
      await patient.hears("admitted")
      const path = `/v1/management/scheduling/appointments/${uid}/${ending}`
      expect((await world.api("POST", path)).status).toBe(200)
      for (const one of [patient, doctor]) {
        one.say({ type: "ping" })
        await one.hears("pong")
      }
      const again = connect(server.current, room, resume)
      await again.hears("welcome")
      again.close()
      doctor.close()
    }
  )
})

describe.each(someOf(kinds, 2))("a resume token of a room %s", (_, options) => {
  // Shows: a meeting token after its appointment
  test("keeps no connection that is opened during the cancellation", async () => {
    const { world, uid, room, patient, doctor } = await people(server.current, server.current, options)
    const { resume } = await patient.hears("welcome")
    const cancelling = world.run(world.practice.cancel(uid))
    const connections = [patient]
    for (let index = 0; index < 40; index++) {
      connections.push(connect(server.current, room, resume))
      await new Promise(setImmediate)
    }
    await cancelling
    for (const connection of connections) expect([1000, 4401]).toContain(await connection.closed)
    doctor.close()
  })

  // Shows: reuse of a meeting token
  // Shows: a meeting token after its appointment
  test("expires with a dismissal, and a new join opens the room again", async () => {
    const { code, room, patient, patientId, doctor } = await people(server.current, server.current, options)
    const { resume } = await patient.hears("welcome")
    doctor.say({ type: "admit", member: patientId })
    await patient.hears("admitted")
    patient.close()
    await doctor.hears("gone")
    doctor.say({ type: "dismiss", member: patientId })
    await arrived(() => dismissals(room))
    await areRefused(room, resume)
    const joined = await server.current.api("POST", `/v1/scheduling/appointment-actions/${code}/join`)
    const again = connect(server.current, room, joined.body.token)
    const { self } = await again.hears("welcome")
    expect(self.id).toBe(patientId)
    again.close()
    doctor.close()
  })
})

// Shows: a meeting token after its appointment
test("a doctor who was deleted since enters no room", async () => {
  const world = await makeWorld(server.current, lasting)
  const now = Math.floor(Date.now() / 1000)
  const times = { start_date: now - (2 * HOUR) / 3, end_date: now - HOUR / 3 }
  const meeting = new URL(await doctorsMeeting(server.current, world, await openAppointment(world, "Testa", times)))
  const [room = "", token = ""] = [meeting.pathname.split("/").at(-1), meeting.searchParams.get("jwt") ?? ""]
  const doctor = connect(server.current, room, token)
  const { resume } = await doctor.hears("welcome")
  doctor.close()
  const deleted = await world.api("DELETE", `/v1/management/doctors/${world.doctor}`)
  expect(deleted.status).toBe(204)
  await areRefused(room, token, resume)
})

describe("with a movable clock", () => {
  const sandbox = ownServer({ SANDBOX: "true" })

  // Shows: reuse of a meeting token
  // Shows: a meeting token after its appointment
  test("a resume token expires with its appointment's join window", async () => {
    const { world, room, patient, doctor } = await people(sandbox.current, sandbox.current)
    const { resume } = await patient.hears("welcome")
    patient.close()
    doctor.close()
    const again = connect(sandbox.current, room, resume)
    await again.hears("welcome")
    await sandbox.current.api("POST", "/v1/sandbox/clock", { key: world.key, body: { advance_seconds: 2 * HOUR } })
    expect(await connect(sandbox.current, room, resume).closed).toBe(4401)
    again.close()
  })
})

// Shows: use of the video relay by strangers
// Shows: floods over a meeting's socket, and relays for strangers
test("relay credentials are for doctors and admitted patients; all browsers of a participant are one relay user", async () => {
  const { room, patient, patientId, doctor } = await people(server.current, server.current)
  const ofPatient = await patient.hears("welcome")
  expect(ofPatient.ice_servers).toEqual([])
  const ofDoctor = await doctor.hears("welcome")
  expect(ofDoctor.ice_servers).toHaveLength(1)
  doctor.say({ type: "admit", member: patientId })
  const [admitted] = (await patient.hears("admitted")).ice_servers
  expect(admitted).toMatchObject({ urls: ["turn:relay.example"] })
  const other = connect(server.current, room, ofDoctor.resume)
  const [again] = (await other.hears("welcome")).ice_servers
  const label = (relay: IceServer | undefined) => relay?.username.split(":")[1]
  expect(label(again)).toBe(label(ofDoctor.ice_servers[0]))
  expect(label(admitted)).not.toBe(label(again))
  for (const one of [patient, doctor, other]) one.close()
})

// Shows: floods over a meeting's socket, and relays for strangers
test("relay credentials end with the join window, and are new after a reconnection; Rule 5.7.3", async () => {
  const { room, patient, patientId, doctor } = await people(server.current, server.current)
  const closes = Math.floor(Date.now() / 1000) + 1200 - 60 + HOUR // real time: of the appointment
  const expiryOf = (relays: ReadonlyArray<IceServer>) => Number(relays[0]?.username.split(":")[0])
  const { resume, ice_servers } = await doctor.hears("welcome")
  doctor.say({ type: "admit", member: patientId })
  const all = [ice_servers, (await patient.hears("admitted")).ice_servers]
  const again = connect(server.current, room, resume)
  all.push((await again.hears("welcome")).ice_servers)
  for (const relays of all) expect(expiryOf(relays)).toBeWithin(closes - 30, closes + 300)
  for (const one of [patient, doctor, again]) one.close()
})

// Shows: floods over a meeting's socket, and relays for strangers
test("a message of more than 32 KiB closes the connection", async () => {
  const { patient, doctor } = await people(server.current, server.current)
  patient.raw("x".repeat(32_769))
  expect(await patient.closed).toBeGreaterThan(1000)
  doctor.close()
})

// Shows: a flood over a meeting's socket
test("a message's declared length closes the connection before the message is sent", async () => {
  const { room, patient, doctor } = await people(server.current, server.current)
  const { resume } = await patient.hears("welcome")
  const { hostname, port } = new URL(server.current.url)
  const wire = createConnection({ host: hostname, port: Number(port) })
  const ended = once(wire, "close")
  wire.write(
    `GET /meet/meeting/${room}/socket?jwt=${resume} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\n` +
      "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
  )
  expect(String(await once(wire, "data"))).toStartWith("HTTP/1.1 101")
  const frame = Buffer.alloc(14)
  frame.writeUInt16BE(0x82_ff) // the last frame of a binary message, masked, its length in 64 bits
  frame.writeBigUInt64BE(8n * 1024n * 1024n, 2)
  wire.write(frame)
  await ended
  doctor.close()
})

if (isLong)
  // Shows: a meeting token after its appointment
  test("a dismissal ends the connection of a patient whose queue is full of messages", async () => {
    const other = await startServer({}, server.current.databaseUrl)
    const { room, patient, patientId, doctor, doctorId } = await people(server.current, other)
    doctor.say({ type: "admit", member: patientId })
    await patient.hears("admitted")
    const key = 5_741
    await other.run(
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT pg_advisory_xact_lock(${key})`
            // with every connection of its pool in use, the patient's server can relay nothing
            const lockers = Array.from({ length: 8 }, () =>
              server.current.run(
                Effect.flatMap(SqlClient.SqlClient, (own) => asLogin(own`SELECT pg_advisory_xact_lock(${key})`))
              )
            )
            const waiting = sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${key} AND NOT granted`
            yield* Effect.promise(() => arrived(() => other.run(waiting), lockers.length))
            for (let index = 0; index < 400; index++) patient.say({ type: "signal", to: doctorId, data: {} })
            doctor.say({ type: "dismiss", member: patientId })
            yield* Effect.promise(() => arrived(() => dismissals(room, other)))
          })
        )
      )
    )
    expect(await patient.closed).toBe(1000)
    doctor.close()
    await other.stop()
  })

// Shows: a flood over a meeting's socket
// Shows: floods over a meeting's socket, and relays for strangers
test("a flood of messages closes the connection", async () => {
  const { patient, doctor } = await people(server.current, server.current)
  for (let index = 0; index < 2_000; index++) patient.say({ type: "ping" })
  expect(await patient.closed).toBe(1008)
  doctor.close()
})

test("files that do not exist count as refused credentials; Rule 2.7.7", async () => {
  const { url } = limited.current
  // more than a busy machine regains while it answers them
  const many = (path: string) => Promise.all(Array.from({ length: 40 }, () => fetch(`${url}/meet/${path}`)))
  const missing = await many("assets/none.js")
  expect(new Set(missing.map(({ status }) => status))).toEqual(new Set([404, 429]))
  const pages = await many("meeting/room_unknown?parent=https%3A%2F%2Fpartner.example")
  const page = pages.findLast(({ status }) => status === 429)
  if (page === undefined) throw new Error("no page was refused")
  const text = await page.text()
  // Rule 5.6.4: the page with the widget may frame it, and hears why
  expect(page.headers.get("content-security-policy")).toEndWith("frame-ancestors 'self' https://partner.example")
  expect(text).toContain("{&quot;reason&quot;:&quot;busy&quot;")
  const [, file = ""] = /\/meet\/assets\/([^"]+)"/.exec(text) ?? []
  const known = await many(`assets/${file}`)
  expect(new Set(known.map(({ status }) => status))).toEqual(new Set([200]))
})

// Shows: use of the video relay by strangers
test("the connection test has relay credentials for ten minutes", async () => {
  const world = await makeWorld(server.current)
  const link = await pageLink(server.current, await world.booked(inDays(3, 10)), "join")
  const before = Math.floor(Date.now() / 1000)
  const [, expiry] = /(\d{10}):/.exec(await (await fetch(`${link}/devices`)).text()) ?? []
  expect(Number(expiry)).toBeWithin(before + 600, Math.floor(Date.now() / 1000) + 601)
})

test("relay credentials are the expiry and an opaque label, signed as coturn checks it", () => {
  expect(turnServer(["turn:relay.example"], "north", "label", 1_700_000_000, 21_600)).toEqual({
    urls: ["turn:relay.example"],
    username: "1700021600:label",
    // printf 1700021600:label | openssl dgst -sha1 -hmac north -binary | base64
    credential: "GJiyNFRAEquMg+JxUUFoutXWDhE="
  })
})
