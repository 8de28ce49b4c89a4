/** The waiting list as a client sees it (section 19). */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { MessageSender } from "../../../src/services/notifications/MessageSender.ts"
import { present } from "../../support/body.ts"
import { mailsTo } from "../../support/codes.ts"
import { eventually } from "../../support/eventually.ts"
import { sized } from "../../support/scale.ts"
import { sandboxServer } from "../../support/server.ts"
import { DAY, HOUR, inDays, makeWorld, random, type World } from "../../support/world.ts"

const server = sandboxServer()
const PATH = "/v1/management/scheduling/waitlist-entries"

const patientsOf = async ({ organisation_uid, shop_uid, provision }: World, count: number) => {
  const all = Array.from({ length: count }, () => random("pat")).map((uid) => ({ uid, email: `${uid}@example.org` }))
  const patients = all.map(({ uid, email }) => {
    const profile = { first_name: "Ada", last_name: "Meyer", email }
    return { uid, organisation_uid, shop_uid, shop_customer_id: uid, profile }
  })
  await provision({ patients })
  return all
}
const patientOf = async (world: World) => present((await patientsOf(world, 1))[0])

const threePatients = async (world: World) => {
  const [one, two, three] = await patientsOf(world, 3)
  return [present(one), present(two), present(three)] as const
}

const bookFor = async (world: World, patient_uid: string, start_date: number, doctor_uid = world.doctor) => {
  const { status, body } = await world.bookByKey({ patient_uid, doctor_uid, start_date })
  expect(status).toBe(201)
  return body.uid as string
}

const cancel = (world: World, uid: string) =>
  world.api("POST", `/v1/scheduling/appointments/${uid}/cancel`, { reason: "Ill" })

const advance = (world: World, advance_seconds: number) => world.api("POST", "/v1/sandbox/clock", { advance_seconds })

/** The code of the newest offer that was mailed to the address. */
const codeTo = async (address: string, count = 1) => {
  const mails = await eventually(
    async () => (await mailsTo(server.current, address)).filter(({ text }) => text?.includes("/waitlist/")),
    (found) => found.length >= count
  )
  const codes = mails.map(({ text }) => /\/waitlist\/(wlo_[\w-]+)/.exec(text ?? "")?.[1] as string)
  return [...new Set(codes)].at(-1) as string
}

const entryFor = async (world: World, patient_uid: string, wish: Readonly<Record<string, unknown>> = {}) => {
  const { status, body } = await world.api("POST", PATH, { patient_uid, appointment_type_uid: world.type_uid, ...wish })
  expect(status).toBe(201)
  return body.uid as string
}
const entry = async (world: World, uid: string) => (await world.api("GET", `${PATH}/${uid}`)).body
const offersOf = async (world: World) =>
  (await world.api("GET", "/v1/management/events?type=waitlist.offered")).body.data.map(({ data }) => data)

const starts = async (world: World, from: number, to = from + 1) =>
  (await world.search({ from, to, doctor_uid: world.doctor })).body.slots.map(({ start_date }) => start_date)

/** A start in some days, at 9:00 UTC of the server's day. */
const startIn = async (days: number, hour = 9) => {
  const now = await server.current.now()
  return Math.floor(now / DAY + days) * DAY + hour * HOUR
}
/** Moves the server's clock to 9:00 UTC, outside of quiet hours. */
const morning = async () => {
  const now = await server.current.now()
  await server.current.advance(Math.ceil((now - 9 * HOUR) / DAY) * DAY + 9 * HOUR - now)
}

const offer = (code: string) => `/v1/scheduling/waitlist-offers/${code}`

test("a cancelled time is held for the first who waits, is not found by search, and books by one request", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  await morning()
  const [other, first, second] = await threePatients(world)
  const start = await startIn(3)
  const taken = await bookFor(world, other.uid, start)
  const one = await entryFor(world, first.uid, { from: start, to: start + 1 })
  const two = await entryFor(world, second.uid, { from: start, to: start + 1 })
  expect(await starts(world, start)).toEqual([])
  expect((await cancel(world, taken)).status).toBe(200)
  expect(await starts(world, start)).toEqual([])
  expect(await entry(world, one)).toMatchObject({ status: "offered", offers_made: 1 })
  const now = await server.current.now()
  const offered = present((await offersOf(world))[0])
  expect(offered).toMatchObject({ patient_uid: first.uid, entry: { uid: one }, offer: { start_date: start } })
  expect(Math.abs(offered.offer.expires_at - now - 2 * HOUR)).toBeLessThan(30)

  const at = offer(await codeTo(first.email))
  expect(await server.current.api("GET", at, {})).toMatchObject({
    status: 200,
    body: {
      status: "offered",
      start_date: start,
      end_date: start + 1200,
      replaces: null,
      appointment_type_name: "Consultation"
    }
  })
  const accepted = await server.current.api("POST", `${at}/accept`, {})
  expect(accepted).toMatchObject({ status: 200, body: { status: "confirmed", start_date: start } })
  expect((await server.current.api("POST", `${at}/accept`, {})).body).toEqual(accepted.body)
  expect(await entry(world, one)).toMatchObject({ status: "booked" })
  expect((await server.current.api("GET", at, {})).body).toMatchObject({ status: "accepted" })
  const events = await world.api("GET", "/v1/management/events?type=waitlist.accepted")
  expect(events.body.data).toMatchObject([{ data: { entry: { uid: one }, patient_uid: first.uid } }])
  expect(await entry(world, two)).toMatchObject({ status: "waiting" })
})

