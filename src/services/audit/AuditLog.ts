/**
 * Records accesses in the audit log. Changes are recorded by the database, in the transaction of the change (migration 0012).
 * Section 13.1.
 */
import { Effect, FiberRef } from "effect"
import { Sql } from "../database/Sql.ts"

/** Whether a read is part of another one that is recorded: names for what a page lists. */
export const isPartOfRead = FiberRef.unsafeMake(false)

export class AuditLog extends Effect.Service<AuditLog>()("audit/AuditLog", {
  effect: Effect.map(Sql, (sql) => ({
    /**
     * Records that the current request read its owner's data or was denied. The commit does not wait for the disk: PostgreSQL writes it
     * within 0.6 seconds (Rule 13.1.13).
     */
    record: sql`SELECT audit_access(), set_config('synchronous_commit', 'off', true)`.pipe(
      Effect.orDie,
      Effect.unlessEffect(FiberRef.get(isPartOfRead)),
      Effect.asVoid
    )
  }))
}) {}
