import { beforeAll, describe, expect, test } from "bun:test"
import { PublicAppointmentType } from "../../src/schemas/scheduling/AppointmentType.ts"
import { testServer } from "../support/server.ts"
import { CONSULTATION, makeWorld, type World } from "../support/world.ts"
import { type Field, NOT_A_FLAG, NOT_A_NUMBER, NOT_TEXT, testFields } from "./fieldTable.ts"

const server = testServer()
let world: World
beforeAll(async () => {
  world = await makeWorld(server.current)
})

const PATH = "/v1/management/scheduling/appointment-types"
const request = (method: string, path = "", body?: unknown) => world.api(method, PATH + path, body)

const body = () => ({
  name: "First visit",
  ...CONSULTATION,
  meeting_type: "INITIAL",
  duration_minutes: 30
})

const notice: Field = { accepts: [0, 1, 52_560_000], refuses: [-1, 52_560_001, ...NOT_A_NUMBER], default: 0 }
const words = (...accepts: ReadonlyArray<string>): Field => ({
  accepts,
  refuses: ["", accepts.join().toLowerCase(), ...NOT_TEXT]
})

const translated = (language: string, texts: Readonly<Record<string, string>>) => ({
  language,
  name: null,
  description: null,
  preparation: null,
  cancellation_rule: null,
  price: null,
  ...texts
})
const languagesOf = (count: number) =>
  Array.from({ length: count }, (_, i) => translated(`x${String.fromCharCode(97 + i)}`, {}))

describe("every field", () => {
  testFields({
    body,
    create: (one) => request("POST", "", one),
    update: (uid, changes) => request("PATCH", `/${uid}`, changes),
    fields: {
      name: { accepts: ["a", "ä".repeat(255), "🩺".repeat(255)], refuses: ["", "  ", "a".repeat(256), ...NOT_TEXT] },
      meeting_type: words("CONSULTATION", "FOLLOW_UP", "INITIAL", "REVIEW", "ON_DEMAND"),
      duration_minutes: { accepts: [1, 2, 1439, 1440], refuses: [0, -1, 1441, ...NOT_A_NUMBER] },
      hold_ttl_seconds: { accepts: [1, 2, 86_399, 86_400], refuses: [0, 86_401, ...NOT_A_NUMBER] },
      booking_min_notice_minutes: notice,
      cancellation_min_notice_minutes: notice,
      rebooking_min_notice_minutes: notice,
      room_strategy: words("persistent_per_provider", "per_appointment"),
      rebooking_mode: words("same_doctor_only", "any_doctor_same_organisation"),
      doctor_assignment_mode: {
        ...words("all_available_doctors", "selected_doctors_only"),
        default: "all_available_doctors"
      },
      allow_patient_rebooking: { accepts: [true, false], refuses: NOT_A_FLAG, default: false },
      translations: {
        accepts: [
          [translated("tr", { name: "Muayene" })],
          [translated("en", { price: "Free" }), translated("en-US", { preparation: "Come early" })],
          languagesOf(20)
        ],
        refuses: [languagesOf(21), "tr", 1, {}],
        default: []
      },
      active: { accepts: [true, false], refuses: NOT_A_FLAG, default: true }
    }
  })
})

test("a fault of a translation names its field", async () => {
  const faultOf = async (...translations: ReadonlyArray<unknown>) =>
    (await request("POST", "", { ...body(), translations })).body.error
  const tr = { language: "tr" }
  expect(await faultOf(tr, tr)).toEqual(["translations[1].language: is there already"])
  expect(await faultOf({ language: "Turkish" })).toEqual([
    "translations[0].language: must be a language tag such as de or pt-BR"
  ])
  expect(await faultOf({ ...tr, name: "a".repeat(256) })).toEqual([
    "translations[0].name: must be text of 1 to 255 characters"
  ])
  expect(await faultOf({ ...tr, price: "a".repeat(2_001) })).toEqual([
    "translations[0].price: must be text of at most 2000 characters"
  ])
})

describe("every field of what an appointment takes", () => {
  let own: World
  beforeAll(async () => {
    own = await makeWorld(server.current)
  })
  testFields({
    body,
    create: (one) => own.api("POST", PATH, one),
    update: (uid, changes) => own.api("PATCH", `${PATH}/${uid}`, changes),
    fields: {
      buffer_before_minutes: { accepts: [0, 1, 240], refuses: [-1, 241, ...NOT_A_NUMBER], default: 0 },
      buffer_after_minutes: { accepts: [0, 1, 240], refuses: [-1, 241, ...NOT_A_NUMBER], default: 0 },
      slot_step_minutes: { accepts: [5, 240, null], refuses: [0, 4, 241, ...NOT_A_NUMBER], default: null },
      closed_on_holidays: { accepts: [true, false], refuses: ["no", 1], default: true },
      seats: { accepts: [1, 2, 200], refuses: [0, 201, ...NOT_A_NUMBER], default: 1 }
    }
  })
})

test("a name is trimmed and normalised", async () => {
  const created = await request("POST", "", { ...body(), name: "  A\u0308rztin " })
  expect(created.body.name).toBe("Ärztin")
})

