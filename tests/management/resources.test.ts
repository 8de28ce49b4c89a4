/** Rooms, devices and other persons, and their hours. Section 18.1. */
import { beforeAll, describe, expect, test } from "bun:test"
import { testServer } from "../support/server.ts"
import { CONSULTATION, DAY, inDays, makeWorld, random, type World } from "../support/world.ts"

const server = testServer()
let world: World
let other: World
beforeAll(async () => {
  world = await makeWorld(server.current, { doctors: 1 })
  other = await makeWorld(server.current, { doctors: 1 })
})

const base = "/v1/management/scheduling/resources"
const using =
  (one: World) =>
  (method: string, path = "", body?: unknown) =>
    one.api(method, base + path, body)
const request = (method: string, path = "", body?: unknown) => using(world)(method, path, body)
const room = { kind: "room", name: "Room 1" }
const made = async (body: object = {}, one = world) => (await using(one)("POST", "", { ...room, ...body })).body

test("a resource is listed by name, read, changed and deleted once", async () => {
  const mine = await makeWorld(server.current, { doctors: 1 })
  const own = using(mine)
  const b = await made({ name: "B", kind: "device" }, mine)
  const a = await made({ name: "A", site: "1 Main Street" }, mine)
  expect(a).toEqual({
    uid: expect.stringMatching(/^res_/),
    organisation_uid: mine.organisation_uid,
    kind: "room",
    name: "A",
    site: "1 Main Street",
    always_available: true,
    active: true,
    created_at: expect.any(Number),
    updated_at: a.created_at
  })
  expect((await own("GET")).body).toEqual({ data: [a, b], next: null })
  expect((await own("GET", `/${a.uid}`)).body).toEqual(a)
  expect((await own("PATCH", `/${a.uid}`, { site: null })).body).toMatchObject({ uid: a.uid, site: null, name: "A" })
  expect((await own("DELETE", `/${b.uid}`)).status).toBe(204)
  for (const [method, body] of [["DELETE"], ["GET"], ["PATCH", {}]] as const)
    expect((await own(method, `/${b.uid}`, body)).status).toBe(404)
  expect((await own("GET")).body.data).toHaveLength(1)
})

describe("hours", () => {
  const window = { weekday: 2, start_time: 540, end_time: 720 }

  test("rules are as a doctor's, with resource_uid", async () => {
    const { uid } = await made({ always_available: false })
    const path = `/${uid}/availability-rules`
    const rule = (await request("POST", path, window)).body
    expect(rule).toMatchObject({ resource_uid: uid, ...window, valid_from: null, appointment_type_uid: null })
    expect(rule).not.toHaveProperty("doctor_uid")
    expect((await request("GET", path)).body).toEqual({ data: [rule], next: null })
    expect((await request("PATCH", `${path}/${rule.uid}`, { end_time: 500 })).body.error).toEqual([
      "end_time: must be after start_time"
    ])
    expect((await request("POST", path, { ...window, appointment_type_uid: other.type_uid })).status).toBe(404)
    expect((await request("DELETE", `${path}/${rule.uid}`)).status).toBe(204)
    expect((await request("DELETE", `${path}/${rule.uid}`)).status).toBe(404)
  })

  test("overrides are as a doctor's, with resource_uid; a day off removes the windows of its date", async () => {
    const { uid } = await made({ always_available: false })
    const path = `/${uid}/availability-date-overrides`
    const date = inDays(30)
    const hours = { date, start_time: 540, end_time: 600 }
    expect((await request("POST", path, hours)).body).toMatchObject({ resource_uid: uid, ...hours, buffer_minutes: 0 })
    const off = (await request("POST", path, { date, day_off: true })).body
    expect((await request("GET", path)).body).toMatchObject({ data: [off], totalRegistries: 1 })
    const moved = await request("PATCH", `${path}/${off.uid}`, { date: date + DAY })
    expect(moved.body).toMatchObject({ date: date + DAY, start_time: null })
    expect((await request("DELETE", `${path}/${off.uid}`)).status).toBe(204)
    expect((await request("DELETE", `${path}/${off.uid}`)).status).toBe(404)
  })

  test("a resource's records are not a doctor's, and the reverse", async () => {
    const { uid } = await made({ always_available: false })
    const of = (who: string, what: string) => `/v1/management/scheduling/${who}/${what}`
    const [ofRoom, ofDoctor] = [`resources/${uid}`, `doctors/${world.doctor}`]
    const body = { "availability-rules": window, "availability-date-overrides": { date: inDays(31), day_off: true } }
    for (const [what, sent] of Object.entries(body)) {
      for (const [owner, stranger] of [
        [ofRoom, ofDoctor],
        [ofDoctor, ofRoom]
      ] as const) {
        const one = (await world.api("POST", of(owner, what), sent)).body
        const ask = async (method: string, whose: string, body?: object) =>
          (await world.api(method, `${of(whose, what)}/${one.uid}`, body)).status
        expect([await ask("PATCH", stranger, {}), await ask("DELETE", stranger)]).toEqual([404, 404])
        expect((await world.api("GET", of(stranger, what))).body.data).not.toContainEqual(one)
        expect(await ask("DELETE", owner)).toBe(204)
      }
    }
  })

  test("a doctor and a resource may have the same uid", async () => {
    const uid = random("same")
    const { organisation_uid } = world
    const rule = { uid: random("rul"), weekday: 3, start_time: 60, end_time: 120 }
    await world.provision({
      doctors: [{ uid, organisation_uid, display_name: "Dr. Same" }],
      resources: [{ uid, organisation_uid, kind: "room", name: "Same", always_available: false }],
      availability_rules: [
        { ...rule, doctor_uid: uid },
        { ...rule, uid: random("rul"), resource_uid: uid }
      ]
    })
    const rulesOf = async (kind: string) =>
      (await world.api("GET", `/v1/management/scheduling/${kind}/${uid}/availability-rules`)).body.data
    expect([(await rulesOf("doctors")).length, (await rulesOf("resources")).length]).toEqual([1, 1])
  })
})

