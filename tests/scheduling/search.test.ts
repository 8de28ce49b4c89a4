/** Limited searches (Rule 3.8.1). */
import { describe, expect, test } from "bun:test"
import { testServer } from "../support/server.ts"
import { makeWorld } from "../support/world.ts"

const server = testServer()

interface Found {
  readonly doctor_uid: string
  readonly start_date: number
}

describe("a search", () => {
  test("with a limit returns the first slots of the full result", async () => {
    const world = await makeWorld(server.current, { doctors: 3 })
    const whole = (await world.search()).body.slots as ReadonlyArray<Found>
    for (const limit of [1, 2, 50, 10_000])
      expect((await world.search({ limit })).body.slots).toEqual(whole.slice(0, limit))
    for (const limit of [0, 10_001, 1.5, "1"])
      expect((await world.search({ limit })).body.error).toEqual([expect.stringMatching(/^limit: /)])
  })

  test("for several doctors returns only theirs", async () => {
    const world = await makeWorld(server.current, { doctors: 3 })
    const whole = (await world.search()).body.slots as ReadonlyArray<Found>
    const doctor_uids = [world.doctors[2], world.doctors[0], "unknown"]
    expect((await world.search({ doctor_uids })).body.slots).toEqual(
      whole.filter(({ doctor_uid }) => doctor_uids.includes(doctor_uid))
    )
    expect((await world.search({ doctor_uids: [] })).body.slots).toEqual([])
    const both = await world.search({ doctor_uids, doctor_uid: world.doctor })
    expect(both).toMatchObject({ status: 400, body: { error: [expect.stringMatching(/^doctor_uids: /)] } })
    const many = Array.from({ length: 101 }, () => world.doctor)
    expect((await world.search({ doctor_uids: many })).status).toBe(400)
  })
})
