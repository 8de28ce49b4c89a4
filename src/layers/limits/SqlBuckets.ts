import { SqlClient } from "@effect/sql"
import { Clock, Effect, Layer, Schedule, Schema } from "effect"
import { rowsOf } from "../../services/database/rows.ts"
import { Buckets, bucketOf, termsOf } from "../../services/operation/Buckets.ts"

/** Buckets that a process remembers as empty. */
const REMEMBERED_MAX = 10_000

/**
 * Buckets that all replicas share, by the same algorithm as those in memory, in one statement on the database's own clock
 * (the replicas' clocks may differ). The table is unlogged: after a crash of the database every bucket is full.
 */
export const SqlBuckets = Layer.scoped(
  Buckets,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const fillings = rowsOf(Schema.Struct({ filling: Schema.Number }))

    /**
     * Milliseconds until the bucket is full again, or would be if there had been room. A statement that had to wait for
     * another one's row does not see it: what was refused for lack of room is never told to have had some.
     */
    const take = (key: string, cost: number, room: number | null) =>
      fillings.one(sql`
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

    /** By bucket until when it had too few tokens for a request, in milliseconds of real time: who is refused again and again asks no database. */
    const empty = new Map<string, number>()
    const remember = (key: string, until: number, now: number) => {
      if (empty.size >= REMEMBERED_MAX) for (const [one, at] of empty) if (at <= now) empty.delete(one)
      if (empty.size < REMEMBERED_MAX) empty.set(key, until)
    }

    return Buckets.of({
      take: Effect.fnUntraced(function* (taking) {
        const { cost, room } = termsOf(taking)
        const isRequest = taking.overdraw === undefined && taking.tokens === 1
        const missing = isRequest ? (empty.get(taking.key) ?? 0) - (yield* Clock.currentTimeMillis) : 0
        if (missing > 0) return bucketOf(taking, room + missing)
        empty.delete(taking.key)
        const { filling } = yield* take(taking.key, cost, Number.isFinite(room) ? room : null)
        const bucket = bucketOf(taking, filling)
        const now = yield* Clock.currentTimeMillis
        if (isRequest && bucket.missing > 0) remember(taking.key, now + bucket.missing, now)
        return bucket
      })
    })
  })
)
