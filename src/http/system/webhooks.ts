/** The `webhooks` of the OpenAPI document: every event, as its receivers or the feed give it. */
import { eventCatalogue } from "../../schemas/events/catalogue.ts"
import { deliveryPromise } from "../../schemas/events/Subscription.ts"

const definitions = Object.values(eventCatalogue)
type Definition = (typeof definitions)[number]

export const webhooksTag = { name: "Webhooks", description: "What subscribers receive" }

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" }
})

const isFor = ({ owners }: Definition, kind: "organisation" | "pharmacy") => owners.some((owner) => owner === kind)

/** Who gets it, and how: an event without subscribers is in the feed alone. */
const sentTo = (definition: Definition) => {
  const ways = [
    ...(definition.notification_type === undefined
      ? []
      : [`Organisations subscribe to it as \`${definition.notification_type}\`.`]),
    ...(isFor(definition, "pharmacy") ? ["Pharmacies subscribe to it by its name."] : [])
  ]
  return ways.length === 0
    ? "Sent to no subscriber: it is in the organisation's feed (`listEvents`) alone, in this form."
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
    header("webhook-signature", "`v1,…`, one for each valid secret, divided by spaces")
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
    "410": { description: "Not wanted any more: disables the subscription" }
  }
})

export const webhooks = Object.fromEntries(
  definitions.map((definition) => [definition.type, { post: operation(definition) }])
)