describe("provisioning", () => {
  test("creates, changes and restores resources with their hours", async () => {
    const uid = random("res")
    const { organisation_uid } = world
    const entry = { uid, organisation_uid, kind: "device", name: "Ultrasound", always_available: false }
    const rule = { uid: random("rul"), resource_uid: uid, weekday: 0, start_time: 480, end_time: 600 }
    const override = { uid: random("ovr"), resource_uid: uid, date: inDays(60), day_off: true }
    await world.provision({ resources: [entry], availability_rules: [rule], availability_date_overrides: [override] })
    expect((await request("GET", `/${uid}`)).body).toMatchObject({ ...entry, site: null, active: true })
    expect((await request("GET", `/${uid}/availability-rules`)).body.data).toMatchObject([rule])
    const { day_off: _, ...stored } = override
    expect((await request("GET", `/${uid}/availability-date-overrides`)).body.data).toMatchObject([stored])
    await request("DELETE", `/${uid}`)
    await world.provision({ resources: [{ ...entry, name: "Ultrasound 2" }] })
    expect((await request("GET", `/${uid}`)).body.name).toBe("Ultrasound 2")
  })

  test("a rule or an override belongs to a doctor or a resource that exists, not to both", async () => {
    const window = { uid: random("rul"), weekday: 0, start_time: 480, end_time: 600 }
    const { uid } = await made()
    for (const [subject, fault] of [
      [{}, "availability_rules[0].doctor_uid: is required, or resource_uid"],
      [
        { doctor_uid: world.doctor, resource_uid: uid },
        "availability_rules[0].doctor_uid: cannot be sent together with resource_uid"
      ],
      [{ resource_uid: "unknown" }, "availability_rules[0].resource_uid: refers to something that does not exist"]
    ] as const)
      expect(world.provision({ availability_rules: [{ ...window, ...subject }] })).rejects.toThrow(fault)
  })
})

describe("requirements of a type", () => {
  const types = "/v1/management/scheduling/appointment-types"
  const patch = (requirements: unknown) => world.api("PATCH", `${types}/${world.type_uid}`, { requirements })

  test("name resources or further doctors of the organisation", async () => {
    const a = await made()
    const b = await made({ name: "Room 2" })
    const resource_uids = [a.uid, b.uid]
    expect((await patch([{ resource_uids }, { doctor_uids: [world.doctor], count: 1 }])).body.requirements).toEqual([
      { resource_uids, count: 1 },
      { doctor_uids: [world.doctor], count: 1 }
    ])
    const faults = async (requirements: unknown) => {
      const answer = await patch(requirements)
      expect(answer.status).toBe(400)
      return answer.body.error
    }
    const strange = await made({}, other)
    const noResource = "is no resource of the organisation"
    expect(await faults([{ resource_uids: [a.uid] }, { resource_uids: [b.uid, strange.uid] }])).toEqual([
      `requirements[1].resource_uids[1]: ${noResource}`
    ])
    expect(await faults([{ resource_uids: [world.doctor] }, { doctor_uids: [other.doctor] }])).toEqual([
      `requirements[0].resource_uids[0]: ${noResource}`,
      "requirements[1].doctor_uids[0]: is no doctor of the organisation"
    ])
    await request("DELETE", `/${b.uid}`)
    expect(await faults([{ resource_uids: [b.uid] }])).toEqual([`requirements[0].resource_uids[0]: ${noResource}`])
    expect((await patch([])).body.requirements).toEqual([])
  })

  test("in a provisioning file must be in it or exist", async () => {
    const { organisation_uid } = world
    const uid = random("res")
    const requirements = [{ resource_uids: [uid] }]
    const type = { uid: random("aty"), organisation_uid, name: "With a room", ...CONSULTATION, requirements }
    await expect(world.provision({ appointment_types: [type] })).rejects.toThrow(
      "appointment_types[0].requirements[0].resource_uids[0]: is no resource of the organisation"
    )
    await world.provision({
      resources: [{ uid, organisation_uid, kind: "room", name: "Room" }],
      appointment_types: [type]
    })
    const listed = (await world.api("GET", types)).body.data.find((one: { uid: string }) => one.uid === type.uid)
    expect(listed?.requirements).toEqual([{ resource_uids: [uid], count: 1 }])
  })
})
