/** Moves the service's clock, in a sandbox (SANDBOX=true). */
import { Effect } from "effect"
import { Settings } from "../../../config.ts"
import { PeriodicTasks } from "../../../jobs/PeriodicTasks.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { invalid } from "../../../schemas/problems.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { DomainClock, realNow } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { Service } from "../../../services/Service.ts"
import { Replicas } from "../../shared/services/Replicas.ts"
import { SandboxNotFound } from "../schemas/SandboxNotFound.ts"

/** Exactly one of the two: seconds to advance, or the new instant (Unix seconds). */
export interface ClockChange {
  readonly advance_seconds?: number
  readonly now?: number
}

/** How far domain time may be ahead of real time: further on, stored times leave the ranges of dates. Seconds. */
const AHEAD_MAX_SECONDS = 5 * 365 * DAY

export class SandboxClock extends Service<SandboxClock>()("services/SandboxClock", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { clockMoves } = yield* Settings
    const clock = yield* DomainClock
    const { transaction } = yield* Database
    const { all: tasks } = yield* PeriodicTasks

    const ensureSandbox = clockMoves ? Effect.void : Effect.suspend(() => new SandboxNotFound())

    const secondsOf = Effect.fnUntraced(function* (change: ClockChange, now: number) {
      const last = (yield* realNow) + AHEAD_MAX_SECONDS
      const target = change.now ?? now + (change.advance_seconds ?? 0)
      const field = change.now === undefined ? "advance_seconds" : "now"
      return target < now || target > last
        ? yield* invalid(field, "must lead forward, at most five years ahead of real time")
        : target - now
    })

    /** Serialised: of two that set the same instant, the second finds it reached. */
    const shift = Effect.fnUntraced(function* (change: ClockChange) {
      yield* Effect.orDie(sql`LOCK TABLE domain_clock IN EXCLUSIVE MODE`)
      const seconds = yield* secondsOf(change, yield* clock.now)
      yield* clock.advance(seconds)
    }, transaction)

    const read = Effect.zipRight(ensureSandbox, clock.now)

    /**
     * Moves time forward for every replica, runs the work then due, and returns the new time. Fails with `SandboxNotFound` or `Invalid`.
     */
    const move = Effect.fn("SandboxClock.move")(function* (change: ClockChange) {
      yield* ensureSandbox
      yield* shift(change)
      for (const { onMove } of yield* tasks) yield* onMove ?? Effect.void
      return UnixSeconds.make(yield* clock.now)
    })

    return { read, move } as const
  }),
  dependencies: [PeriodicTasks.Default]
}) {}

/** Back to real time at the start of a process while no other one runs. Rule 3.10.5. */
export const restarted = Effect.gen(function* () {
  const { clockMoves } = yield* Settings
  const { restore } = yield* DomainClock
  const { list } = yield* Replicas
  return clockMoves ? Effect.flatMap(list, (running) => (running.length > 0 ? Effect.void : restore)) : Effect.void
}).pipe(Effect.provide(Replicas.Default))
