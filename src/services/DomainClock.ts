/**
 * The domain's only clock, in whole Unix seconds. With SANDBOX=true it is ahead of real time by an offset in the database, so that all
 * replicas agree; tokens and signatures are always verified in real time.
 */

import { SqlClient } from "@effect/sql"
import { Clock, Effect } from "effect"
import { Settings } from "../config.ts"
import { UnixSeconds } from "../schemas/fields.ts"

/** Real time, Unix seconds: of credentials, and of what other parties check. A sandbox does not move it. */
export const realNow = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))

export class DomainClock extends Effect.Service<DomainClock>()("services/DomainClock", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { sandbox } = yield* Settings

    const offset = sql<{ readonly offset_seconds: number }>`SELECT offset_seconds FROM sandbox_clock`.pipe(
      Effect.map(([row]) => row?.offset_seconds ?? 0),
      Effect.orDie
    )
    const ahead = sandbox ? 0 : yield* offset
    if (ahead > 0)
      yield* Effect.logWarning(
        `The sandbox clock of this database is ${ahead} s ahead, but SANDBOX is not true here: real time is used`
      )
    /** Domain time, Unix seconds. */
    const now: Effect.Effect<UnixSeconds> = (sandbox ? Effect.zipWith(realNow, offset, (a, b) => a + b) : realNow).pipe(
      Effect.map((seconds) => UnixSeconds.make(seconds, true))
    )
    /** Moves domain time forward by `seconds`, at least 0. Sandbox only. */
    const advance = Effect.fn("DomainClock.advance")(function* (seconds: number) {
      yield* sql`INSERT INTO sandbox_clock (offset_seconds) VALUES (${seconds})
        ON CONFLICT (only_row) DO UPDATE SET offset_seconds = sandbox_clock.offset_seconds + ${seconds}`.pipe(
        Effect.orDie
      )
    })
    /** Puts domain time back to real time. Sandbox only. */
    const restore = sql`DELETE FROM sandbox_clock`.pipe(Effect.orDie, Effect.asVoid)
    return { now, advance, restore } as const
  })
}) {}
