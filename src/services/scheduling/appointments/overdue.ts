/** Appointments that end by themselves: the conditions, and the statements that find whose they are. */
import type { SqlClient } from "@effect/sql"

export const overdueOf = (sql: SqlClient.SqlClient) => {
  /** Holds whose lifetime is over. */
  const lapsed = (now: number) => sql`status = 'held' AND hold_expires_at <= to_timestamp(${now})`
  /** Appointments whose join window, so many seconds after their end, closed before `now`. */
  const unfinished = (closedAfterEndSeconds: number, now: number) =>
    sql`status = 'confirmed' AND end_date < to_timestamp(${now - closedAfterEndSeconds})`
  return {
    lapsed,
    unfinished,
    lapsedOwners: (now: number) =>
      sql`SELECT DISTINCT organisation_uid AS owner FROM appointments WHERE ${lapsed(now)}`,
    unfinishedOwners: (closedAfterEndSeconds: number, now: number) =>
      sql`SELECT DISTINCT organisation_uid AS owner FROM appointments WHERE ${unfinished(closedAfterEndSeconds, now)}`
  } as const
}
