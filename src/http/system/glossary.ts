/** What fields and parameters mean, for those whose schema does not say it itself: one meaning a name, in all resources. */
const meanings: Readonly<Record<string, string>> = {
  _tag: "Which of the kinds it is",
  action: "What the link does for its patient",
  active: "Whether it counts; an inactive one stays on record",
  allow_patient_rebooking: "Whether patients may move their own appointments of this type",
  already_actioned: "Whether what the link is for has been done already",
  anamnesis_id: "The patient's questionnaire",
  appointment_type: "The type that is booked",
  appointment_type_name: "Name of the appointment type; null without one",
  attempts: "Every try so far, the first one first",
  body: "The request's body",
  booking_launch_code: "The launch code of a booking session: its only credential",
  booking_token: "The patient's booking token, where it does not come in its header",
  cancel_allowed: "Whether it can be cancelled now",
  cancellation_reason: "Why it was cancelled; null when nobody said",
  checkout_type: "How the patient comes to pay",
  clear_appointment_type: "true takes the scope away: the window counts for all types",
  clear_valid_from: "true takes the bound away",
  clear_valid_until: "true takes the bound away",
  code: "The action link's code: its only credential",
  component_type: "Which part of the payout it is",
  data: "The records",
  day_off: "true: nothing can be booked on the date",
  delivery: "How and at what price it is delivered; shown on the order",
  digital: "Whether it is delivered without a parcel",
  display_name: "Name as people read it",
  doctor: "Who prescribed; null when unknown",
  doctor_assignment_mode: "Every doctor with availability, or those with an active setting of their own alone",
  doctor_display_name: "Name of the doctor",
  doctor_name: "Name of the doctor",
  dosage: "How it is taken; null when not given",
  duration_minutes: "Minutes",
  error: "What went wrong; null when nothing did",
  event_type: "Name of the event's type",
  event_types: "Types of the events that are sent",
  external_id: "Identifier in the pharmacy's own system",
  first_name: "First name",
  gender: "Gender of the patient",
  handle: "The product's name in addresses",
  id: "The caller's own identifier of the entry",
  items: "What is prescribed",
  join_window: "Whether the room can be entered, and when it opens",
  key_id: "The secret's public name, sent as kid",
  last_name: "Last name",
  latency_ms: "Milliseconds until the answer",
  launch_url: "Address of the hosted booking page, with the launch code in it",
  lines: "What is ordered",
  meeting_format: "By video or at the practice",
  meeting_type: "What kind of consultation it is",
  message: "What has happened, in words",
  mode: "Whether something new is booked or an appointment is moved",
  name: "Name as people read it",
  notification_type: "Which events are sent",
  orders: "Orders that carry the prescription",
  organisation_uid: "The organisation",
  paid: "Whether it has been paid",
  patient: "Who the patient is",
  patient_display_name: "Name of the patient",
  patient_profile_fields: "What is known of the patient, field by field",
  permissions: "What the key may do",
  pharmacy_order_name: "Name of the order as people read it; null without one",
  prepaid: "Whether it was paid already; shown on the order",
  prescription_file: "The prescription's PDF; null without one",
  prescription_id: "The entry of prescriptions that the line belongs to",
  prescriptions: "Prescriptions by the caller's own identifiers",
  product_display_name: "Name of the product",
  product_handle: "The product's name in addresses",
  provider_route_id: "Identifier at the payment provider; null until routed",
  pzn: "Central pharmaceutical number; null without one",
  quantity: "Pieces",
  reason: "Why; null when nobody said",
  rebook_allowed: "Whether it can be moved now",
  rebooking_mode: "Whether a moved appointment stays with its doctor",
  recipient_role: "Who is reminded",
  reserved_draft_order_id: "The draft order that holds the reservation",
  return_url: "Where the patient goes afterwards; null without one",
  room_name: "Name of the video room",
  room_strategy: "One room per doctor, or one per appointment",
  routing_description: "What the payment provider was told; null until routed",
  search: "Text that is looked for",
  secret: "The secret's text; keep it safe",
  send_email: "Whether the recipient gets an e-mail",
  send_sms: "Whether the recipient gets a text message",
  sha256: "SHA-256 of the file, hexadecimal",
  shipping_address: "Where it is sent; null without one",
  shop_identifier: "The identifier that the shop is configured with",
  size: "Bytes",
  sku: "What it is, beyond this pharmacy",
  skus: "What the pharmacy has of it",
  slots: "Free slots, by start and then by doctor",
  sort_by: "Field that orders the list",
  sort_direction: "asc: the smallest first; desc: the greatest first",
  source: "Where the value comes from",
  standard_selling_unit: "How many of its unit one piece holds",
  state: "Whether it can be entered now",
  status: "Where it stands",
  status_code: "HTTP status of the answer; null without one",
  token: "Signed and short-lived",
  totalPages: "Pages of that many rows, rounded up",
  transaction: "A payment that was made already; shown on the order",
  ttl_seconds: "Seconds that the hold lasts",
  type: "Name of the event's type",
  uid: "Opaque identifier",
  unit: "What its quantity is counted in",
  url: "Address, http or https",
  value: "The field's value",
  visit_reason: "Why the patient comes; null when nobody said",
  "x-service-booking-token": "The patient's booking token",
  "x-shopify-hmac-sha256": "HMAC of the body under the shop's webhook secret, base64",
  "x-shopify-topic": "What has happened to the order",
  "x-shopify-webhook-id": "Identifier of the message; a repeated one does nothing"
}

interface Described {
  description?: string
  readonly schema?: unknown
}

const isObject = (node: unknown): node is Record<string, unknown> => typeof node === "object" && node !== null

/** Whether a schema says itself, or by the one that it names, what it means. */
export const isDescribed = (schema: unknown): boolean =>
  isObject(schema) &&
  (typeof schema.description === "string" ||
    typeof schema.$ref === "string" ||
    (Array.isArray(schema.anyOf) && schema.anyOf.some(isDescribed)))

const describe = (name: string, node: Described, schema: unknown) => {
  const meaning = meanings[name]
  if (meaning !== undefined && node.description === undefined && !isDescribed(schema)) node.description = meaning
}

/** Gives every field and parameter of a document, that has none of its own, the description that its name has. */
export const describeAll = (node: unknown): void => {
  if (!isObject(node)) return
  if (isObject(node.properties)) {
    for (const [name, schema] of Object.entries(node.properties)) describe(name, schema as Described, schema)
  }
  if (Array.isArray(node.parameters)) {
    for (const one of node.parameters) describe(one.name, one, one.schema)
  }
  for (const child of Object.values(node)) describeAll(child)
}
