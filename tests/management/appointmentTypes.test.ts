import { expect, test } from "bun:test"
import { PublicAppointmentType } from "../../src/schemas/scheduling/AppointmentType.ts"
import { testServer } from "../support/server.ts"
import { CONSULTATION, inDays, makeWorld, type WorldOptions } from "../support/world.ts"

const server = testServer()
const PATH = "/v1/management/scheduling/appointment-types"

const scene = async (options: WorldOptions = {}) => {
  const world = await makeWorld(server.current, options)
  const request = (method: string, path = "", body?: unknown) => world.api(method, PATH + path, body)
  /** The list for patients, who have no credential. */
  const ofPatients = async (query = "") =>
    (await server.current.api("GET", `/v1/scheduling/appointment-types?shop_uid=${world.shop_uid}${query}`)).body
  return { ...world, request, ofPatients }
}
const body = { name: "First visit", ...CONSULTATION }

test("read-only fields are left as they are, and unknown fields are ignored", async () => {
  const { request, organisation_uid } = await scene()
  const foreign = { uid: "mine", organisation_uid: "other", created_at: 1, colour: "red" }
  const created = await request("POST", "", { ...body, ...foreign })
  const { uid } = created.body
  expect(created).toMatchObject({ status: 201, body: { uid: expect.stringMatching(/^aty_/), organisation_uid } })
  expect(created.body.created_at).toBeGreaterThan(1)
  expect(created.body).not.toHaveProperty("colour")
  expect((await request("PATCH", `/${uid}`, foreign)).body).toEqual(created.body)
})

test("a deleted type is in no list and cannot be booked, and appointments keep its name", async () => {
  const { request, api, booked, search, ofPatients, type_uid } = await scene()
  const uid = await booked(inDays(2))
  expect((await request("DELETE", `/${type_uid}`)).status).toBe(204)
  expect((await request("DELETE", `/${type_uid}`)).status).toBe(404)
  expect([(await request("GET")).body, await ofPatients()]).toEqual([{ data: [] }, { data: [] }])
  expect((await search()).status).toBe(404)
  const listed = await api("GET", "/v1/management/scheduling/appointments")
  expect(listed.body.data).toMatchObject([{ uid, appointment_type_name: "Consultation" }])
})

test("an inactive type is in the management list, not in the patients', and 404 in slot search", async () => {
  const { request, search, ofPatients, type_uid: uid } = await scene({ type: { active: false } })
  expect((await request("GET")).body.data).toMatchObject([{ uid, active: false }])
  expect(await ofPatients()).toEqual({ data: [] })
  expect((await search()).status).toBe(404)
})

test("patients see the active types of the shop's organisation without a credential (Rules 3.9.1, 3.9.2)", async () => {
  const { request, ofPatients } = await scene()
  const [managed] = (await request("GET")).body.data
  const fields = Object.keys(PublicAppointmentType.fields)
  const shown = fields.map((field) => [field, Object.entries(managed).find(([name]) => name === field)?.[1]])
  expect(await ofPatients()).toEqual({ data: [Object.fromEntries(shown.slice(0, 8))] })
  expect(await ofPatients("&include=presentation")).toEqual({ data: [Object.fromEntries(shown)] })
})

// Shows: public lists and pages of very long texts, pages of very many SKUs
test("the texts for patients of all types have a maximum length together; Rule 3.8.7", async () => {
  const { request } = await scene()
  const long = "🩺".repeat(2_000)
  const texts = { description: long, preparation: long, cancellation_rule: long, price: long }
  const make = (more: object) => request("POST", "", { ...body, ...texts, ...more })
  const made = await Promise.all(Array.from({ length: 15 }, () => make({})))
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]))
  // 480,000 bytes
  const tooLong = (bytes: number) => {
    const fault = `there are ${bytes} bytes of texts for patients in all types already: delete some first`
    return { status: 400, body: { error: [`description: ${fault}`] } }
  }
  expect(await make({})).toMatchObject(tooLong(512_000))
  const last = await make({ description: null, preparation: "a", cancellation_rule: null })
  const uid = last.body.uid
  // 488,001 bytes
  const change = (changes: object) => request("PATCH", `/${uid}`, changes)
  expect((await change({ description: long, preparation: "ab" })).status).toBe(200)
  expect((await change({ cancellation_rule: "a".repeat(1_000) })).status).toBe(200)
  expect(await change({ cancellation_rule: long })).toMatchObject(tooLong(504_002))
  expect(await change({ preparation: "a".repeat(2_000) })).toMatchObject({ status: 200 })
  // what is replaced does not count
  expect((await change({ description: long, price: null })).status).toBe(200)
  // translations count like texts
  const [de, tr] = ["de", "tr"].map((language) => ({ language, description: long }))
  expect((await change({ translations: [de, tr] })).status).toBe(400)
  expect((await change({ translations: [tr] })).status).toBe(200)
  expect((await change({ cancellation_rule: long })).status).toBe(400)
  expect((await change({ cancellation_rule: long, translations: [] })).status).toBe(200)
})
