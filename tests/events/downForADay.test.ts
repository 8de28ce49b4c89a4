import { afterAll, expect, test } from "bun:test"
import { Effect } from "effect"
import { EventLog } from "../../src/services/events/EventLog.ts"
import { transaction } from "../../src/services/transaction.ts"
import { testServer } from "../support/server.ts"
import { HOUR, makeWorld } from "../support/world.ts"
import { startReceiver } from "./receiver.ts"

const server = testServer({ SANDBOX: "true", ROLE: "http" })
const receiver = await startReceiver()
afterAll(() => receiver.stop())

test("a receiver that is unreachable for a day gets everything afterwards; others are not disturbed", async () => {
  const { api, run } = server.current
  const { key, organisation_uid } = await makeWorld(server.current)
  const subscribe = async (path: string) => {
    const body = { notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", url: receiver.url(path) }
    return (await api("POST", "/v1/management/notification-subscriptions", { key, body })).body.uid as string
  }
  const [down] = [await subscribe("/down"), await subscribe("/up")]
  let isUp = false
  receiver.answer((got, response) =>
    got.path === "/up" || isUp ? response.writeHead(204).end() : response.socket?.destroy()
  )
  const happen = (subject: string, n: number) =>
    run(
      Effect.flatMap(EventLog, (log) =>
        transaction(
          log.append({ organisation_uid, type: "patient_doctor_meeting_updated", subject, data: { subject, n } })
        )
      )
    )
  const pass = async (advance_seconds: number) => {
    const moved = await api("POST", "/v1/sandbox/clock", { key, body: { advance_seconds } })
    expect(moved.status).toBe(200)
  }
  const deliveries = async () =>
    (await api("GET", `/v1/management/notification-subscriptions/${down}/deliveries?limit=200`, { key })).body.data

  const first = await happen("apt_0", 0)
  await pass(0)
  for (const seconds of [5, 300, 1800, 7200, 18_000, 36_000]) await pass(seconds)
  const [record] = await deliveries()
  expect(record.status).toBe("pending")
  expect(record.attempts.map(({ status_code }: { status_code: number | null }) => status_code)).toEqual(
    Array.from({ length: 7 }, () => null)
  )
  const tries = record.attempts.map(({ at }: { at: number }) => at)
  const pauses = tries.slice(1).map((at: number, index: number) => at - tries[index])
  for (const [index, pause] of [5, 300, 1800, 7200, 18_000, 36_000].entries())
    expect(pauses[index] - pause).toBeOneOf([0, 1, 2, 3])

  for (let hour = 0; hour < 6; hour += 1) {
    await happen(`apt_${hour % 2}`, hour + 1)
    await pass(HOUR)
    expect(receiver.at("/up").map(({ event }) => event.data.n)).toContain(hour + 1)
  }
  expect(receiver.at("/up")).toHaveLength(7)

  isUp = true
  const before = receiver.at("/down").length
  for (let hour = 0; hour < 24; hour += 1) await pass(HOUR)
  const arrived = receiver.at("/down").slice(before)
  expect((await deliveries()).every(({ status }: { status: string }) => status === "delivered")).toBe(true)
  expect(arrived.map(({ event }) => event.data.n).sort()).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(arrived.find(({ event }) => event.data.n === 0)?.id).toBe(first)
  expect(receiver.at("/up")).toHaveLength(7)
})
