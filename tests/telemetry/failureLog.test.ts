/** Failures of another system are logged at the first one, then once a minute with their number. */
import { expect, test } from "bun:test"
import { Effect, Layer, Logger, TestClock, TestContext } from "effect"
import { makeFailureLog } from "../../src/layers/telemetry/failureLog.ts"

test("one line at once, one a minute while it goes on, none afterwards", async () => {
  const lines: Array<string> = []
  const logger = Logger.make<unknown, void>(({ message }) => void lines.push(String(message)))
  await Effect.gen(function* () {
    const failed = yield* makeFailureLog("Mails that were not taken")
    yield* failed("ECONNREFUSED")
    yield* TestClock.adjust("1 second")
    expect(lines).toEqual(["Mails that were not taken: 1 × ECONNREFUSED. They are tried again"])
    for (let count = 0; count < 40; count++) yield* failed(count % 4 === 0 ? "ETIMEDOUT" : "ECONNREFUSED")
    yield* TestClock.adjust("30 seconds")
    expect(lines).toHaveLength(1)
    yield* TestClock.adjust("30 seconds")
    expect(lines.slice(1)).toEqual([
      "Mails that were not taken: 10 × ETIMEDOUT, 30 × ECONNREFUSED. They are tried again"
    ])
    yield* TestClock.adjust("1 hour")
    expect(lines).toHaveLength(2)
  }).pipe(
    Effect.scoped,
    Effect.provide(Layer.merge(TestContext.TestContext, Logger.replace(Logger.defaultLogger, logger))),
    Effect.runPromise
  )
})
