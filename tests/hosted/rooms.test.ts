import { describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { turnServer } from "../../src/services/meetings/turn.ts"
import { connect, people } from "../support/meetings.ts"
import { ownServer, startServer } from "../support/server.ts"

const server = ownServer()

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