test("an offer lapses after two hours, goes to the next, and is accepted later while its time is free", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  await morning()
  const [other, first, second] = await threePatients(world)
  const one = await entryFor(world, first.uid)
  const two = await entryFor(world, second.uid)
  const start = await startIn(20)
  const taken = await bookFor(world, other.uid, start)
  await cancel(world, taken)
  await advance(world, 2 * HOUR + 1)
  expect(await entry(world, one)).toMatchObject({ status: "waiting", offers_made: 1 })
  expect(await entry(world, two)).toMatchObject({ status: "offered", offers_made: 1 })
  const lapsed = await codeTo(first.email)
  expect((await server.current.api("GET", offer(lapsed), {})).body.status).toBe("lapsed")
  expect((await server.current.api("POST", `${offer(lapsed)}/accept`, {})).status).toBe(409)
  await world.api("DELETE", `${PATH}/${two}`)
  expect(await starts(world, start)).toEqual([start])
  // the time of the lapsed offer is free again, and so it can be accepted
  const accepted = await server.current.api("POST", `${offer(lapsed)}/accept`, {})
  expect(accepted).toMatchObject({ status: 200, body: { start_date: start } })
})

test("under 24 hours five are asked at once, the first has it, and a decline brings the next", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  await morning()
  const other = await patientOf(world)
  const start = await startIn(0, 20)
  const taken = await bookFor(world, other.uid, start)
  const patients = await patientsOf(world, 7)
  for (const { uid } of patients) await entryFor(world, uid, { from: start, to: start + 1 })
  await cancel(world, taken)
  const statuses = async () => {
    const text = "SELECT status FROM waitlist_entries WHERE organisation_uid = $1"
    return (await server.current.query<{ status: string }>(text, [world.organisation_uid])).map(({ status }) => status)
  }
  expect((await statuses()).toSorted()).toEqual([...Array(5).fill("offered"), "waiting", "waiting"])
  expect(await starts(world, start)).toEqual([start])
  const asked = (await offersOf(world)).map(({ patient_uid }) => patient_uid)
  const codeOf = (uid: string) => codeTo(patients.find((one) => one.uid === uid)?.email as string)
  const codes = await Promise.all(asked.map(codeOf))
  const declined = await server.current.api("POST", `${offer(present(codes[0]))}/decline`, {})
  expect(declined).toMatchObject({ status: 200, body: { status: "declined" } })
  expect((await statuses()).filter((one) => one === "offered")).toHaveLength(5)
  const answers = await Promise.all(
    Array.from({ length: sized(12, 50) }, (_, at) =>
      server.current.api("POST", `${offer(present(codes[1 + (at % 4)]))}/accept`, {})
    )
  )
  const booked = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.uid))
  expect(booked.size).toBe(1)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
  for (const { status, body } of answers) if (status === 409) expect(body.code).toBe("slot_taken")
  expect((await statuses()).toSorted()).toEqual(["booked", ...Array(6).fill("waiting")])
})

test("accepting an earlier time moves the appointment, and the chain settles by itself", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  await morning()
  const length = sized(4, 10)
  const patients = await patientsOf(world, length + 1)
  const times = await Promise.all(Array.from({ length: length + 1 }, (_, at) => startIn(3 + at)))
  const booked: Array<string> = []
  for (const [at, { uid }] of patients.entries()) booked.push(await bookFor(world, uid, times[at] as number))
  // each wants the time right before their own
  const entries: Array<string> = []
  for (let at = 1; at <= length; at++)
    entries.push(
      await entryFor(world, patients[at]?.uid as string, {
        appointment_uid: booked[at],
        from: times[at - 1],
        to: (times[at - 1] as number) + 1
      })
    )
  await cancel(world, booked[0] as string)
  for (let at = 1; at <= length; at++) {
    const at_ = offer(await codeTo(patients[at]?.email as string))
    expect((await server.current.api("GET", at_, {})).body).toMatchObject({
      status: "offered",
      replaces: { appointment_uid: booked[at], start_date: times[at] }
    })
    expect(await server.current.api("POST", `${at_}/accept`, {})).toMatchObject({
      status: 200,
      body: { start_date: times[at - 1] }
    })
  }
  for (const uid of entries) expect(await entry(world, uid)).toMatchObject({ status: "booked" })
  const list = await world.api("GET", "/v1/management/scheduling/appointments?status=confirmed&limit=200")
  expect(list.body.data.map(({ start_date }) => start_date)).toEqual(times.slice(0, length))
  expect(await starts(world, times[length] as number)).toEqual([times[length]])
})

