/** Work that is done for many callers at once. */
import { Deferred, Effect } from "effect"

/** Runs one `work` for a key at a time: what comes meanwhile is done by the next one together, and each caller gets its result. */
export const gathered = <K, A, B, R>(work: (key: K, items: ReadonlyArray<A>) => Effect.Effect<B, never, R>) => {
  const turns = new Map<K, Effect.Semaphore>()
  const waiting = new Map<K, { readonly items: Array<A>; readonly done: Deferred.Deferred<B> }>()
  return Effect.fnUntraced(function* (key: K, item: A) {
    const joined = waiting.get(key)
    if (joined !== undefined) {
      joined.items.push(item)
      return yield* Deferred.await(joined.done)
    }
    const batch = { items: [item], done: yield* Deferred.make<B>() }
    waiting.set(key, batch)
    const turn = turns.get(key) ?? Effect.unsafeMakeSemaphore(1)
    turns.set(key, turn)
    const whole = Effect.suspend(() => {
      waiting.delete(key)
      return work(key, batch.items)
    })
    const last = Effect.sync(() => {
      if (!waiting.has(key)) turns.delete(key)
    })
    yield* Effect.intoDeferred(turn.withPermits(1)(Effect.ensuring(whole, last)), batch.done)
    return yield* Deferred.await(batch.done)
  }, Effect.uninterruptible)
}
