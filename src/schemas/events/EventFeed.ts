/** The feed of an owner's events, and its query. */
import { Schema } from "effect"
import { body, described, omittable } from "../fields.ts"
import { EventUid } from "../ids.ts"
import { limitQuery } from "../paging.ts"
import { Event, EventType } from "./catalogue.ts"

export const EventFeed = Schema.Struct({
  data: described(Schema.Array(Event), "Events in order"),
  next: described(Schema.NullOr(EventUid), "Send it as `after` for what follows; null at the end")
}).annotations({ identifier: "ListEventsResponse" })

export const eventFeedQuery = {
  after: described(omittable(EventUid), "The last event that is known"),
  type: omittable(EventType.annotations({ description: "Only events of this type" })),
  limit: limitQuery(500, "Events an answer")
}
export const EventFeedQuery = body(eventFeedQuery)
export type EventFeedQuery = typeof EventFeedQuery.Type
