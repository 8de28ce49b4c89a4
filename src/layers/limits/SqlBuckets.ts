import { SqlClient } from "@effect/sql"
import { Cause, Clock, Effect, Layer, Schedule, Schema } from "effect"
import { makeBulkhead } from "../../services/bulkhead.ts"
import { rowsOf } from "../../services/database/rows.ts"
import { type Bucket, Buckets, bucketOf, costOf, FILL_MILLIS, type Taking } from "../../services/operation/Buckets.ts"
import { withoutOwner } from "../../services/tenancy/Tenancy.ts"

/** Empty buckets that a process caches. */
const REMEMBERED_MAX = 10_000
/** Concurrent queries for one bucket. */
const AT_ONCE = 4

/**
 * Buckets shared by all replicas, with the same algorithm as those in memory, in one statement on the database's clock (clocks
 * of replicas differ). The table is unlogged: after a crash of the database every bucket is full.
 */
export const SqlBuckets = Layer.scoped(
  Buckets,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const bulkhead = makeBulkhead(AT_ONCE)
    const fillings = rowsOf(Schema.Struct({ filling: Schema.Number }))

    /**
     * Milliseconds until the bucket is full again, or would be if there had been room. After waiting for a concurrent
     * update's row lock the statement's snapshot does not include that update, so a rejection always returns more than `room`.
     */
    const take = (key: string, cost: number, room: number) =>
      fillings.one(sql`
        WITH moment AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS now),
        taken AS (
          INSERT INTO rate_limit_buckets AS bucket (key, full_at)
          SELECT ${key}, now + ${cost}::double precision FROM moment
          ON CONFLICT (key) DO UPDATE
            SET full_at = greatest(bucket.full_at, excluded.full_at - ${cost}::double precision) + ${cost}::double precision
            WHERE greatest(bucket.full_at - excluded.full_at + ${cost}::double precision, 0) + ${cost}::double precision
              <= ${room}::double precision
          RETURNING full_at
        )
        SELECT greatest(coalesce(
          (SELECT full_at - now FROM taken),
          greatest(
            (SELECT full_at - now FROM rate_limit_buckets WHERE key = ${key}) + ${cost}::double precision,
            ${room}::double precision + 1
          )
        ), 0)::double precision AS filling FROM moment`)

    yield* sql`DELETE FROM rate_limit_buckets
      WHERE full_at < (extract(epoch FROM clock_timestamp()) * 1000)::double precision`.pipe(
      Effect.catchAll((error) => Effect.logWarning("full buckets stay for another minute", error)),
      Effect.repeat(Schedule.spaced("1 minute")),
      Effect.forkScoped
    )

    /** Cache of empty buckets: Unix milliseconds until which a bucket has too few tokens. Rejected clients that retry cause no queries. */
    const empty = new Map<string, number>()
    const remember = (key: string, until: number, now: number) => {
      if (empty.size >= REMEMBERED_MAX) for (const [one, at] of empty) if (at <= now) empty.delete(one)
      if (empty.size < REMEMBERED_MAX) empty.set(key, until)
    }

    const query = Effect.fnUntraced(function* (taking: Taking) {
      const { filling } = yield* withoutOwner(take(taking.key, costOf(taking), FILL_MILLIS))
      return bucketOf(taking, filling)
    })

    const ifNotEmpty = (taking: Taking, otherwise: Effect.Effect<Bucket>) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const missing = (empty.get(taking.key) ?? 0) - now
        return missing > 0 ? Effect.succeed(bucketOf(taking, FILL_MILLIS + missing)) : otherwise
      })

    /** The latest failed query of each bucket. */
    const failures = new Map<string, { readonly at: number; readonly cause: Cause.Cause<never> }>()
    const rememberFailure = (key: string, cause: Cause.Cause<never>) =>
      Effect.map(Clock.currentTimeMillis, (at) => {
        if (Cause.isInterrupted(cause)) return
        if (failures.size >= REMEMBERED_MAX) failures.clear()
        failures.set(key, { at, cause })
      })

    const takeAndRemember = (taking: Taking) =>
      Effect.zipWith(query(taking), Clock.currentTimeMillis, (bucket, now) => {
        if (bucket.missing > 0) remember(taking.key, now + bucket.missing, now)
        return bucket
      }).pipe(Effect.tapErrorCause((cause) => rememberFailure(taking.key, cause)))

    /** Fails waiting requests with a failure that occurred while they waited, so that not each of them retries an unavailable database. */
    const ifNotFailed = (key: string, since: number, otherwise: Effect.Effect<Bucket>) =>
      Effect.suspend(() => {
        const failure = failures.get(key)
        return failure !== undefined && failure.at >= since ? Effect.failCause(failure.cause) : otherwise
      })

    return Buckets.of({
      take: (taking) => {
        // If a running query finds the bucket empty, the waiting requests are rejected without a query
        const queued = Effect.flatMap(Clock.currentTimeMillis, (since) =>
          bulkhead(taking.key)(ifNotFailed(taking.key, since, ifNotEmpty(taking, takeAndRemember(taking))))
        )
        return ifNotEmpty(taking, queued)
      }
    })
  })
)
