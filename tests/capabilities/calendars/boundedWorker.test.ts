/** Threads in which strangers' bytes are parsed, fairly to their owners. Rule 3.12.11. */
import { expect, test } from "bun:test"
import { join } from "node:path"
import { Effect, Fiber } from "effect"
import { makeBoundedWorker } from "../../../src/capabilities/calendars/services/boundedWorker.ts"
import { onlyOwner, withoutOwner } from "../../../src/services/tenancy/Tenancy.ts"

// Shows: one organisation's calendars delay those of all
test(
  "texts of an owner that run into the limit delay nobody else's",
  () =>
    Effect.gen(function* () {
      const ask = yield* makeBoundedWorker<string, string>({
        file: join(import.meta.dir, "../../support/parser.worker.ts"),
        millis: 2_000
      })
      const of = (owner: string, text: string) => withoutOwner(onlyOwner(owner)(ask(text)))
      let ended = 0
      const hanging = (count: number) =>
        Effect.forkAll(
          Array.from({ length: count }, () =>
            Effect.ensuring(
              Effect.flip(of("slow", "hang")),
              Effect.sync(() => ended++)
            )
          )
        )
      const first = yield* hanging(3)
      yield* Effect.yieldNow()
      expect(yield* of("quick", "text")).toBe("text")
      expect(ended).toBeLessThan(2)
      yield* Fiber.join(first)

      ended = 0
      const second = yield* hanging(2)
      yield* Effect.yieldNow()
      for (let turn = 0; turn < 5; turn++) expect(yield* of("quick", String(turn))).toBe(String(turn))
      expect(ended).toBe(0)
      yield* Fiber.join(second)
      // its other texts are still parsed
      expect(yield* of("slow", "text")).toBe("text")
    }).pipe(Effect.scoped, Effect.runPromise),
  60_000
)
