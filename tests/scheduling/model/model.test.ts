import { expect, test } from "bun:test"
import fc from "fast-check"
import { DAY } from "../../support/practice.ts"
import { sized } from "../../support/scale.ts"
import { sandboxLayers } from "../../support/server.ts"
import { makeClients } from "./clients.ts"
import { rounds, type State, withSessions } from "./rounds.ts"

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
      const real = { clients, firstSlot }
      const model = await withSessions({ appointments: new Map(), sessions: new Map() }, real)
      const state: State = { model, steps: 0 }
      await fc.asyncModelRun(() => ({ model: state, real }), commands)
      steps += state.steps
    }),
    { numRuns: RUNS, endOnFailure: true }
  )
  // random: some forty a run on average, in a few runs sometimes half of it
  expect(steps).toBeGreaterThan(5 * RUNS)
})
