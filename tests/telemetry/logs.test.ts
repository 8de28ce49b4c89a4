import { expect, test } from "bun:test"
import { Effect, Logger } from "effect"
import { jsonLogger } from "../../src/layers/telemetry/JsonLogger.ts"

const CANARY = "canary-Ada-Lovelace-1815"

const linesOf = async (program: Effect.Effect<unknown>) => {
  const lines: Array<string> = []
  const collecting = Logger.map(jsonLogger, (line) => void lines.push(line))
  await Effect.runPromise(program.pipe(Effect.provide(Logger.replace(Logger.defaultLogger, collecting))))
  return lines
}

test("a line is one JSON object with its trace", async () => {
  const [line = ""] = await linesOf(
    Effect.log("job done").pipe(Effect.annotateLogs({ queue: "reminders", count: 3 }), Effect.withSpan("job"))
  )
  expect(JSON.parse(line)).toEqual({
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    level: "INFO",
    message: "job done",
    queue: "reminders",
    count: 3,
    trace_id: expect.any(String),
    span_id: expect.any(String)
  })
})

test("errors and objects are logged by kind and place, never with their message", async () => {
  const error = Object.assign(new Error(CANARY), { cause: { code: "23505", detail: CANARY } })
  const lines = await linesOf(
    Effect.gen(function* () {
      yield* Effect.fail(error).pipe(Effect.catchAllCause((cause) => Effect.logError("request failed", cause)))
      yield* Effect.log("patient", { name: CANARY }).pipe(Effect.annotateLogs({ patient: { name: CANARY } }))
    })
  )
  expect(lines.join("\n")).not.toContain(CANARY)
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: "ERROR",
    message: "request failed",
    errors: [{ kind: "Error 23505", at: expect.arrayContaining([expect.stringContaining("logs.test.ts")]) }]
  })
})
