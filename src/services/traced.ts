import { Effect, FiberRef } from "effect"

type Made = Effect.Effect<unknown, unknown, unknown>

/**
 * `Effect.fn` with a name, for functions that many requests call: their spans are made only where something is traced. Those of
 * `Effect.fn` cost some forty steps of the runtime in any case; the price is that elsewhere a defect's log does not name the function.
 */
export const traced = (name: string) => {
  const named = (body: never, ...pipes: []) => {
    const run: (...given: ReadonlyArray<unknown>) => Made = Effect.fnUntraced(body, ...pipes)
    return (...given: ReadonlyArray<unknown>): Made =>
      Effect.withFiberRuntime<unknown, unknown, unknown>((fiber) =>
        fiber.getFiberRef(FiberRef.currentTracerEnabled)
          ? Effect.withSpan(run(...given), name, { captureStackTrace: false })
          : run(...given)
      )
  }
  return named as unknown as Effect.fn.Gen // the cast: its types are those of Effect.fn, with a generator
}
