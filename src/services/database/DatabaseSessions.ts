/**
 * The database by sessions of one's own, which a pooler in transaction mode does not give: for notifications, and for locks
 * that outlive a statement.
 */
import type { PgClient } from "@effect/sql-pg"
import { Context } from "effect"

export class DatabaseSessions extends Context.Tag("services/DatabaseSessions")<
  DatabaseSessions,
  Pick<PgClient.PgClient, "listen" | "reserve">
>() {}