test("added hours and a removed absence are offered in their transaction", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  await morning()
  const patient = await patientOf(world)
  const start = await startIn(5)
  const date = Math.floor(start / DAY) * DAY
  const overrides = `/v1/management/scheduling/doctors/${world.doctor}/availability-date-overrides`
  const off = await world.api("POST", overrides, { date, day_off: true })
  expect(off.status).toBe(201)
  const uid = await entryFor(world, patient.uid, { from: start, to: start + 1 })
  expect(await starts(world, start)).toEqual([])
  expect((await world.api("DELETE", `${overrides}/${off.body.uid}`)).status).toBe(204)
  expect(await entry(world, uid)).toMatchObject({ status: "offered" })
  expect(await starts(world, start)).toEqual([])
  expect(await starts(world, start + 1200)).toEqual([start + 1200])
})

test("quiet hours delay the mail, and the two hours run from its sending", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  await morning()
  await advance(world, 14 * HOUR) // 23:00
  const [other, first] = await threePatients(world)
  const start = await startIn(5)
  const taken = await bookFor(world, other.uid, start)
  const uid = await entryFor(world, first.uid)
  await cancel(world, taken)
  const [made] = await offersOf(world)
  const now = await server.current.now()
  const eight = Math.ceil(now / DAY) * DAY + 8 * HOUR
  expect(made?.offer).toMatchObject({ sent_at: eight, expires_at: eight + 2 * HOUR })
  await advance(world, 8 * HOUR)
  expect(await entry(world, uid)).toMatchObject({ status: "offered" })
  expect(await mailsTo(server.current, first.email)).toEqual([])
  await advance(world, HOUR + 5 * 60)
  await server.current.run(Effect.flatMap(MessageSender, (messages) => messages.sweep()))
  expect(await codeTo(first.email)).toStartWith("wlo_")
})

test("entries by launch code: one, the same again, changed in place, left", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const code = await world.session()
  const at = `/v1/scheduling/booking-sessions/${code}/waitlist-entry`
  expect((await server.current.api("GET", at, {})).status).toBe(404)
  const made = await server.current.api("POST", at, { body: { weekdays: [1], need: "urgent" } })
  expect(made).toMatchObject({
    status: 201,
    body: { status: "waiting", need: "routine", weekdays: [1], doctor_uids: [], times: [] }
  })
  const same = await server.current.api("POST", at, { body: { weekdays: [1] } })
  expect(same).toMatchObject({ status: 200, body: { uid: made.body.uid } })
  const changed = await server.current.api("POST", at, { body: { weekdays: [1, 2] } })
  expect(changed).toMatchObject({ status: 200, body: { uid: made.body.uid, weekdays: [1, 2] } })
  expect((await server.current.api("GET", at, {})).body).toMatchObject({ uid: made.body.uid, weekdays: [1, 2] })
  expect((await server.current.api("DELETE", at, {})).status).toBe(204)
  expect((await server.current.api("DELETE", at, {})).status).toBe(404)
})

test("five live entries a patient, the same wish is the first, and bodies are checked", async () => {
  const world = await makeWorld(server.current)
  const { uid: patient_uid } = await patientOf(world)
  const post = (wish: Readonly<Record<string, unknown>>) =>
    world.api("POST", PATH, { patient_uid, appointment_type_uid: world.type_uid, ...wish })
  const from = inDays(400)
  const first = await post({ from, to: from + DAY })
  expect(first.status).toBe(201)
  expect(await post({ from, to: from + DAY })).toMatchObject({ status: 200, body: { uid: first.body.uid } })
  for (const weekday of [0, 1, 2, 3]) expect((await post({ weekdays: [weekday] })).status).toBe(201)
  const refused = await post({ weekdays: [4] })
  expect(refused).toMatchObject({ status: 429, body: { code: "too_many_entries" } })
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
  await world.api("PATCH", `${PATH}/${first.body.uid}`, { status: "ended" })
  expect((await post({ weekdays: [4] })).status).toBe(201)
  for (const [wish, field] of [
    [{ from, to: from + 181 * DAY }, "to"],
    [{ from, to: from }, "to"],
    [{ weekdays: [7] }, "weekdays[0]"],
    [{ times: [{ from: 600, to: 600 }] }, "times[0].to"],
    [{ doctor_uids: ["doc_unknown"] }, "doctor_uids[0]"],
    [{ appointment_uid: "apt_unknown" }, "appointment_uid"]
  ] as const)
    expect(await post(wish)).toMatchObject({ status: 400, body: { error: [expect.stringContaining(field)] } })
  expect((await post({ patient_uid: "pat_unknown" })).status).toBe(404)
  expect((await post({ appointment_type_uid: "aty_unknown" })).status).toBe(404)
})
