import { expect, test } from "bun:test"
import { testServer } from "../support/server.ts"
import { transaction } from "../support/transaction.ts"
import { makeWorld } from "../support/world.ts"
import { appendMeeting } from "./meetingEvent.ts"

const server = testServer({ ROLE: "http" })
const base = "/v1/management/notification-subscriptions"

test("a list of deliveries states their number, whatever their outcome (Rule 2.5)", async () => {
  const { api, run } = server.current
  const { key, organisation_uid: owner } = await makeWorld(server.current)
  const body = { notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", url: "https://receiver.example/totals" }
  const [uid, other] = await Promise.all([0, 1].map(async () => (await api("POST", base, { key, body })).body.uid))
  for (let n = 0; n < 6; n++) await run(transaction(appendMeeting(owner, `apt_${n}`, n)))
  // one row per page, so that only the last one implies the total
  const totalOf = async (query = "", subscription = uid) =>
    (await api("GET", `${base}/${subscription}/deliveries?limit=1${query}`, { key })).body.totalRegistries
  const totals = async () => [
    await totalOf(),
    await totalOf("&status=pending"),
    await totalOf("&status=delivered"),
    await totalOf("&status=failed"),
    await totalOf("&updated_after=1")
  ]
  const change = (set: string, status: string, most: number) =>
    server.current.query(`${set} WHERE uid IN (SELECT uid FROM webhook_deliveries WHERE owner_uid = '${owner}'
      AND subscription_uid = '${uid}' AND status = '${status}' ORDER BY position LIMIT ${most})`)
  const end = (status: string, most: number) =>
    change(`UPDATE webhook_deliveries SET status = '${status}', next_attempt_at = NULL`, "pending", most)

  expect(await totals()).toEqual([6, 6, 0, 0, 6])
  await end("delivered", 3)
  await end("failed", 2)
  expect(await totals()).toEqual([6, 1, 3, 2, 6])
  expect(await totalOf("", other)).toBe(6)
  await change("UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = created_at", "failed", 2)
  expect(await totals()).toEqual([6, 3, 3, 0, 6])
  await change("DELETE FROM webhook_deliveries", "delivered", 2)
  expect(await totals()).toEqual([4, 3, 1, 0, 4])
})
