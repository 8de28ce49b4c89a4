/**
 * The service as it is run in production while parts of it fail: PostgreSQL under Patroni, nginx before three replicas, two
 * workers. `bun run chaos` does the same for hundreds of faults.
 */
import { expect, test } from "bun:test"
import { runChaos } from "../../script/chaos/run.ts"
import { sized } from "../support/scale.ts"

test(
  "nothing acknowledged is lost or done twice, and no answer is untrue",
  async () => {
    const report = await runChaos({ faults: sized(6, 60), seed: 7, rate: 1 })
    expect(report.answers).toBeGreaterThan(0)
    const { lost, twice, untrue, unanswered, unhealed } = report
    expect({ lost, twice, untrue, unanswered, unhealed }).toEqual({
      lost: [],
      twice: [],
      untrue: [],
      unanswered: [],
      unhealed: []
    })
  },
  sized(600_000, 3_600_000)
)
