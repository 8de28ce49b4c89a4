/** Who is offered a time, against a second implementation of the order (Rule 19.2.2). */
import { expect, test } from "bun:test"
import { ownServer } from "../../support/server.ts"
import { DAY, HOUR, makeWorld } from "../../support/world.ts"

const server = ownServer({ SANDBOX: "true" })
const PATH = "/v1/management/scheduling/waitlist-entries"
const ROUNDS = 12
const needs = ["routine", "soon", "urgent"] as const
const pick = <A>(all: ReadonlyArray<A>): A => all[Math.floor(Math.random() * all.length)] as A

interface Waiting {
  readonly uid: string
  readonly need: (typeof needs)[number]
  readonly doctor_uids: ReadonlyArray<string>
  readonly weekdays: ReadonlyArray<number>
  readonly times: ReadonlyArray<{ readonly from: number; readonly to: number }>
}

/** Written from the specification alone: the doctors' zone is UTC here. */
const suits = (one: Waiting, doctor: string, start: number) => {
  const date = new Date(start * 1000)
  const minute = date.getUTCHours() * 60 + date.getUTCMinutes()
  const weekday = (date.getUTCDay() + 6) % 7
  return (
    (one.doctor_uids.length === 0 || one.doctor_uids.includes(doctor)) &&
    (one.weekdays.length === 0 || one.weekdays.includes(weekday)) &&
    (one.times.length === 0 || one.times.some(({ from, to }) => from <= minute && minute < to))
  )
}
const firstOf = (waiting: ReadonlyArray<Waiting>, doctor: string, start: number) =>
  ["urgent", "soon", "routine"]
    .flatMap((need) => waiting.filter((one) => one.need === need))
    .find((one) => suits(one, doctor, start))?.uid

test("random entries and times: the one who is offered is the model's", async () => {
  const world = await makeWorld(server.current, { doctors: 2 })
  const now = await server.current.now()
  const next = Math.ceil((now - 9 * HOUR) / DAY) * DAY + 9 * HOUR
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: next - now })
  const today = Math.floor((await server.current.now()) / DAY) * DAY
  let waiting: ReadonlyArray<Waiting> = []
  const other = await world.patient()
  let offered = 0
  for (let round = 0; round < ROUNDS; round++) {
    for (let added = 0; added < 3; added++) {
      const wish = {
        need: pick(needs),
        doctor_uids: pick([[], [], [world.doctors[0] as string], [world.doctors[1] as string]]),
        weekdays: pick([[], [], [0, 2, 4], [1, 3, 5, 6]]),
        times: pick([[], [{ from: 540, to: 720 }], [{ from: 600, to: 601 }]])
      }
      const body = { patient_uid: await world.patient(), appointment_type_uid: world.type_uid, ...wish }
      const made = await world.api("POST", PATH, body)
      expect(made.status).toBe(201)
      waiting = [...waiting, { uid: made.body.uid, ...wish }]
    }
    const doctor_uid = pick(world.doctors)
    const start_date = today + (3 + round) * DAY + pick([9, 10, 14]) * HOUR
    const booked = await world.bookByKey({ patient_uid: other, doctor_uid, start_date })
    expect(booked.status).toBe(201)
    await world.api("POST", `/v1/scheduling/appointments/${booked.body.uid}/cancel`, { reason: null })
    const expected = firstOf(waiting, doctor_uid, start_date)
    const all = (await world.api("GET", `${PATH}?status=offered&limit=200`)).body.data
    const fresh = all.map(({ uid }: Waiting) => uid).filter((uid: string) => waiting.some((one) => one.uid === uid))
    expect(fresh).toEqual(expected === undefined ? [] : [expected])
    if (expected !== undefined) offered++
    waiting = waiting.filter(({ uid }) => uid !== expected)
  }
  expect(offered).toBeGreaterThan(ROUNDS / 2)
}, 120_000)
