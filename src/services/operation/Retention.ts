/** Deletes what is past its keeping time, a little at a time, so that nobody has to wait for it. */

import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { DAY } from "../../schemas/seconds.ts"
import { DomainClock } from "../DomainClock.ts"

interface Keeping {
  readonly table: string
  /** The column whose time counts. */
  readonly since: string
  readonly seconds: number
  /** Rows of an owner are addressed by these, the table's key. */
  readonly key: ReadonlyArray<string>
  /** What keeps a row however old it is. */
  readonly unless?: string
}

const BATCH = 2_000

/** What is kept for how long. Everything else is part of the record and stays. */
export const keepings: ReadonlyArray<Keeping> = [
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
    key: ["organisation_uid", "appointment_uid", "reminder_uid"]
  },
  { table: "action_links", since: "expires_at", seconds: DAY, key: ["organisation_uid", "uid"] },
  {
    table: "idempotency_keys",
    since: "created_at",
    seconds: DAY,
    key: ["organisation_uid", "scope", "key"]
  },
  {
    table: "storefront_webhooks",
    since: "received_at",
    seconds: 30 * DAY,
    key: ["organisation_uid", "shop_uid", "webhook_id"]
  },
  { table: "booking_sessions", since: "expires_at", seconds: DAY, key: ["organisation_uid", "uid"] }
]

export class Retention extends Effect.Service<Retention>()("services/Retention", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock

    const deleteBatch = ({ table, since, seconds, key, unless }: Keeping, now: number) => {
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

    const deleteAll = Effect.fnUntraced(function* (keeping: Keeping) {
      const now = yield* clock.now
      while ((yield* deleteBatch(keeping, now)) === BATCH);
    })

    /** Any number of workers may do it at once. */
    const deleteExpired = Effect.fn("Retention.deleteExpired")(function* () {
      yield* Effect.forEach(keepings, deleteAll, { discard: true })
    })

    return { deleteExpired } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
