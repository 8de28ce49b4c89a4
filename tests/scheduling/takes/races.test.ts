/** Many bookings at once of one room, one group, one limit, and of random subjects. */
import { expect, test } from "bun:test"
import { eventually } from "../../support/eventually.ts"
import { sized } from "../../support/scale.ts"
import { testServer } from "../../support/server.ts"
import { makeScene, nine } from "./scene.ts"

const server = testServer({ ROLE: "http" })

const statusesOf = (answers: ReadonlyArray<{ readonly status: number }>) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
/** A machine that is too busy answers 503: the client asks again. */
const answered = <A extends { readonly status: number }>(ask: () => Promise<A>) =>
  eventually(ask, ({ status }) => status !== 503, 600)
const all = <A extends { readonly status: number }>(count: number, request: (at: number) => Promise<A>) =>
  Promise.all(Array.from({ length: count }, (_, at) => answered(() => request(at))))

test("of many bookings of three rooms with many doctors as many succeed as fit", async () => {
  const [doctors, requests] = [sized(10, 40), sized(24, 200)]
  const one = await makeScene(server.current, { rooms: 3, doctors })
  // at four times
  const answers = await all(requests, (at) => one.book(one.doctors[at % doctors] ?? "", nine(20 * (at % 4))))
  expect(statusesOf(answers)).toEqual({ 201: 12, 409: requests - 12 })
})

test("of many bookings of ten seats ten succeed", async () => {
  const requests = sized(30, 100)
  const one = await makeScene(server.current, { doctors: 1, type: { seats: 10 } })
  const answers = await all(requests, () => one.book(one.doctor, nine()))
  expect(statusesOf(answers)).toEqual({ 201: 10, 409: requests - 10 })
})

test.each(["doctor", "organisation"] as const)(
  "of many bookings at once never one more succeeds than a limit by %s allows",
  async (scope) => {
    const requests = sized(20, 50)
    const one = await makeScene(server.current, {
      doctors: 2,
      type: { limits: [{ per: "day", max: 3, scope }] }
    })
    // on one day
    const answers = await all(requests, (at) => one.book(one.doctors[at % 2] ?? "", nine(20 * (at % 44))))
    const most = scope === "doctor" ? 6 : 3
    expect(statusesOf(answers)).toEqual({ 201: most, 409: requests - most })
  }
)

test("random bookings of three subjects each, and moves among them, never deadlock", async () => {
  const [bookings, atOnce] = [sized(80, 10_000), 20]
  const one = await makeScene(server.current, {
    rooms: 4,
    doctors: 4,
    type_with: ({ rooms, doctors }) => ({ requirements: [{ resource_uids: rooms }, { doctor_uids: doctors }] })
  })
  const deadlocks = async () => {
    const [row] = await server.current.query<{ deadlocks: string }>(
      "SELECT pg_stat_clear_snapshot(), deadlocks FROM pg_stat_database WHERE datname = current_database()"
    )
    return Number(row?.deadlocks)
  }
  const before = await deadlocks()
  const booked: Array<string> = []
  let [at, succeeded] = [0, 0]
  const worker = async () => {
    while (at < bookings) {
      const turn = at++
      // a fixed sequence that spreads over doctors and times
      const doctor = one.doctors[(turn * 7) % 4] ?? ""
      const start = nine(20 * ((turn * 13) % 30), 3 + (Math.floor(turn / 60) % 20))
      const uid = turn % 3 === 0 ? booked.shift() : undefined
      const ask = () =>
        uid === undefined ? one.book(doctor, start) : one.rebook(uid, { new_start_date: start, new_doctor_uid: doctor })
      const answer = await answered(ask)
      if (answer.status !== 409) succeeded++
      if (answer.status === 201) booked.push(answer.body.uid)
      expect([200, 201, 409]).toContain(answer.status)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  expect(succeeded).toBeGreaterThan(0)
  expect(await deadlocks()).toBe(before)
  const [overlap] = await server.current.query<{ count: string }>(
    `SELECT count(*) FROM claims a JOIN claims b ON b.organisation_uid = a.organisation_uid AND b.subject_uid = a.subject_uid
      AND b.slot_group <> a.slot_group AND b.during && a.during WHERE a.organisation_uid = $1`,
    [one.organisation_uid]
  )
  expect(Number(overlap?.count)).toBe(0)
}, 1_800_000)
