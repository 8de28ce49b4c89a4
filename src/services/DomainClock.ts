/**
 * The domain's only clock, in whole Unix seconds. With SANDBOX=true it is ahead of real time by an offset in the database, so that all
 * replicas agree; tokens and signatures are always verified in real time.
 */

import { SqlClient } from "@effect/sql"
import { Clock, Effect } from "effect"
import { Settings } from "../config.ts"
import { UnixSeconds } from "../schemas/fields.ts"

/** Real time, Unix seconds: of credentials, and of what other parties check. SANDBOX=true does not move it. */
export const realNow = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))

export class DomainClock extends Effect.Service<DomainClock>()("services/DomainClock", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { clockMoves } = yield* Settings

    const offset = sql<{ readonly offset_seconds: number }>`SELECT offset_seconds FROM domain_clock`.pipe(
      Effect.map(([row]) => row?.offset_seconds ?? 0),
      Effect.orDie
    )
    const ahead = clockMoves ? 0 : yield* offset
    if (ahead > 0)
      yield* Effect.logWarning(
        `Domain time of this database is ${ahead} s ahead, but SANDBOX is not true here: real time is used`
      )
    /** Domain time, Unix seconds. */
    const now: Effect.Effect<UnixSeconds> = (
      clockMoves ? Effect.zipWith(realNow, offset, (a, b) => a + b) : realNow
    ).pipe(Effect.map((seconds) => UnixSeconds.make(seconds, true)))
    /** Moves domain time forward by `seconds`, at least 0. Only with SANDBOX=true. */
    const advance = Effect.fn("DomainClock.advance")(function* (seconds: number) {
      yield* sql`INSERT INTO domain_clock (offset_seconds) VALUES (${seconds})
        ON CONFLICT (only_row) DO UPDATE SET offset_seconds = domain_clock.offset_seconds + ${seconds}`.pipe(
        Effect.orDie
      )
    })
    /** Puts domain time back to real time. Only with SANDBOX=true. */
    const restore = sql`DELETE FROM domain_clock`.pipe(Effect.orDie, Effect.asVoid)
    return { now, advance, restore } as const
  })
}) {}
