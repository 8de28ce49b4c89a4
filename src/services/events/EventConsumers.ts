/** The port by which other domains consume events; this domain knows none of them. */
import { Context, type Effect } from "effect"
import type { NewEvent } from "../../schemas/events/catalogue.ts"
import type { EventUid } from "../../schemas/ids.ts"
import type { CurrentTenant } from "../tenancy/Tenancy.ts"

/** An event that has just been appended. */
export type AppendedEvent = NewEvent & { readonly id: EventUid }

export interface EventConsumer {
  readonly accepts: (event: AppendedEvent) => boolean
  /** Called with accepted events, all of one owner, in the transaction that appends them. */
  readonly accept: (events: ReadonlyArray<AppendedEvent>) => Effect.Effect<void, never, CurrentTenant>
}

export class EventConsumers extends Context.Tag("events/EventConsumers")<
  EventConsumers,
  ReadonlyArray<EventConsumer>
>() {}
