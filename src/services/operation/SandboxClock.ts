/** Moving the time of the whole service, in a sandbox (SANDBOX=true). */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { Settings } from "../../config.ts"
import { UnixSeconds } from "../../schemas/fields.ts"
import { invalid, NotFound } from "../../schemas/problems.ts"
import { DomainClock } from "../DomainClock.ts"
import { transaction } from "../transaction.ts"
import { DueWork } from "./DueWork.ts"

/** Either this many seconds on, or to this instant. */
export interface ClockChange {
  readonly advance_seconds?: number
  readonly now?: number
}

const LAST_INSTANT = 253_402_300_799

export class SandboxClock extends Effect.Service<SandboxClock>()("services/SandboxClock", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { sandbox } = yield* Settings
    const clock = yield* DomainClock
    const due = yield* DueWork

    const ensureSandbox = sandbox ? Effect.void : Effect.fail(new NotFound({ what: "Sandbox" }))

    const secondsOf = (change: ClockChange, now: number) => {
      if ((change.advance_seconds === undefined) === (change.now === undefined))
        return Effect.fail(invalid("advance_seconds", "give either advance_seconds or now"))
      const target = change.now ?? now + (change.advance_seconds ?? 0)
      const field = change.now === undefined ? "advance_seconds" : "now"
      return target < now || target > LAST_INSTANT
        ? Effect.fail(invalid(field, "must lead forward, to the year 9999 at most"))
        : Effect.succeed(target - now)
    }

    /** One at a time: of two that set the same instant, the second finds it reached. */
    const shift = Effect.fnUntraced(
      function* (change: ClockChange) {
        yield* Effect.orDie(sql`LOCK TABLE sandbox_clock IN EXCLUSIVE MODE`)
        const seconds = yield* secondsOf(change, yield* clock.now)
        yield* clock.advance(seconds)
      },
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql)
    )

    const read = Effect.zipRight(ensureSandbox, clock.now)

    /** Moves time forward for every replica, does what is due then, and says what time it is. */
    const move = Effect.fn("SandboxClock.move")(function* (change: ClockChange) {
      yield* ensureSandbox
      yield* shift(change)
      yield* due.run
      return UnixSeconds.make(yield* clock.now)
    })
    return { read, move } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
