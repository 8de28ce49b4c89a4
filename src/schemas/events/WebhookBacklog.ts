/** Deliveries of a subscription that wait or were given up. */
import { Schema } from "effect"
import { Count, described, UnixSeconds } from "../fields.ts"

export const WebhookBacklog = Schema.Struct({
  owner_uid: described(Schema.String, "The organisation's or the pharmacy's uid"),
  subscription_uid: described(Schema.String, "Identifier of the subscription"),
  url: described(Schema.String, "URL of its receiver"),
  active: described(Schema.Boolean, "Whether it takes new deliveries"),
  pending: described(Count, "Deliveries that wait for their first or a further attempt"),
  failed: described(Count, "Deliveries that were given up and are kept"),
  oldest_at: described(Schema.NullOr(UnixSeconds), "Event of the oldest pending one; null without one")
}).annotations({ identifier: "WebhookBacklog" })
export type WebhookBacklog = typeof WebhookBacklog.Type
