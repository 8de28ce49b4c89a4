/** A log line for failures of another system that are retried: at the first one, then once a minute with their number. */
import { Effect, Queue } from "effect"

/** Returns a function that counts a failure by its reason, a code that contains no data of anybody. */
export const makeFailureLog = Effect.fnUntraced(function* (what: string) {
  const counts = new Map<string, number>()
  const failed = yield* Queue.sliding<void>(1)
  const summary = Effect.suspend(() => {
    const reasons = [...counts].map(([reason, count]) => `${count} × ${reason}`).join(", ")
    counts.clear()
    return Effect.logWarning(`${what}: ${reasons}. They are tried again`)
  })
  yield* Queue.take(failed).pipe(
    Effect.zipRight(summary),
    Effect.zipRight(Effect.sleep("1 minute")),
    Effect.forever,
    Effect.forkScoped
  )
  return (reason: string) =>
    Effect.suspend(() => {
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
      return Effect.asVoid(Queue.offer(failed, undefined))
    })
})
