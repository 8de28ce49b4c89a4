import type { Statement } from "@effect/sql"
import type { Sql } from "../../../../services/database/Sql.ts"

/** Mails and text messages that wait; those since this second that failed, and when the last of them was sent. */
export const messageCounts = (
  sql: Sql,
  since: number,
  of: Statement.Fragment
) => sql`SELECT waiting, failed, last_sent_at
  FROM (SELECT count(*) AS waiting FROM messages WHERE status = 'pending' AND ${of}) pending,
    (SELECT count(*) FILTER (WHERE status = 'failed') AS failed, floor(extract(epoch FROM max(sent_at)))::bigint AS last_sent_at
      FROM messages WHERE created_at > to_timestamp(${since}) AND ${of}) recent`
