import { beforeAll, describe, expect, test } from "bun:test"
import { testServer } from "../support/server.ts"
import { makeWorld, type World } from "../support/world.ts"
import { NOT_A_FLAG, NOT_A_NUMBER, NOT_TEXT, testFields } from "./fieldTable.ts"

const server = testServer()
let world: World
beforeAll(async () => {
  world = await makeWorld(server.current)
})

const TYPES = "/v1/management/scheduling/appointment-types"
const request = (method: string, path: string, body?: unknown, key = world.key) =>
  server.current.api(method, TYPES + path, { key, body })

/** A separate type: reminders of one type and role must have different times. */
const newType = async (): Promise<string> => {
  const created = await request("POST", "", {
    name: "Visit",
    meeting_type: "REVIEW",
    duration_minutes: 15,
    hold_ttl_seconds: 60,
    room_strategy: "per_appointment",
    rebooking_mode: "same_doctor_only"
  })
  return created.body.uid
}

const body = () => ({ recipient_role: "patient", minutes_before: 60 })
const typeOf = new Map<string, string>()

describe("every field", () => {
  testFields({
    body,
    create: async (one) => {
      const type = await newType()
      const answer = await request("POST", `/${type}/reminders`, one)
      typeOf.set(answer.body.uid, type)
      return answer
    },
    update: (uid, changes) => request("PATCH", `/${typeOf.get(uid)}/reminders/${uid}`, changes),
    fields: {
      recipient_role: { accepts: ["patient", "doctor", "admin"], refuses: ["nurse", "", ...NOT_TEXT] },
      minutes_before: { accepts: [1, 2, 86_399, 86_400], refuses: [0, -1, 86_401, ...NOT_A_NUMBER] },
      send_email: { accepts: [true, false], refuses: NOT_A_FLAG, default: false },
      send_sms: { accepts: [true, false], refuses: NOT_A_FLAG, default: false },
      active: { accepts: [true, false], refuses: NOT_A_FLAG, default: true }
    }
  })
})

test("two reminders of one role at the same time are 409, even if one is inactive, and also by an update", async () => {
  const path = `/${await newType()}/reminders`
  expect((await request("POST", path, { ...body(), active: false })).status).toBe(201)
  expect(await request("POST", path, body())).toMatchObject({ status: 409, body: { code: "reminder_exists" } })
  expect((await request("POST", path, { ...body(), recipient_role: "doctor" })).status).toBe(201)
  const other = await request("POST", path, { ...body(), minutes_before: 61 })
  expect(other.status).toBe(201)
  expect((await request("PATCH", `${path}/${other.body.uid}`, { minutes_before: 60 })).status).toBe(409)
  expect((await request("GET", path)).body.data).toHaveLength(3)
})

test("one of many concurrent creations succeeds, the others are 409", async () => {
  const path = `/${await newType()}/reminders`
  const answers = await Promise.all(Array.from({ length: 20 }, () => request("POST", path, body())))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
})

test("a deleted reminder is not listed, and its time is free again", async () => {
  const path = `/${await newType()}/reminders`
  const created = await request("POST", path, body())
  expect(await request("DELETE", `${path}/${created.body.uid}`)).toMatchObject({ status: 204, body: "" })
  expect((await request("DELETE", `${path}/${created.body.uid}`)).status).toBe(404)
  expect((await request("PATCH", `${path}/${created.body.uid}`, {})).status).toBe(404)
  expect((await request("GET", path)).body).toEqual({ data: [] })
  expect((await request("POST", path, body())).status).toBe(201)
})

test("a reminder is found only under its own type, and none under a missing type", async () => {
  const [mine, other] = [await newType(), await newType()]
  const { uid } = (await request("POST", `/${mine}/reminders`, body())).body
  expect((await request("PATCH", `/${other}/reminders/${uid}`, {})).status).toBe(404)
  expect((await request("DELETE", `/${other}/reminders/${uid}`)).status).toBe(404)
  expect((await request("GET", "/none/reminders")).status).toBe(404)
  expect((await request("POST", "/none/reminders", body())).status).toBe(404)
  await request("DELETE", `/${mine}`)
  expect((await request("GET", `/${mine}/reminders`)).status).toBe(404)
})
