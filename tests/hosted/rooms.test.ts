import { describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { ServerMessage } from "../../src/schemas/meetings/Signal.ts"
import { turnServer } from "../../src/services/meetings/turn.ts"
import { eventually } from "../support/eventually.ts"
import { actionLink, doctorsMeeting, openAppointment } from "../support/meetings.ts"
import { startServer, type TestServer, testServer } from "../support/server.ts"
import { makeWorld } from "../support/world.ts"

const server = testServer()

/** A browser's end of the wire, without the browser. */
const connect = (at: TestServer, room: string, token: string, session = crypto.randomUUID()) => {
  const wire = new WebSocket(
    `${at.url.replace("http", "ws")}/meet/meeting/${room}/socket?jwt=${token}&session=${session}`
  )
  const heard: Array<ServerMessage> = []
  const closed = new Promise<number>((resolve) => wire.addEventListener("close", ({ code }) => resolve(code)))
  wire.addEventListener("message", ({ data }) => heard.push(JSON.parse(String(data))))
  const hears = async <T extends ServerMessage["type"]>(type: T, fits: (message: object) => boolean = () => true) => {
    const is = (message: ServerMessage): message is ServerMessage & { type: T } =>
      message.type === type && fits(message)
    const found = (
      await eventually(
        async () => heard.filter(is),
        (all) => all.length > 0
      )
    ).at(-1)
    if (found === undefined) throw new Error(`nobody said ${type}`)
    return found
  }
  return {
    say: (message: object) => wire.send(JSON.stringify(message)),
    raw: (text: string) => wire.send(text),
    hears,
    closed,
    close: () => wire.close()
  }
}

const people = async (patientAt: TestServer, doctorAt: TestServer) => {
  const world = await makeWorld(server.current)
  const uid = await openAppointment(world)
  const code = (await actionLink(server.current, world, uid, "join")).split("/").at(-1)
  const { body } = await server.current.api("POST", `/v1/scheduling/appointment-actions/${code}/join`)
  const room: string = body.room_name
  const doctorsToken = new URL(await doctorsMeeting(server.current, world, uid)).searchParams.get("jwt") ?? ""
  const patient = connect(patientAt, room, body.token)
  const patientId = (await patient.hears("welcome")).self.id
  const doctor = connect(doctorAt, room, doctorsToken)
  const doctorId = (await doctor.hears("welcome")).self.id
  await doctor.hears("member", (message) => JSON.stringify(message).includes(patientId))
  return { room, patient, patientId, doctor, doctorId }
}

describe("a meeting's wire", () => {
  test("lets a browser back in by its resume token, into its place in the queue, and ends the older connection", async () => {
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

  test("carries long introductions whole, and stays up when it is told nonsense", async () => {
    const { patient, patientId, doctor, doctorId } = await people(server.current, server.current)
    doctor.say({ type: "admit", member: patientId })
    await patient.hears("admitted")
    for (const nonsense of ["", "{", "[]", '{"type":"signal"}', "x".repeat(40_000)]) patient.raw(nonsense)
    const sdp = Array.from({ length: 400 }, (_, line) => `a=line:${line} of a description\r\n`).join("")
    patient.say({ type: "signal", to: doctorId, data: { description: { type: "offer", sdp } } })
    expect((await doctor.hears("signal")).data.description?.sdp).toBe(sdp)
    patient.say({ type: "ping" })
    await patient.hears("pong")
    patient.close()
    doctor.close()
  })

  test("is whole again after the database has dropped the listeners of both replicas", async () => {
    const other = await startServer({}, server.current.databaseUrl)
    const { patient, patientId, doctor } = await people(other, server.current)
    const dropped = await server.current.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND query LIKE 'LISTEN%sprechstunde_meetings%'`
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

test("relay credentials are the expiry and an opaque label, signed as coturn checks it", () => {
  expect(turnServer(["turn:relay.example"], "north", "label", 1_700_000_000)).toEqual({
    urls: ["turn:relay.example"],
    username: "1700021600:label",
    // printf 1700021600:label | openssl dgst -sha1 -hmac north -binary | base64
    credential: "GJiyNFRAEquMg+JxUUFoutXWDhE="
  })
})
