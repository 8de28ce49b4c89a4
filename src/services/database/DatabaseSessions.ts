/** Connections to the database that bypass a pooler in transaction mode: for LISTEN, and for locks that outlive a statement. */
import type { PgClient } from "@effect/sql-pg"
import { Context } from "effect"

export class DatabaseSessions extends Context.Tag("services/DatabaseSessions")<
  DatabaseSessions,
  Pick<PgClient.PgClient, "listen" | "reserve">
>() {}
