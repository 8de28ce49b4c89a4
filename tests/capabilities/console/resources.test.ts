/** Rooms and devices in the practice's console: their weeks, hours and removal, and what a type takes. Rule 17.2.1. */
import { expect, test } from "bun:test"
import { asAdmin } from "../../support/console.ts"
import { testServer } from "../../support/server.ts"
import { dayOf, inDays, makeWorld } from "../../support/world.ts"

const server = testServer()
const base = "/v1/management/scheduling"

const enter = async () => {
  const world = await makeWorld(server.current)
  const browser = await asAdmin(server.current, world)
  const send = async (...form: Parameters<typeof browser.send>) =>
    expect((await browser.send(...form)).status).toBe(303)
  const page = async (path: string) => {
    const { status, text } = await browser.ask(`/console/practice/${path}`)
    expect(status).toBe(200)
    return text
  }
  return { world, send, page }
}

test("a room is created, shows its week and hours, and what its removal would hit", async () => {
  const { world, send, page } = await enter()
  await send(`POST ${base}/resources`, { name: "Room Blue", kind: "room", site: "Annex", always_available: "true" })
  const [room] = (await world.api("GET", `${base}/resources`)).body.data
  expect(room).toMatchObject({ name: "Room Blue", site: "Annex", always_available: true })
  const requirement = { "requirements.0.resource_uids": room.uid, "requirements.0.count": "1" }
  await send(`PATCH ${base}/appointment-types/${world.type_uid}`, requirement)
  const uid = await world.booked(inDays(2, 9))
  const week = dayOf(inDays(2))
  const shown = await page(`resources?resource=${room.uid}&week=${week}`)
  expect(shown.split(`/console/practice/appointments/${uid}`)).toHaveLength(3) // in the week, and hit
  expect(shown).not.toContain("availability-rules")
  const other = await page(`resources?resource=${room.uid}&week=${dayOf(inDays(20))}`)
  expect(other.split(`/appointments/${uid}`)).toHaveLength(2)
  await send(`PATCH ${base}/resources/${room.uid}`, { always_available: "false" })
  const rules = `POST ${base}/resources/${room.uid}/availability-rules`
  expect(await page(`resources?resource=${room.uid}&day=${week}`)).toContain(rules)
  const taking = async (resource: string) =>
    (await world.api("GET", `${base}/appointments?resource_uid=${resource}`)).body.data
  expect([await taking(room.uid), await taking("unknown")]).toMatchObject([[{ uid }], []])
})

test("buffers, grid, seats, requirements and limits of a type have forms", async () => {
  const { world, send, page } = await enter()
  const room = (await world.api("POST", `${base}/resources`, { kind: "room", name: "Room Red" })).body.uid
  const path = `PATCH ${base}/appointment-types/${world.type_uid}`
  const type = async () => (await world.api("GET", `${base}/appointment-types`)).body.data[0]
  expect(await page(`types?type=${world.type_uid}`)).toContain("Room Red")
  const times = { buffer_before_minutes: "5", buffer_after_minutes: "10", slot_step_minutes: "15" }
  await send(path, { ...times, seats: "3" })
  await send(path, { "requirements.0.resource_uids": room, "requirements.0.count": "1" })
  await send(path, { "limits.0.max": "4", "limits.0.per": "week", "limits.0.scope": "organisation" })
  expect(await type()).toMatchObject({
    buffer_before_minutes: 5,
    buffer_after_minutes: 10,
    slot_step_minutes: 15,
    seats: 3,
    requirements: [{ resource_uids: [room], count: 1 }],
    limits: [{ per: "week", max: 4, scope: "organisation" }]
  })
  for (const name of ["requirements", "limits", "slot_step_minutes"]) await send(path, { [name]: "" })
  expect(await type()).toMatchObject({ requirements: [], limits: [], slot_step_minutes: null })
})
