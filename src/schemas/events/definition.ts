/** How an event type is declared: the catalogue lists the declarations, everything else is derived from them. */
import { Schema } from "effect"
import { UnixSeconds } from "../fields.ts"
import { EventUid, OrganisationUid, PharmacyUid } from "../ids.ts"

/** Events, their subscriptions and their deliveries belong to an organisation or to a pharmacy. */
export const OwnerKind = Schema.Literal("organisation", "pharmacy")
export type OwnerKind = typeof OwnerKind.Type

export const OwnerUid = Schema.Union(OrganisationUid, PharmacyUid)
export type OwnerUid = typeof OwnerUid.Type

interface Declaration<F extends Schema.Struct.Fields, O extends OwnerKind, N extends string> {
  /** When the event is written. */
  readonly description: string
  /** Whose events they are: their feed, their webhooks. */
  readonly owners: ReadonlyArray<O>
  /** What organisations subscribe to it by; without one it is in their feed alone. */
  readonly notification_type?: N
  /**
   * Fields of `data`. A field that is added after a release is optional, because events that were stored before it are
   * still read.
   */
  readonly data: F
  /** Fields of `data` that are credentials: stored sealed, opened for receivers. Their example value is stored in place. */
  readonly credentials?: ReadonlyArray<keyof F & string>
  readonly example: NoInfer<Schema.Simplify<Schema.Struct.Encoded<F>>>
}

/** `pharmacy_order.created` as a name of a schema: `PharmacyOrderCreatedEvent`. */
const identifierOf = (type: string) =>
  `${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`

const isExample = Schema.optionalWith(Schema.Literal(true), { exact: true }).annotations({
  description: "Only in the examples that `test` sends"
})

/** An event type: the schema of its `data` and of the envelope that receivers get, with description and example. */
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
    id: EventUid.annotations({ description: "The same in every delivery of the event: `webhook-id`" }),
    type: Schema.Literal(type).annotations({ description: "The event's type" }),
    timestamp: UnixSeconds,
    organisation_uid: Schema.optionalWith(OrganisationUid, { exact: true }),
    pharmacy_uid: Schema.optionalWith(PharmacyUid, { exact: true }),
    data: Schema.Struct({ ...fields, example: isExample }).annotations({ description: "What the event is about" })
  }).annotations({ identifier, description })
  const names: ReadonlyArray<string> = credentials
  return { type, identifier, description, data, example, envelope, credentials: names, ...rest }
}
