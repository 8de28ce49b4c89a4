/** The declaration of an event type; the catalogue lists the declarations, and everything else is derived from them. */
import { Schema } from "effect"
import { described, omittable, UnixSeconds } from "../fields.ts"
import { EventUid, OrganisationUid, PharmacyUid } from "../ids.ts"

/** Events, subscriptions and deliveries belong to an organisation or to a pharmacy. */
export const OwnerKind = Schema.Literal("organisation", "pharmacy")
export type OwnerKind = typeof OwnerKind.Type

export const OwnerUid = Schema.Union(OrganisationUid, PharmacyUid)
export type OwnerUid = typeof OwnerUid.Type

interface Declaration<F extends Schema.Struct.Fields, O extends OwnerKind, N extends string> {
  /** When the event is written. */
  readonly description: string
  /** The kinds of owner: the event is in their feed and sent to their webhooks. */
  readonly owners: ReadonlyArray<O>
  /** The notification type by which organisations subscribe; without one the event is only in their feed. */
  readonly notification_type?: N
  /**
   * Fields of `data`. A field that is added after a release is optional, because events that were stored earlier are
   * still read.
   */
  readonly data: F
  /** Fields of `data` that are credentials: null in the feed for keys that may not act for patients (Rule 6.5.3). */
  readonly credentials?: ReadonlyArray<keyof F & string>
  readonly example: NoInfer<Schema.Simplify<Schema.Struct.Encoded<F>>>
}

/** The schema name of an event type: `PharmacyOrderCreatedEvent` for `pharmacy_order.created`. */
const identifierOf = (type: string) =>
  `${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`

const isExample = omittable(Schema.Literal(true)).annotations({
  description: "Only in the examples that `test` sends"
})

/** An event type: the schemas of its `data` and of the envelope, with description and example. */
export const event = <
  const T extends string,
  F extends Schema.Struct.Fields,
  const O extends OwnerKind,
  const N extends string = never
>(
  type: T,
  { data: fields, description, example, credentials = [], ...rest }: Declaration<F, O, N>
) => {
  const data = Schema.Struct(fields)
  const identifier = identifierOf(type)
  const envelope = Schema.Struct({
    id: described(EventUid, "The same in every delivery of the event: `webhook-id`"),
    type: described(Schema.Literal(type), "The event's type"),
    timestamp: UnixSeconds,
    organisation_uid: omittable(OrganisationUid),
    pharmacy_uid: omittable(PharmacyUid),
    data: described(Schema.Struct({ ...fields, example: isExample }), "What the event is about")
  }).annotations({ identifier, description })
  const names: ReadonlyArray<string> = credentials
  return { type, identifier, description, data, example, envelope, credentials: names, ...rest }
}
