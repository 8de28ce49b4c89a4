/** Deletes records that are past their retention time, in small batches, so that other statements do not wait. */
import { SqlClient } from "@effect/sql"
import { Effect, Number } from "effect"
import { DAY, HOUR } from "../../schemas/seconds.ts"
import { DomainClock } from "../DomainClock.ts"

interface RetentionRule {
  readonly table: string
  /** The column that the retention time counts from. */
  readonly since: string
  readonly seconds: number
  /** The table's primary key. */
  readonly key: ReadonlyArray<string>
  /** A condition (SQL) that keeps a row whatever its age. */
  readonly unless?: string
}

const BATCH = 2_000

/** Retention times. What is in none of these tables is part of the medical record and stays. */
export const retentionRules: ReadonlyArray<RetentionRule> = [
  {
    table: "webhook_deliveries",
    since: "created_at",
    seconds: 30 * DAY,
    key: ["owner_uid", "uid"],
    unless: "status = 'pending'"
  },
  { table: "events", since: "created_at", seconds: 30 * DAY, key: ["owner_uid", "id"] },
  { table: "messages", since: "created_at", seconds: 90 * DAY, key: ["organisation_uid", "uid"] },
  {
    table: "published_reminders",
    since: "start_date",
    seconds: DAY,
    key: ["organisation_uid", "appointment_uid", "reminder_uid", "minutes_before"]
  },
  { table: "action_links", since: "expires_at", seconds: DAY, key: ["organisation_uid", "uid"] },
  {
    table: "idempotency_keys",
    since: "created_at",
    seconds: DAY,
    key: ["owner_uid", "scope", "key"]
  },
  {
    table: "storefront_webhooks",
    since: "received_at",
    seconds: 30 * DAY,
    key: ["organisation_uid", "shop_uid", "webhook_id"]
  },
  {
    table: "meeting_dismissals",
    since: "dismissed_at",
    seconds: DAY,
    key: ["organisation_uid", "room_name", "participant_uid"]
  },
  {
    table: "appointments",
    since: "hold_expires_at",
    seconds: DAY,
    key: ["organisation_uid", "uid"],
    // what was ever confirmed is part of the medical record
    unless: "status NOT IN ('expired', 'cancelled') OR confirmed_at IS NOT NULL"
  },
  { table: "booking_sessions", since: "kept_until", seconds: DAY, key: ["organisation_uid", "uid"] },
  { table: "public_bookings", since: "created_at", seconds: HOUR, key: ["organisation_uid", "uid"] }
]

export class Retention extends Effect.Service<Retention>()("services/Retention", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock

    const deleteBatch = ({ table, since, seconds, key, unless }: RetentionRule, now: number) => {
      const columns = sql.literal(key.map((column) => `"${column}"`).join(", "))
      return sql`DELETE FROM ${sql(table)} WHERE (${columns}) IN (
          SELECT ${columns} FROM ${sql(table)} WHERE ${sql(since)} < to_timestamp(${now - seconds})
            ${unless === undefined ? sql`` : sql`AND NOT (${sql.literal(unless)})`}
          ORDER BY ${sql(since)} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
        RETURNING 1`.pipe(
        Effect.map((rows) => rows.length),
        Effect.orDie
      )
    }

    const deleteAll = Effect.fnUntraced(function* (rule: RetentionRule) {
      const now = yield* clock.now
      let deleted = 0
      for (;;) {
        const count = yield* deleteBatch(rule, now)
        deleted += count
        if (count < BATCH) return deleted
      }
    })

    /** Any number of workers may run it at the same time. Returns how many rows it deleted. */
    const deleteExpired = Effect.fn("Retention.deleteExpired")(function* () {
      return Number.sumAll(yield* Effect.forEach(retentionRules, deleteAll))
    })

    return { deleteExpired } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
