/** The `webhooks` of the OpenAPI document: every event, as sent to subscribers or shown in the feed. */
import { type EventDefinition, eventDefinitions } from "../../../../schemas/events/catalogue.ts"
import { deliveryPromise } from "../../../../schemas/events/Subscription.ts"

type Definition = EventDefinition

export const webhooksTag = { name: "Webhooks", description: "What subscribers receive" }

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" }
})

const isFor = ({ owners }: Definition, kind: "organisation" | "pharmacy") => owners.some((owner) => owner === kind)

/** Describes an event's subscribers; an event without them is only in the feed. */
const sentTo = (definition: Definition) => {
  const ways = [
    ...(definition.notification_type === undefined
      ? []
      : [`Organisations subscribe to it as \`${definition.notification_type}\`.`]),
    ...(isFor(definition, "pharmacy") ? ["Pharmacies subscribe to it by its name."] : [])
  ]
  return ways.length === 0
    ? "Not sent to subscribers: it is only in the organisation's feed (`listEvents`), in this form."
    : [...ways, deliveryPromise].join(" ")
}

const example = ({ type, owners: [owner], example: data }: Definition) => ({
  id: "evt_example",
  type,
  timestamp: 1_893_400_000,
  ...(owner === "pharmacy" ? { pharmacy_uid: "pha_example" } : { organisation_uid: "org_example" }),
  data
})

const operation = (definition: Definition) => ({
  operationId: `on${definition.identifier}`,
  tags: [webhooksTag.name],
  summary: definition.description,
  description: sentTo(definition),
  security: [],
  parameters: [
    header("webhook-id", "The event's id, the same in every attempt"),
    header("webhook-timestamp", "When the attempt was made, Unix seconds"),
    header("webhook-signature", "`v1,…`, one for each valid secret, separated by spaces")
  ],
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: { $ref: `#/components/schemas/${definition.identifier}` },
        example: example(definition)
      }
    }
  },
  responses: {
    "2XX": { description: "Received" },
    "410": { description: "No longer wanted: disables the subscription" }
  }
})

export const webhooks = () =>
  Object.fromEntries(eventDefinitions().map((definition) => [definition.type, { post: operation(definition) }]))
