import { beforeAll, describe, expect, test } from "bun:test"
import { testServer } from "../support/server.ts"
import { DAY, inDays, makeWorld, random, type World } from "../support/world.ts"

// without jobs, which end appointments of the past
const server = testServer({ ROLE: "http" })

const statuses = ["held", "confirmed", "cancelled", "expired", "completed", "no_show"] as const
type Status = (typeof statuses)[number]

const listOf =
  (world: World) =>
  (query = "") =>
    world.api("GET", `/v1/management/scheduling/appointments${query}`)

/** A world with the given appointments; their uids are in the order of the list. */
const worldWith = async (appointments: ReadonlyArray<{ status: Status; start: number; doctor?: 0 | 1 }>) => {
  const world = await makeWorld(server.current)
  const patients = [random("pat"), random("pat")] as const
  const { organisation_uid, shop_uid } = world
  const rows = appointments.map(({ status, start: start_date, doctor = 0 }, i) => ({
    ...{ uid: `${random("apt")}_${i}`, organisation_uid, appointment_type_uid: world.type_uid },
    ...{ doctor_uid: world.doctors[doctor], patient_uid: patients[doctor] },
    ...{ status, start_date, end_date: start_date + 1200 }
  }))
  await world.provision({
    patients: patients.map((uid, i) => ({
      uid,
      organisation_uid,
      shop_uid,
      shop_customer_id: `customer-${i}`,
      profile: { first_name: "Ada", last_name: `No. ${i}` }
    })),
    appointments: rows
  })
  return { world, patients, uids: rows.map(({ uid }) => uid), list: listOf(world) }
}

const uidsIn = async (answer: Promise<{ status: number; body: { data: ReadonlyArray<{ uid: string }> } }>) => {
  const { status, body } = await answer
  expect(status).toBe(200)
  return body.data.map(({ uid }) => uid)
}

const PAST = inDays(-2)
const FUTURE = inDays(2)

describe("the filters", () => {
  let made: Awaited<ReturnType<typeof worldWith>>
  const pick = (...at: ReadonlyArray<number>) => at.map((i) => made.uids[i] as string)
  beforeAll(async () => {
    made = await worldWith([
      ...statuses.map((status, i) => ({ status, start: PAST + i * 3600 })),
      ...statuses.map((status, i) => ({ status, start: FUTURE + i * 3600 })),
      { status: "confirmed", start: FUTURE + 1800, doctor: 1 }
    ])
  })

  const cases: ReadonlyArray<readonly [string, ReadonlyArray<number>]> = [
    ["", [6, 12, 7]],
    ["?status=all", [6, 12, 7, 8, 9, 10, 11]],
    ["?status=all&from=0", [0, 1, 2, 3, 4, 5, 6, 12, 7, 8, 9, 10, 11]],
    ["?from=0", [0, 1, 6, 12, 7]],
    ["?status=held", [6]],
    ["?status=held&from=0", [0, 6]],
    ["?status=confirmed", [12, 7]],
    ["?status=cancelled", [2, 8]],
    ["?status=expired", [3, 9]],
    ["?status=completed", [4, 10]],
    ["?status=no_show", [5, 11]],
    [`?status=cancelled&from=${FUTURE}`, [8]],
    [`?from=${FUTURE + 3600}`, [7]],
    [`?from=${FUTURE + 3601}`, []],
    [`?to=${FUTURE + 1800}`, [6, 12]],
    [`?to=${FUTURE + 1799}`, [6]],
    [`?to=${PAST}`, [0]],
    [`?from=${PAST + 3600}&to=${FUTURE}`, [1, 6]]
  ]
  test.each(cases)("%s", async (query, expected) => {
    expect(await uidsIn(made.list(query))).toEqual(pick(...expected))
  })

  test("by doctor and by patient", async () => {
    const [first, second] = made.world.doctors
    expect(await uidsIn(made.list(`?doctor_uid=${first}`))).toEqual(pick(6, 7))
    expect(await uidsIn(made.list(`?doctor_uid=${second}`))).toEqual(pick(12))
    expect(await uidsIn(made.list(`?patient_uid=${made.patients[1]}`))).toEqual(pick(12))
    expect(await uidsIn(made.list(`?patient_uid=${made.patients[1]}&doctor_uid=${first}`))).toEqual([])
  })

  test("an entry has every field of the resource", async () => {
    const { body } = await made.list("?status=cancelled")
    expect(body.data[0]).toEqual({
      uid: made.uids[2],
      status: "cancelled",
      doctor_uid: made.world.doctor,
      doctor_display_name: `Dr. ${made.world.doctor}`,
      patient_uid: made.patients[0],
      patient_display_name: "Ada No. 0",
      appointment_type_uid: made.world.type_uid,
      appointment_type_name: "Consultation",
      visit_reason: null,
      meeting_type: "CONSULTATION",
      meeting_format: "DIGITAL",
      start_date: PAST + 7200,
      end_date: PAST + 8400,
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
      cancelled_at: expect.any(Number),
      cancellation_reason: null,
      resources: [],
      further_doctors: [],
      previous_meeting_uid: null,
      series_uid: null,
      calendar_entry: "none"
    })
  })
})

