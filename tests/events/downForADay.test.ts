import { afterAll, expect, test } from "bun:test"
import { ownServer } from "../support/server.ts"
import { transaction } from "../support/transaction.ts"
import { HOUR, makeWorld } from "../support/world.ts"
import { appendMeeting, numberOf } from "./meetingEvent.ts"
import { startReceiver } from "./receiver.ts"

const server = ownServer({ SANDBOX: "true", ROLE: "http" })
const receiver = await startReceiver()
afterAll(() => receiver.stop())

/** An organisation with subscriptions at `paths`, and functions for its tests. */
const listening = async (...paths: ReadonlyArray<string>) => {
  const { api, run, organisation_uid } = await makeWorld(server.current)
  const base = "/v1/management/notification-subscriptions"
  const subscriptions: Array<string> = []
  for (const path of paths) {
    const body = { notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", url: receiver.url(path) }
    subscriptions.push((await api("POST", base, body)).body.uid)
  }
  return {
    happen: (subject: string, n: number) => run(transaction(appendMeeting(organisation_uid, subject, n))),
    pass: async (advance_seconds: number) =>
      expect((await api("POST", "/v1/sandbox/clock", { advance_seconds })).status).toBe(200),
    deliveries: async () => (await api("GET", `${base}/${subscriptions[0]}/deliveries?limit=200`)).body.data
  }
}

test("a receiver that is unreachable for a day gets every event afterwards; others are not delayed", async () => {
  const { happen, pass, deliveries } = await listening("/down", "/up")
  let isUp = false
  receiver.answer((got, response) =>
    got.path === "/up" || isUp ? response.writeHead(204).end() : response.socket?.destroy()
  )
  const first = await happen("apt_0", 0)
  await pass(0)
  for (const seconds of [5, 300, 1800, 7200, 18_000, 36_000]) await pass(seconds)
  const [record] = await deliveries()
  expect(record).toMatchObject({ status: "pending", attempts: Array(7).fill({ status_code: null }) })
  const tries = record.attempts.map(({ at }) => at)
  const pauses = tries.slice(1).map((at, index) => at - Number(tries[index]))
  for (const [index, pause] of [5, 300, 1800, 7200, 18_000, 36_000].entries())
    expect(pauses[index]).toBeGreaterThanOrEqual(pause)

  for (let hour = 0; hour < 6; hour += 1) {
    await happen(`apt_${hour % 2}`, hour + 1)
    await pass(HOUR)
    expect(receiver.at("/up").map(({ event }) => numberOf(event))).toContain(hour + 1)
  }
  expect(receiver.at("/up")).toHaveLength(7)

  isUp = true
  const before = receiver.at("/down").length
  for (let hour = 0; hour < 24; hour += 4) await pass(4 * HOUR)
  const arrived = receiver.at("/down").slice(before)
  expect((await deliveries()).every(({ status }) => status === "delivered")).toBe(true)
  expect(arrived.map(({ event }) => numberOf(event)).sort()).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(arrived.find(({ event }) => numberOf(event) === 0)?.id).toBe(first)
  expect(receiver.at("/up")).toHaveLength(7)
})

test("later events of a subject wait at most ten minutes for an earlier one, other subjects not at all", async () => {
  const { happen, pass, deliveries } = await listening("/waiting")
  receiver.answer((got, response) => response.writeHead(numberOf(got.event) === 0 ? 500 : 204).end())
  const arrived = () => receiver.at("/waiting").map(({ event }) => numberOf(event))
  await happen("apt_w", 0)
  await happen("apt_w", 1)
  await happen("apt_other", 2)
  await pass(0)
  expect(arrived().sort()).toEqual([0, 2])
  await pass(500)
  expect(arrived().sort()).toEqual([0, 0, 2])
  await pass(130)
  expect(arrived()).toContain(1)
  const failed = (await deliveries()).find(({ status }) => status === "pending")
  expect(failed?.attempts.map(({ status_code }) => status_code)).toEqual(failed?.attempts.map(() => 500))
})

test("a receiver's retry-after is honoured", async () => {
  const { happen, pass, deliveries } = await listening("/later")
  receiver.answer((_, response) => response.writeHead(503, { "retry-after": "5000" }).end())
  await happen("apt_l", 0)
  await pass(0)
  const [{ attempts, next_attempt_at }] = await deliveries()
  expect(next_attempt_at - attempts[0].at).toBe(5000)
  await pass(4900)
  expect(receiver.at("/later")).toHaveLength(1)
  await pass(110)
  expect(receiver.at("/later")).toHaveLength(2)
})
