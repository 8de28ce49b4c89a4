/** Conditions for appointments that end automatically; the database function `owners_with_due` has the same ones. */
import type { SqlClient } from "@effect/sql"

export const overdueOf = (sql: SqlClient.SqlClient) =>
  ({
    /** Holds that have expired. */
    expired: (now: number) => sql`status = 'held' AND hold_expires_at <= to_timestamp(${now})`,
    /** Appointments whose join window, so many seconds after their end, closed before `now`. */
    unfinished: (closedAfterEndSeconds: number, now: number) =>
      sql`status = 'confirmed' AND end_date < to_timestamp(${now - closedAfterEndSeconds})`
  }) as const
