/**
 * A standby that answers reads, and how far it is behind: a read goes there only once it has everything that the primary had when
 * the read began. So whoever has just written reads what they wrote, through whatever process.
 */
import type { Reactivity } from "@effect/experimental"
import type { SqlError } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Effect, Option, Schedule, type Scope } from "effect"
import type { Pool } from "pg"
import { withoutCaller } from "../../services/database/currentCaller.ts"

/** Milliseconds that a read waits for the standby, which is a little behind whenever the primary is written to. */
const PATIENCE_MILLIS = 25
/** Between two looks at the standby: twice as long each time, since what has not come soon comes late. */
const FIRST_PAUSE_MILLIS = 2
const PAUSE_MAX_MILLIS = 200
/** Milliseconds more for the two questions themselves. */
const SILENCE_MILLIS = 250
const MEASURE_EVERY = "1 second"

/** Callers that come while one question is under way share the next. */
const shared = <A>(ask: () => Promise<A>) => {
  let current: Promise<A> | undefined
  let next: Promise<A> | undefined
  const begin = () => {
    next = undefined
    current = ask().finally(() => {
      current = undefined
    })
    return current
  }
  return () => {
    if (current === undefined) return begin()
    next ??= current.then(begin, begin)
    return next
  }
}

export interface Standby {
  readonly client: PgClient.PgClient
  /** Whether it has now all that the primary had when this was asked, or has it within a moment. */
  readonly isUpToDate: Effect.Effect<boolean>
}

export interface StandbyOptions {
  readonly primary: Pool
  readonly standby: Effect.Effect<Pool, SqlError.SqlError, Scope.Scope>
  /** How far behind the standby may be, seconds, until it is not asked any more. */
  readonly lagSeconds: number
  readonly custom: PgClient.PgClientConfig["types"]
}

export const makeStandby = ({
  primary,
  standby,
  lagSeconds,
  custom
}: StandbyOptions): Effect.Effect<Standby, SqlError.SqlError, Scope.Scope | Reactivity.Reactivity> =>
  Effect.gen(function* () {
    const pool = yield* standby
    const client = yield* PgClient.fromPool({
      acquire: Effect.succeed(pool),
      applicationName: "sprechstunde reads",
      ...(custom !== undefined && { types: custom })
    })
    // Bytes of the log since its beginning; 0 where the node is no standby any more
    const positionOf = (node: Pool, expression: string) =>
      shared(async () => {
        const { rows } = await node.query(`SELECT (${expression} - '0/0')::float8 AS bytes`)
        return Number(rows[0]?.bytes)
      })
    const written = positionOf(primary, "pg_current_wal_insert_lsn()")
    const replayed = positionOf(pool, "pg_last_wal_replay_lsn()")
    const reaches = async (patience: number) => {
      const wanted = await written()
      const deadline = performance.now() + patience
      for (let pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(2 * pause, PAUSE_MAX_MILLIS)) {
        if ((await replayed()) >= wanted) return true
        if (performance.now() >= deadline) return false
        await Bun.sleep(pause)
      }
    }
    /** One that does not answer is not up to date. */
    const within = (patience: number) =>
      Effect.promise(() => reaches(patience).catch(() => false)).pipe(
        Effect.disconnect,
        Effect.timeoutOption(patience + SILENCE_MILLIS),
        Effect.map(Option.getOrElse(() => false)),
        withoutCaller
      )
    let isNear: boolean | undefined
    yield* within(lagSeconds * 1_000).pipe(
      Effect.tap((near) => {
        if (near === isNear) return
        isNear = near
        return near
          ? Effect.logInfo("the standby answers reads")
          : Effect.logWarning(
              `the standby does not answer, or is more than ${lagSeconds} s behind: the primary answers reads`
            )
      }),
      Effect.repeat(Schedule.spaced(MEASURE_EVERY)),
      Effect.forkScoped
    )
    const isUpToDate = Effect.suspend(() => (isNear === true ? within(PATIENCE_MILLIS) : Effect.succeed(false)))
    return { client, isUpToDate }
  })
