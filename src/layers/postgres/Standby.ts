/**
 * A standby for reads, with read-your-writes consistency across processes: a read goes there only after it has replayed
 * everything that the primary had written when the read began.
 */
import type { SqlError } from "@effect/sql"
import { Effect, Schedule, type Scope } from "effect"
import type { Pool } from "pg"
import { within as endedWithin } from "../../services/outgoing.ts"

/** Milliseconds that a read waits for the standby to catch up. */
const CATCH_UP_MILLIS = 25
/** Delay between two polls of the standby; doubles each time. */
const POLL_MIN_MILLIS = 2
const POLL_MAX_MILLIS = 200
/** Additional time-out for the two queries themselves. */
const QUERY_TIMEOUT_MILLIS = 250
const MEASURE_EVERY = "1 second"

/** Batches callers: those that arrive during one query share the next. */
const batched = <A>(ask: () => Promise<A>) => {
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
  readonly pool: Pool
  /** Whether the standby reaches the primary's current position within 25 ms. */
  readonly isUpToDate: Effect.Effect<boolean>
}

export interface StandbyOptions {
  readonly primary: Pool
  readonly standby: Effect.Effect<Pool, SqlError.SqlError, Scope.Scope>
  /** Largest replica lag in seconds; beyond it the standby is not used. */
  readonly lagSeconds: number
}

export const makeStandby = ({
  primary,
  standby,
  lagSeconds
}: StandbyOptions): Effect.Effect<Standby, SqlError.SqlError, Scope.Scope> =>
  Effect.gen(function* () {
    const pool = yield* standby
    // WAL position in bytes; 0 if the node is no longer a standby
    const positionOf = (node: Pool, expression: string) =>
      batched(async () => {
        const { rows } = await node.query(`SELECT (${expression} - '0/0')::float8 AS bytes`)
        return Number(rows[0]?.bytes)
      })
    const written = positionOf(primary, "pg_current_wal_insert_lsn()")
    const replayed = positionOf(pool, "pg_last_wal_replay_lsn()")
    const catchesUp = async (timeout: number) => {
      const wanted = await written()
      const deadline = performance.now() + timeout
      for (let delay = POLL_MIN_MILLIS; ; delay = Math.min(2 * delay, POLL_MAX_MILLIS)) {
        if ((await replayed()) >= wanted) return true
        if (performance.now() >= deadline) return false
        await Bun.sleep(delay)
      }
    }
    /** False if the standby does not answer. */
    const within = (timeout: number) =>
      Effect.promise(() => catchesUp(timeout).catch(() => false)).pipe(
        endedWithin((timeout + QUERY_TIMEOUT_MILLIS) / 1_000, () => "late" as const),
        Effect.orElseSucceed(() => false)
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
    const isUpToDate = Effect.suspend(() => (isNear === true ? within(CATCH_UP_MILLIS) : Effect.succeed(false)))
    return { pool, isUpToDate }
  })
