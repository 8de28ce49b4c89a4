/** Planned work under an open load: replicas are exchanged, the primary is handed over. `bun run exchange` measures the same. */
import { expect, test } from "bun:test"
import { runExchange } from "../../script/chaos/exchange.ts"
import { sized } from "../support/scale.ts"

test("no request fails, and every booking that was acknowledged is there", async () => {
  const { exchanged, handedOver, moved, booked, found } = await runExchange({
    rate: sized(2, 10),
    around: sized(8, 100)
  })
  expect({ exchanged: exchanged.failed, handedOver: handedOver.failed }).toEqual({ exchanged: [], handedOver: [] })
  // Exchanged replicas are noticed by nobody; a hand-over longer than five seconds by a Retry-After
  expect([...exchanged.attempts.keys()].sort()).toEqual([200, 201])
  expect([...handedOver.attempts.keys()].filter((status) => ![200, 201, 503].includes(status))).toEqual([])
  expect({ moved, found }).toEqual({ moved: true, found: booked })
}, 900_000)
