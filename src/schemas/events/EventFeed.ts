/** The feed of an owner's events, and its query. */
import { Schema } from "effect"
import { body, described, queryInteger, withDefault } from "../fields.ts"
import { EventUid } from "../ids.ts"
import { Event, EventType } from "./catalogue.ts"

export const EventFeed = Schema.Struct({
  data: described(Schema.Array(Event), "Events in order"),
  next: described(Schema.NullOr(EventUid), "Send it as `after` for what follows; null at the end")
})

export const eventFeedQuery = {
  after: described(Schema.optionalWith(EventUid, { exact: true }), "The last event that is known"),
  type: Schema.optionalWith(EventType.annotations({ description: "Only events of this type" }), { exact: true }),
  limit: withDefault(
    queryInteger(1, Number.MAX_SAFE_INTEGER, "Events an answer; more than 500 is reduced to 500").pipe(
      Schema.transform(Schema.Number, { strict: true, decode: (n) => Math.min(n, 500), encode: (n) => n })
    ),
    50
  )
}
export const EventFeedQuery = body(eventFeedQuery)
export type EventFeedQuery = typeof EventFeedQuery.Type