test("every fault is reported at once", async () => {
  const answer = await request("POST", "", { name: "", duration_minutes: 0, active: "yes" })
  expect(answer.status).toBe(400)
  expect(answer.body.error.map((fault: string) => fault.split(":")[0]).toSorted()).toEqual([
    "active",
    "duration_minutes",
    "hold_ttl_seconds",
    "meeting_type",
    "name",
    "rebooking_mode",
    "room_strategy"
  ])
})

test("read-only fields are left as they are, and unknown fields are ignored", async () => {
  const created = await request("POST", "", {
    ...body(),
    uid: "mine",
    organisation_uid: "other",
    created_at: 1,
    colour: "red"
  })
  expect(created).toMatchObject({ status: 201, body: { organisation_uid: world.organisation_uid } })
  expect(created.body.uid).not.toBe("mine")
  expect(created.body.created_at).toBeGreaterThan(1)
  expect(created.body).not.toHaveProperty("colour")
  const updated = await request("PATCH", `/${created.body.uid}`, { uid: "mine", organisation_uid: "other" })
  expect(updated.body).toMatchObject({ uid: created.body.uid, organisation_uid: world.organisation_uid })
})

test("a deleted type is in no list and cannot be booked, and appointments keep its name", async () => {
  const own = await makeWorld(server.current)
  const using = (method: string, path: string) => own.api(method, path)
  const uid = await own.booked(Math.floor(Date.now() / 86_400_000) * 86_400 + 2 * 86_400)
  expect((await using("DELETE", `${PATH}/${own.type_uid}`)).status).toBe(204)
  expect((await using("DELETE", `${PATH}/${own.type_uid}`)).status).toBe(404)
  expect((await using("GET", PATH)).body).toEqual({ data: [] })
  expect((await own.search()).status).toBe(404)
  const patients = await using("GET", `/v1/scheduling/appointment-types?shop_uid=${own.shop_uid}`)
  expect(patients.body).toEqual({ data: [] })
  const listed = await using("GET", "/v1/management/scheduling/appointments")
  expect(listed.body.data).toMatchObject([{ uid, appointment_type_name: "Consultation" }])
})

test("an inactive type is in the management list, not in the patients', and 404 in slot search", async () => {
  const own = await makeWorld(server.current, { type: { active: false } })
  const listed = await own.api("GET", PATH)
  expect(listed.body.data).toMatchObject([{ uid: own.type_uid, active: false }])
  const patients = await server.current.api("GET", `/v1/scheduling/appointment-types?shop_uid=${own.shop_uid}`)
  expect(patients.body).toEqual({ data: [] })
  expect((await own.search()).status).toBe(404)
})

test("patients see the active types of the shop's organisation without a credential (Rules 3.9.1, 3.9.2)", async () => {
  const own = await makeWorld(server.current)
  const [managed] = (await own.api("GET", PATH)).body.data
  const patients = await server.current.api("GET", `/v1/scheduling/appointment-types?shop_uid=${own.shop_uid}`)
  const fields = Object.keys(PublicAppointmentType.fields)
  const shown = fields.map((field) => [field, Object.entries(managed).find(([name]) => name === field)?.[1]])
  expect(patients).toMatchObject({ status: 200 })
  expect(patients.body).toEqual({ data: [Object.fromEntries(shown.slice(0, 8))] })
  const presented = await server.current.api(
    "GET",
    `/v1/scheduling/appointment-types?shop_uid=${own.shop_uid}&include=presentation`
  )
  expect(presented.body).toEqual({ data: [Object.fromEntries(shown)] })
})

// Shows: public lists and pages of very long texts, pages of very many SKUs
test("the texts for patients of all types have a maximum length together; Rule 3.8.7", async () => {
  const own = await makeWorld(server.current)
  const ask = (method: string, path: string, change: object) =>
    server.current.api(method, PATH + path, { key: own.key, body: change })
  const long = "🩺".repeat(2_000)
  const texts = { description: long, preparation: long, cancellation_rule: long, price: long }
  const make = (more: object) => ask("POST", "", { ...body(), ...texts, ...more })
  const made = await Promise.all(Array.from({ length: 15 }, () => make({})))
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]))
  // 480,000 bytes
  const tooLong = (bytes: number) => ({
    status: 400,
    body: {
      error: [`description: there are ${bytes} bytes of texts for patients in all types already: delete some first`]
    }
  })
  expect(await make({})).toMatchObject(tooLong(512_000))
  const last = await make({ description: null, preparation: "a", cancellation_rule: null })
  const uid = last.body.uid
  // 488,001 bytes
  const change = (changes: object) => ask("PATCH", `/${uid}`, changes)
  expect((await change({ description: long, preparation: "ab" })).status).toBe(200)
  expect((await change({ cancellation_rule: "a".repeat(1_000) })).status).toBe(200)
  expect(await change({ cancellation_rule: long })).toMatchObject(tooLong(504_002))
  expect(await change({ preparation: "a".repeat(2_000) })).toMatchObject({ status: 200 })
  // what is replaced does not count
  expect((await change({ description: long, price: null })).status).toBe(200)
  // translations count like texts
  const languages = (count: number) => languagesOf(count).map((one) => ({ ...one, description: long }))
  expect((await change({ translations: languages(2) })).status).toBe(400)
  expect((await change({ translations: languages(1) })).status).toBe(200)
  expect((await change({ cancellation_rule: long })).status).toBe(400)
  expect((await change({ cancellation_rule: long, translations: [] })).status).toBe(200)
})
