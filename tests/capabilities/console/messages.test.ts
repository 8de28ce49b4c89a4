/** Messages with their outcome, and previews. Section 7.8. */
import { expect, test } from "bun:test"
import { mailsTo } from "../../support/codes.ts"
import { eventually } from "../../support/eventually.ts"
import { stored } from "../../support/records.ts"
import { testServer } from "../../support/server.ts"
import { inDays, makeWorld, random } from "../../support/world.ts"

const server = testServer()

test("messages are listed with their outcome, and a mail is previewed; Rules 7.8.2 and 7.8.3", async () => {
  const world = await makeWorld(server.current, { doctors: 1, organisation: { messages: ["confirmation"] } })
  const uid = await world.booked(inDays(3, 9))
  const { body } = await world.api("GET", "/v1/management/messages?limit=5")
  expect(body.data).toEqual([
    expect.objectContaining({ kind: "confirmation", channel: "email", appointment_uid: uid, recipient_role: "patient" })
  ])
  const other = await makeWorld(server.current)
  expect((await other.api("GET", "/v1/management/messages")).body.data).toEqual([])
  const path = (type: string) => `/v1/management/messages/preview?appointment_type_uid=${type}&language=en`
  const mail = await world.api("GET", path(world.type_uid))
  expect(mail.body.text).toContain("Consultation")
  expect(mail.body.html).toContain("<!doctype html>")
  expect((await other.api("GET", path(world.type_uid))).status).toBe(404)
})

test("a message is sent again, one of a patient is found, and a skipped one says why; Rules 7.8.2 and 7.8.6", async () => {
  const world = await makeWorld(server.current, { doctors: 1, organisation: { messages: ["confirmation"] } })
  const customer = random("again")
  const uid = await world.booked(inDays(3, 9), customer)
  await world.booked(inDays(3, 10), "another")
  const { patient_uid } = await stored(server.current, uid)
  const list = async () => (await world.api("GET", `/v1/management/messages?patient_uid=${patient_uid}`)).body.data
  const [sent] = await eventually(list, ([one]) => one?.status === "sent")
  expect(await list()).toMatchObject([{ appointment_uid: uid, patient_uid }])
  const mails = () => mailsTo(server.current, `${customer}@example.org`)
  const again = `/v1/management/messages/${sent.uid}/resend`
  expect(await world.api("POST", again)).toMatchObject({ status: 200, body: { status: "pending", attempts: 0 } })
  await eventually(mails, ({ length }) => length === 2)
  const other = await makeWorld(server.current)
  expect((await other.api("POST", again)).status).toBe(404)
  await world.run(world.practice.cancel(uid))
  expect((await world.api("POST", again)).status).toBe(200)
  const own = async () => (await list()).find((one) => one.uid === sent.uid)
  expect((await eventually(own, (one) => one?.status === "skipped"))?.error).toStartWith("no longer needed")
})
