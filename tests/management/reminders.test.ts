import { beforeAll, expect, test } from "bun:test"
import { testServer } from "../support/server.ts"
import { makeWorld, type World } from "../support/world.ts"

const server = testServer()
let world: World
beforeAll(async () => {
  world = await makeWorld(server.current)
})

const request = (method: string, path: string, body?: unknown) =>
  world.api(method, `/v1/management/scheduling/appointment-types${path}`, body)
/** A separate type: reminders of one type and role must have different times. */
const newType = () => world.otherType()

const reminder = { recipient_role: "patient", minutes_before: 60 }

test("two reminders of one role at the same time are 409, even if one is inactive, and also by an update", async () => {
  const path = `/${await newType()}/reminders`
  expect((await request("POST", path, { ...reminder, active: false })).status).toBe(201)
  expect(await request("POST", path, reminder)).toMatchObject({ status: 409, body: { code: "reminder_exists" } })
  expect((await request("POST", path, { ...reminder, recipient_role: "doctor" })).status).toBe(201)
  const other = await request("POST", path, { ...reminder, minutes_before: 61 })
  expect(other.status).toBe(201)
  expect((await request("PATCH", `${path}/${other.body.uid}`, { minutes_before: 60 })).status).toBe(409)
  expect((await request("GET", path)).body.data).toHaveLength(3)
})

test("one of many concurrent creations succeeds, the others are 409", async () => {
  const path = `/${await newType()}/reminders`
  const answers = await Promise.all(Array.from({ length: 20 }, () => request("POST", path, reminder)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
})

test("a deleted reminder is not listed, and its time is free again", async () => {
  const path = `/${await newType()}/reminders`
  const created = await request("POST", path, reminder)
  expect(await request("DELETE", `${path}/${created.body.uid}`)).toMatchObject({ status: 204, body: "" })
  expect((await request("DELETE", `${path}/${created.body.uid}`)).status).toBe(404)
  expect((await request("PATCH", `${path}/${created.body.uid}`, {})).status).toBe(404)
  expect((await request("GET", path)).body).toEqual({ data: [] })
  expect((await request("POST", path, reminder)).status).toBe(201)
})

test("a reminder is found only under its own type, and none under a missing type", async () => {
  const [mine, other] = [await newType(), await newType()]
  const { uid } = (await request("POST", `/${mine}/reminders`, reminder)).body
  expect((await request("PATCH", `/${other}/reminders/${uid}`, {})).status).toBe(404)
  expect((await request("DELETE", `/${other}/reminders/${uid}`)).status).toBe(404)
  expect((await request("GET", "/none/reminders")).status).toBe(404)
  expect((await request("POST", "/none/reminders", reminder)).status).toBe(404)
  await request("DELETE", `/${mine}`)
  expect((await request("GET", `/${mine}/reminders`)).status).toBe(404)
})
