/**
 * The service as it is run in production while parts of it fail: PostgreSQL under Patroni, nginx before replicas, and
 * workers. `bun run chaos` does the same for hundreds of faults.
 */
import { expect, test } from "bun:test"
import { runExchange } from "../../script/chaos/exchange.ts"
import { runChaos } from "../../script/chaos/run.ts"

test("nothing acknowledged is lost or done twice, and no answer is false", async () => {
  const processes = { replicas: 3, workers: 2 }
  const report = await runChaos({ faults: 60, seed: 7, rate: 1, processes })
  expect(report.answers).toBeGreaterThan(0)
  const { lost, twice, untrue, unanswered, unhealed } = report
  expect({ lost, twice, untrue, unanswered, unhealed }).toEqual({
    lost: [],
    twice: [],
    untrue: [],
    unanswered: [],
    unhealed: []
  })
}, 3_600_000)

test("during planned maintenance under Patroni no request fails, and every acknowledged booking is kept", async () => {
  const { exchanged, handedOver, moved, booked, found } = await runExchange({ rate: 10, around: 100 })
  expect({ exchanged: exchanged.failed, handedOver: handedOver.failed }).toEqual({ exchanged: [], handedOver: [] })
  // Replacing replicas fails no request; a switchover of over five seconds may cause 503 with Retry-After
  expect([...exchanged.attempts.keys()].sort()).toEqual([200, 201])
  expect([...handedOver.attempts.keys()].filter((status) => ![200, 201, 503].includes(status))).toEqual([])
  expect({ moved, found }).toEqual({ moved: true, found: booked })
}, 900_000)