test("a hold is an expired appointment from the second it expires", async () => {
  const { uids, list } = await worldWith([{ status: "held", start: FUTURE }])
  expect(await uidsIn(list("?status=held"))).toEqual(uids)
  await server.current.sql`UPDATE appointments SET hold_expires_at = to_timestamp(${Math.floor(Date.now() / 1000)})
    WHERE uid = ${uids[0] ?? ""}`
  expect(await uidsIn(list())).toEqual([])
  expect(await uidsIn(list("?status=held"))).toEqual([])
  expect((await list("?status=expired")).body.data).toMatchObject([{ uid: uids[0], status: "expired" }])
})

test("with a cursor, pages count from its position, and the total is that of the list", async () => {
  // pairs start together: their uids decide
  const { list, uids } = await worldWith(
    Array.from({ length: 11 }, (_, i) => {
      const doctor = i % 2 === 0 ? 0 : 1
      return { status: "confirmed", start: FUTURE + Math.floor(i / 2) * 1800, doctor }
    })
  )
  const inOrder = [0, 2, 4, 6, 8, 10].flatMap((at) => uids.slice(at, at + 2).toSorted())
  const first = await list("?limit=3")
  expect(first.body).toMatchObject({ totalRegistries: 11, totalPages: 4 })
  const after = encodeURIComponent(first.body.next ?? "")
  for (const page of [0, 1, 2, 3]) {
    const answer = await list(`?limit=3&page=${page}&after=${after}`)
    expect(answer.body).toMatchObject({ totalRegistries: 11, totalPages: 4 })
    expect(await uidsIn(Promise.resolve(answer))).toEqual(inOrder.slice(3 + page * 3, 6 + page * 3))
  }
})

test("a page has 50 by default, and a limit over 200 counts as 200", async () => {
  const many = await worldWith(
    Array.from({ length: 201 }, (_, i) => ({ status: "confirmed", start: FUTURE + i * 1800 }))
  )
  expect((await many.list()).body).toMatchObject({ totalRegistries: 201, totalPages: 5 })
  expect(await uidsIn(many.list())).toHaveLength(50)
  expect((await many.list("?limit=200")).body.totalPages).toBe(2)
  expect(await uidsIn(many.list("?limit=9007199254740991"))).toEqual(many.uids.slice(0, 200))
  expect(await uidsIn(many.list("?limit=201&page=1"))).toEqual(many.uids.slice(200))
  expect(await uidsIn(many.list("?page=1000000&limit=200"))).toEqual([])
})

test("the total matches the rows, whatever their status", async () => {
  const { world, list } = await worldWith([])
  const [first, second] = world.doctors
  const starts = Array.from({ length: 6 }, (_, i) => inDays(1 + i, 20) + (i % 3) * 7200)
  const uids: Array<string> = []
  for (const [i, start] of starts.entries())
    uids.push(await world.booked(start, `customer-${i}`, { doctor_uid: i % 2 === 0 ? first : second }))
  const change = (text: string, of: ReadonlyArray<string>) =>
    server.current.query(`UPDATE appointments SET ${text} WHERE organisation_uid = $1 AND uid = ANY ($2)`, [
      world.organisation_uid,
      of
    ])
  const counted = async (query: string) => {
    const { totalRegistries, data } = (await list(`${query}&limit=200`)).body
    expect({ query, totalRegistries }).toEqual({ query, totalRegistries: data.length })
    return Number(totalRegistries)
  }
  const ranges = ["from=0", `from=${starts[1]}`, `from=${starts[1]}&to=${starts[4]}`, `from=0&to=${starts[2]}`]
  const queries = ranges.flatMap((range) =>
    ["all", "cancelled", "completed", "no_show", "expired", "confirmed"].flatMap((status) => [
      `?status=${status}&${range}`,
      `?status=${status}&${range}&doctor_uid=${first}`
    ])
  )
  const all = async () => {
    let sum = 0
    for (const query of queries) sum += await counted(query)
    return sum
  }
  const before = await all()
  const [cancelled, ended] = [uids.slice(0, 2), uids.slice(3)]
  for (const uid of cancelled)
    await world.api("POST", `/v1/management/scheduling/appointments/${uid}/cancel`, { reason: "x" })
  expect(await all()).toBe(before)
  await change("status = 'completed'", ended)
  expect(await all()).toBe(before)
  await change("status = 'no_show'", ended)
  expect(await counted("?status=no_show&from=0")).toBe(3)
  const later = Number(starts[3]) + 40 * DAY
  await change(`start_date = to_timestamp(${later}), end_date = to_timestamp(${later + 1200})`, uids.slice(3, 4))
  expect(await counted("?status=no_show&from=0")).toBe(3)
  expect(await counted(`?status=no_show&from=0&to=${starts[5]}`)).toBe(2)
  await change("status = 'confirmed'", ended)
  expect(await counted("?status=no_show&from=0")).toBe(0)
  expect(await counted("?status=all&from=0")).toBe(6)
})
