import type { Sql } from "../../database/Sql.ts"
/** Conditions for appointments that end automatically; the database function `owners_with_due` has the same ones. */

export const overdueOf = (sql: Sql) =>
  ({
    /** Holds that have expired. */
    expired: (now: number) => sql`status = 'held' AND hold_expires_at <= to_timestamp(${now})`,
    /** Appointments whose join window, so many seconds after their end, closed before `now`. */
    unfinished: (closedAfterEndSeconds: number, now: number) =>
      sql`status = 'confirmed' AND end_date < to_timestamp(${now - closedAfterEndSeconds})`
  }) as const
