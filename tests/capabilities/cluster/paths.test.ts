/**
 * The usual requests of patients and practices, with every statement that queries a second shard rejected. Without a cluster (CITUS_URLS) it
 * shows that the same requests succeed on one node.
 */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { citusNodes } from "../../support/citus.ts"
import { freshDatabase, using } from "../../support/postgres.ts"
import { place, worldWithPatient } from "../../support/provisioned.ts"
import { migrated, startServer, type TestServer } from "../../support/server.ts"
import { inDays } from "../../support/world.ts"

let setUp: TestServer
let server: TestServer

/** Applies to new connections. */
const refuseManyShards = (url: string) =>
  using(url, (client) =>
    client.query(`ALTER DATABASE "${client.database}" SET citus.multi_task_query_log_level = 'error'`)
  )

beforeAll(async () => {
  const { url } = await freshDatabase(migrated)
  setUp = await startServer({ ROLE: "http" }, url)
  if (citusNodes.length > 0) await refuseManyShards(url)
  else console.log("CITUS_URLS names no cluster: these requests are made on one node")
  server = await startServer({ ROLE: "http" }, url)
})
afterAll(async () => {
  await server.stop()
  await setUp.stop()
})

test("each request of a booking's life queries one shard", async () => {
  const { world, patient_uid } = await worldWithPatient(setUp)
  const now = Math.floor(Date.now() / 1000)
  const soon = await place(world, patient_uid, { status: "confirmed", start_date: now + 60 })
  const { key, type_uid, shop_uid, doctor } = world
  const token = await world.token("anna")
  const done: Array<readonly [string, number]> = []
  const sendRequest = async (
    name: string,
    method: string,
    path: string,
    given: Parameters<TestServer["api"]>[2] = {}
  ) => {
    const answer = await server.api(method, path, given)
    done.push([name, answer.status])
    return answer.body
  }
  const scheduling = "/v1/scheduling"
  const management = "/v1/management"
  const session = () =>
    sendRequest("session", "POST", `${scheduling}/booking-sessions`, {
      token,
      body: { mode: "booking", appointment_type_uid: type_uid, from: inDays(0), to: inDays(30) }
    })
  const wanted = (start_date: number) => ({ body: { doctor_uid: doctor, appointment_type_uid: type_uid, start_date } })
  await sendRequest("types", "GET", `${scheduling}/appointment-types?shop_uid=${shop_uid}`)
  await sendRequest("search", "POST", `${scheduling}/slots/search`, {
    body: { shop_uid, appointment_type_uid: type_uid, from: inDays(1), to: inDays(2) }
  })
  const { booking_launch_code: code } = await session()
  await sendRequest("session read", "GET", `${scheduling}/booking-sessions/${code}`)
  await sendRequest("page", "GET", `/meet/booking/${code}`)
  const hold = await sendRequest("hold", "POST", `${scheduling}/booking-sessions/${code}/holds`, wanted(inDays(3, 9)))
  const { uid } = await sendRequest(
    "confirm",
    "POST",
    `${scheduling}/booking-sessions/${code}/holds/${hold.hold_uid}/confirm`,
    { body: {} }
  )
  const moved = await sendRequest("rebook", "POST", `${scheduling}/appointments/${uid}/rebook`, {
    key,
    body: { new_start_date: inDays(3, 11), new_doctor_uid: doctor }
  })
  await sendRequest("cancel", "POST", `${scheduling}/appointments/${moved.appointment_uid}/cancel`, {
    key,
    body: { reason: "None" }
  })
  await sendRequest("join", "POST", `${scheduling}/appointments/${soon}/join`, { token })
  const link = await sendRequest("action link", "POST", `${management}/scheduling/appointments/${soon}/action-links`, {
    key,
    body: { action: "join" }
  })
  await sendRequest("action read", "GET", `${scheduling}/appointment-actions/${link.code}`)
  for (const list of ["scheduling/appointments", "events", "patients", "audit-log", "messages"])
    await sendRequest(list, "GET", `${management}/${list}?limit=5`, { key })
  expect(done.filter(([, status]) => status >= 300)).toEqual([])
})
