/** The log of what happened. An event is written in the transaction of the change that it tells of. */
import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import type { EventType } from "../../schemas/events/Event.ts"
import { DomainClock } from "../DomainClock.ts"
import { newUid } from "../uid.ts"

export type EventOwner = { readonly organisation_uid: string } | { readonly pharmacy_uid: string }

export type NewEvent = EventOwner & {
  readonly type: EventType
  /** The appointment, order or prescription that it tells of: events of one subject are delivered in order. */
  readonly subject: string
  readonly data: Readonly<Record<string, unknown>>
}

export class EventLog extends Effect.Service<EventLog>()("events/EventLog", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock

    /** Appends within the caller's transaction; outside of one it is a defect, for the event could be lost. */
    const append = Effect.fn("EventLog.append")(function* (event: NewEvent) {
      if (Option.isNone(yield* Effect.serviceOption(SqlClient.TransactionConnection)))
        return yield* Effect.dieMessage("EventLog.append needs a surrounding transaction")
      const now = yield* clock.now
      const id = yield* newUid("evt")
      const [owner_kind, owner_uid] =
        "organisation_uid" in event ? ["organisation", event.organisation_uid] : ["pharmacy", event.pharmacy_uid]
      yield* sql`INSERT INTO events (owner_uid, id, owner_kind, type, subject, data, created_at)
        VALUES (${owner_uid}, ${id}, ${owner_kind}, ${event.type}, ${event.subject},
                ${JSON.stringify(event.data)}::jsonb, to_timestamp(${now}))`.pipe(Effect.orDie)
      return id
    })
    return { append } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
