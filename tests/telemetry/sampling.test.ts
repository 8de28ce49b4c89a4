/** Which requests are traced. */
import { expect, test } from "bun:test"
import { HttpApp, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { observed } from "../../src/http/server/observe.ts"
import { currentTraceparent } from "../../src/services/traceparent.ts"

const trace = "0af7651916cd43dd8448eb211c80319c"

/** The trace flags of a request with this sampling ratio. */
const flagsOf = async (ratio: number, flags?: string) => {
  const app = Effect.map(currentTraceparent, (traceparent) => HttpServerResponse.text(traceparent ?? ""))
  const answer = HttpApp.toWebHandler(observed({ inFlight: 0, phase: "open" }, ratio)(app))
  const headers = flags === undefined ? {} : { traceparent: `00-${trace}-b7ad6b7169203331-${flags}` }
  const [, traceId, , found] = (await (await answer(new Request("http://localhost/v1/x", { headers }))).text()).split(
    "-"
  )
  if (flags !== undefined) expect(traceId).toBe(trace)
  return found
}

// Shows: readers of logs and traces
// Shows: a stranger's `traceparent`
test("an untrusted traceparent cannot force sampling, but may opt out", async () => {
  expect(await flagsOf(0)).toBe("00")
  expect(await flagsOf(0, "01")).toBe("00")
  expect(await flagsOf(1)).toBe("01")
  expect(await flagsOf(1, "01")).toBe("01")
  expect(await flagsOf(1, "00")).toBe("00")
})
