import { RateLimiter } from "@effect/experimental"
import { SqlClient } from "@effect/sql"
import { Duration, Effect, Layer, Schedule } from "effect"

const failed = (cause: unknown) =>
  new RateLimiter.RateLimitStoreError({ message: "The shared buckets do not answer", cause })

/**
 * Buckets that all replicas share, by the same algorithm as those in memory, in one statement on the database's own clock
 * (the replicas' may differ). The table is unlogged: after a crash of the database every bucket is full.
 */
export const SqlBuckets = Layer.scoped(
  RateLimiter.RateLimiterStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** Milliseconds until the bucket is full again, or would be if there had been room. */
    const take = (key: string, cost: number, room: number | null) =>
      sql<{ filling: number }>`
        WITH moment AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS now),
        taken AS (
          INSERT INTO rate_limit_buckets AS bucket (key, full_at)
          SELECT ${key}, now + ${cost}::double precision FROM moment
          ON CONFLICT (key) DO UPDATE
            SET full_at = greatest(bucket.full_at, excluded.full_at - ${cost}::double precision) + ${cost}::double precision
            WHERE ${room}::double precision IS NULL
              OR greatest(bucket.full_at - excluded.full_at + ${cost}::double precision, 0) + ${cost}::double precision
                 <= ${room}::double precision
          RETURNING full_at
        )
        SELECT greatest(coalesce(
          (SELECT full_at FROM taken),
          (SELECT greatest(full_at, now) + ${cost}::double precision FROM rate_limit_buckets WHERE key = ${key})
        ) - now, 0)::double precision AS filling FROM moment`.pipe(
        Effect.map(([row]) => row?.filling ?? cost),
        Effect.mapError(failed)
      )

    yield* sql`DELETE FROM rate_limit_buckets
      WHERE full_at < (extract(epoch FROM clock_timestamp()) * 1000)::double precision`.pipe(
      Effect.catchAll((error) => Effect.logWarning("full buckets stay for another minute", error)),
      Effect.repeat(Schedule.spaced("1 minute")),
      Effect.forkScoped
    )

    return RateLimiter.RateLimiterStore.of({
      tokenBucket: ({ allowOverflow, key, limit, refillRate, tokens }) => {
        const refill = Duration.toMillis(refillRate)
        return Effect.map(take(key, tokens * refill, allowOverflow ? null : limit * refill), (filling) =>
          Math.floor(limit - filling / refill)
        )
      },
      fixedWindow: ({ key, limit, refillRate, tokens }) => {
        const refill = Duration.toMillis(refillRate)
        return Effect.map(
          take(key, tokens * refill, limit === undefined ? null : limit * refill),
          (filling) => [Math.ceil(filling / refill), filling] as const
        )
      }
    })
  })
)
