/** Rooms and devices in the practice's console: their weeks, hours and removal, and what a type takes. Rule 17.2.1. */
import { expect, test } from "bun:test"
import { signedIn } from "../support/console.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"

const server = testServer()
const base = "/v1/management/scheduling"

const enter = async () => {
  const world = await makeWorld(server.current)
  const browser = await signedIn(server.current, ["admin", world.organisation_uid, world.organisation_uid])
  const send = async (...form: Parameters<typeof browser.send>) => (await browser.send(...form)).status
  const page = async (path: string) => {
    const { status, text } = await browser.ask(`/console/practice/${path}`)
    expect(status).toBe(200)
    return text
  }
  return { world, send, page }
}

test("a room is created, shows its week and hours, and what its removal would hit", async () => {
  const { world, send, page } = await enter()
  const fields = [
    ["name", "Room Blue"],
    ["kind", "room"],
    ["site", "Annex"],
    ["always_available", "true"]
  ] as const
  expect(await send(`POST ${base}/resources`, fields)).toBe(303)
  const [room] = (await world.api("GET", `${base}/resources`)).body.data
  expect(room).toMatchObject({ name: "Room Blue", site: "Annex", always_available: true })
  const type = `PATCH ${base}/appointment-types/${world.type_uid}`
  expect(
    await send(type, [
      ["requirements.0.resource_uids", room.uid],
      ["requirements.0.count", "1"]
    ])
  ).toBe(303)
  const uid = await world.booked(inDays(2, 9))
  const week = new Date(inDays(2) * 1000).toISOString().slice(0, 10)
  const shown = await page(`resources?resource=${room.uid}&week=${week}`)
  expect(shown.split(`/console/practice/appointments/${uid}`)).toHaveLength(3) // in the week, and hit
  expect(shown).not.toContain("availability-rules")
  const other = new Date(inDays(20) * 1000).toISOString().slice(0, 10)
  expect((await page(`resources?resource=${room.uid}&week=${other}`)).split(`/appointments/${uid}`)).toHaveLength(2)
  expect(await send(`PATCH ${base}/resources/${room.uid}`, [["always_available", "false"]])).toBe(303)
  const day = `&day=${week}`
  expect(await page(`resources?resource=${room.uid}${day}`)).toContain(
    `POST ${base}/resources/${room.uid}/availability-rules`
  )
  expect((await world.api("GET", `${base}/appointments?resource_uid=${room.uid}`)).body).toMatchObject({
    data: [{ uid }],
    totalRegistries: 1
  })
  expect((await world.api("GET", `${base}/appointments?resource_uid=unknown`)).body.data).toEqual([])
})

test("buffers, grid, seats, requirements and limits of a type have forms", async () => {
  const { world, send, page } = await enter()
  const room = (await world.api("POST", `${base}/resources`, { kind: "room", name: "Room Red" })).body.uid
  const path = `PATCH ${base}/appointment-types/${world.type_uid}`
  const type = async () => (await world.api("GET", `${base}/appointment-types`)).body.data[0]
  expect(await page(`types?type=${world.type_uid}`)).toContain("Room Red")
  expect(
    await send(path, [
      ["buffer_before_minutes", "5"],
      ["buffer_after_minutes", "10"],
      ["slot_step_minutes", "15"],
      ["seats", "3"]
    ])
  ).toBe(303)
  expect(
    await send(path, [
      ["requirements.0.resource_uids", room],
      ["requirements.0.count", "1"]
    ])
  ).toBe(303)
  expect(
    await send(path, [
      ["limits.0.max", "4"],
      ["limits.0.per", "week"],
      ["limits.0.scope", "organisation"]
    ])
  ).toBe(303)
  expect(await type()).toMatchObject({
    buffer_before_minutes: 5,
    buffer_after_minutes: 10,
    slot_step_minutes: 15,
    seats: 3,
    requirements: [{ resource_uids: [room], count: 1 }],
    limits: [{ per: "week", max: 4, scope: "organisation" }]
  })
  expect(await send(path, [["requirements", ""]])).toBe(303)
  expect(await send(path, [["limits", ""]])).toBe(303)
  expect(await send(path, [["slot_step_minutes", ""]])).toBe(303)
  expect(await type()).toMatchObject({ requirements: [], limits: [], slot_step_minutes: null })
})
