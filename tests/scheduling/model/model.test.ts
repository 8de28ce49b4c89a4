import { expect, test } from "bun:test"
import fc from "fast-check"
import { DAY } from "../../support/practice.ts"
import { sized } from "../../support/scale.ts"
import { sandboxLayers } from "../../support/server.ts"
import { customers, makeClients } from "./clients.ts"
import type { Session } from "./model.ts"
import { rounds, type State } from "./rounds.ts"

const layers = sandboxLayers()
/** Some fifty requests each. */
const RUNS = sized(6, 48)

test("concurrent requests are linearisable: every answer and the record match some order of them", async () => {
  let steps = 0
  await fc.assert(
    fc.asyncProperty(rounds, async (commands) => {
      const clients = await makeClients(layers.current)
      const now = await clients.now()
      const firstSlot = (Math.floor(now / DAY) + 2) * DAY + 9 * 3600
      const sessions = new Map<string, Session>()
      for (const customer of customers) {
        const { uid = "", expires = 0 } = await clients.openSession(customer, null, firstSlot)
        sessions.set(uid, { code: uid, customer, replaces: null, expires })
      }
      const state: State = { model: { appointments: new Map(), sessions }, steps: 0 }
      await fc.asyncModelRun(() => ({ model: state, real: { clients, firstSlot } }), commands)
      steps += state.steps
    }),
    { numRuns: RUNS, endOnFailure: true }
  )
  // random: some forty a run on average, in a few runs sometimes half of it
  expect(steps).toBeGreaterThan(5 * RUNS)
})
