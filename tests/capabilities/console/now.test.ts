/** The line of now in the calendar. Rule 17.6. */
import { expect, test } from "bun:test"
import { asAdmin } from "../../support/console.ts"
import { testServer } from "../../support/server.ts"
import { makeWorld } from "../../support/world.ts"
import { zoneAt } from "./support/zoneAt.ts"

const server = testServer()

test("the line of now stands in the calendar within the hours that it shows, and beyond them not at all", async () => {
  for (const [hour, isShown] of [
    [12, true],
    [22, false]
  ] as const) {
    const world = await makeWorld(server.current, { doctors: 1, organisation: { timezone: zoneAt(hour) } })
    const rules = `/v1/management/scheduling/doctors/${world.doctor}/availability-rules`
    for (const { uid } of (await world.api("GET", rules)).body.data) await world.api("DELETE", `${rules}/${uid}`)
    const { text } = await (await asAdmin(server.current, world)).open("/console/practice")
    expect([hour, text.includes("time-now")]).toEqual([hour, isShown])
  }
})
