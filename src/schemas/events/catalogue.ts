/**
 * Every type of event: when it is written, its owners, the schema of its `data` and an example. The parameter type of
 * `EventLog.append`, the feed, the examples of `test`, the `webhooks` of the OpenAPI document and the tables of the
 * documentation are derived from it. Capabilities add their types at start: what depends on the whole list is computed on first use.
 */
import { Schema } from "effect"
import { Actor } from "../access/Actor.ts"
import { PatientReference } from "../access/Patient.ts"
import { described, later, memberOf, omittable, storedMemberOf, UnixSeconds } from "../fields.ts"
import {
  AppointmentUid,
  type OrganisationUid,
  PharmacyOrderUid,
  type PharmacyUid,
  PrescriptionUid,
  SubscriptionUid
} from "../ids.ts"
import { PharmacyOrder } from "../pharmacy/PharmacyOrder.ts"
import { PharmacySku } from "../pharmacy/PharmacySku.ts"
import { Prescription, PrescriptionFile } from "../prescriptions/Prescription.ts"
import { IssuedActionLink } from "../scheduling/ActionLink.ts"
import { Appointment } from "../scheduling/Appointment.ts"
import { Reminder } from "../scheduling/Reminder.ts"
import { event, type OwnerKind } from "./definition.ts"
import * as example from "./exampleRecords.ts"

const actor = described(Actor, "The actor of the change")
const order = { order: PharmacyOrder }
const prescription_uid = PrescriptionUid
const file = Schema.Struct(PrescriptionFile.pick("sha256", "size").fields).annotations({
  description: "Checksum and size of the PDF; its address is in the prescription's record"
})

export const Recipient = Schema.Struct({
  role: described(Schema.Literal("patient", "doctor", "admin"), "The reminder's `recipient_role`"),
  uid: described(Schema.String, "Identifier of the patient, doctor or administrator"),
  display_name: described(Schema.String, "Name of the recipient"),
  email: described(Schema.NullOr(Schema.String), "Mail address; null when unknown"),
  phone: described(
    Schema.NullOr(Schema.String),
    "Telephone number in E.164; null when unknown, or not to be brought to it"
  )
}).annotations({ identifier: "ReminderRecipient" })
export type Recipient = typeof Recipient.Type

const core = {
  patient_doctor_meeting_updated: event("patient_doctor_meeting_updated", {
    description: "An appointment was confirmed, cancelled, completed or missed",
    owners: ["organisation"],
    notification_type: "PATIENT_DOCTOR_MEETING_UPDATED",
    data: {
      change: Schema.Literal("confirmed", "cancelled", "completed", "no_show").annotations({
        description: "The status that the appointment now has"
      }),
      appointment: Appointment,
      actor
    },
    example: { change: "confirmed", appointment: example.appointment, actor: example.actor }
  }),
  rebooked: event("rebooked", {
    description: "A confirmed appointment was moved: a new one replaces it. The previous one has no event of its own",
    owners: ["organisation"],
    notification_type: "REBOOKED",
    data: {
      appointment: Appointment,
      previous_meeting_uid: described(AppointmentUid, "The appointment that was replaced"),
      actor
    },
    example: {
      appointment: { ...example.appointment, previous_meeting_uid: "apt_example_before" },
      previous_meeting_uid: "apt_example_before",
      actor: example.actor
    }
  }),
  "scheduling.appointment_reminder_due": event("scheduling.appointment_reminder_due", {
    description: "A reminder is due: one event for each recipient",
    owners: ["organisation"],
    notification_type: "APPOINTMENT_REMINDER_DUE",
    data: {
      appointment: Appointment,
      reminder: Reminder,
      recipient: Recipient,
      visit_reason: described(Schema.NullOr(Schema.String), "Why the patient comes; null when not given"),
      action_links: Schema.NullOr(Schema.Array(IssuedActionLink)).annotations({
        description:
          "Links to join, move or cancel, for patients; empty for other recipients. In the feed null for a key with neither `scheduling:write` nor `scheduling:admin`"
      })
    },
    credentials: ["action_links"],
    example: {
      appointment: example.appointment,
      reminder: example.reminder,
      recipient: { role: "doctor", uid: "doc_example", display_name: "Dr. Example", email: null, phone: null },
      visit_reason: null,
      action_links: []
    }
  }),
  "patient.created": event("patient.created", {
    description:
      "The organisation has a new patient: by its interface, a first booking token, a booking by API key or provisioning",
    owners: ["organisation"],
    notification_type: "PATIENT_CREATED",
    data: {
      patient: described(PatientReference, "The record without its profile"),
      actor
    },
    example: { patient: example.patient, actor: example.actor }
  }),
  "subscription.failing": event("subscription.failing", {
    description:
      "A webhook subscription keeps failing: nothing was accepted for an hour or longer, once until something is accepted again; " +
      "or the receiver ended it with 410 (`active` is false)",
    owners: ["organisation", "pharmacy"],
    notification_type: "SUBSCRIPTION_FAILING",
    data: {
      subscription_uid: SubscriptionUid,
      url: described(Schema.String, "Address that deliveries are sent to"),
      active: described(Schema.Boolean, "Whether deliveries are still tried; false after 410"),
      failing_since: described(UnixSeconds, "The first failed attempt since one was accepted, Unix seconds"),
      status_code: described(Schema.NullOr(Schema.Int), "HTTP status of the last attempt; null without an answer"),
      error: described(Schema.NullOr(Schema.String), "What went wrong, as in the delivery's attempts")
    },
    example: {
      subscription_uid: "sub_example",
      url: "https://partner.example/webhooks",
      active: true,
      failing_since: 1_893_396_000,
      status_code: 503,
      error: "status 503"
    }
  }),
  "prescription.render": event("prescription.render", {
    description: "The rendering of a prescription's PDF has started",
    owners: ["organisation"],
    data: { prescription_uid, actor },
    example: { prescription_uid: "prs_example", actor: example.actor }
  }),
  "prescription.rendered": event("prescription.rendered", {
    description: "The PDF of a prescription is rendered",
    owners: ["organisation"],
    notification_type: "PRESCRIPTION_RENDERED",
    data: { prescription_uid, file },
    example: { prescription_uid: "prs_example", file: example.file }
  }),
  "pharmacy_manager.send_prescription": event("pharmacy_manager.send_prescription", {
    description: "A prescription was registered as externally signed and goes to the pharmacy",
    owners: ["organisation", "pharmacy"],
    data: {
      prescription_uid,
      prescription: Schema.Struct({
        ...Prescription.pick("uid", "status", "doctor", "items").fields,
        file
      }).annotations({
        description: "The prescription, as the pharmacy needs it"
      }),
      actor: omittable(actor),
      pharmacy_order_uid: omittable(Schema.NullOr(PharmacyOrderUid)).annotations({
        description: "For pharmacies: the order that carries it; null when there is none yet"
      })
    },
    example: { prescription_uid: "prs_example", prescription: example.prescription, pharmacy_order_uid: "pho_example" }
  }),
  "pharmacy_order.created": event("pharmacy_order.created", {
    description: "A pharmacy has a new order",
    owners: ["pharmacy"],
    data: order,
    example: { order: example.order }
  }),
  "pharmacy_order.status_updated": event("pharmacy_order.status_updated", {
    description: "An order has another status, or became paid",
    owners: ["pharmacy"],
    data: order,
    example: { order: { ...example.order, status: "accepted" } }
  }),
  "pharmacy_order.completed": event("pharmacy_order.completed", {
    description: "An order is completed",
    owners: ["pharmacy"],
    data: order,
    example: {
      order: { ...example.order, status: "completed", completed_at: example.order.created_at }
    }
  }),
  "pharmacy_sku.updated": event("pharmacy_sku.updated", {
    description: "Stock, price or external identifier of a SKU changed",
    owners: ["pharmacy"],
    data: { pharmacy_sku: PharmacySku },
    example: { pharmacy_sku: example.pharmacySku }
  })
} as const

type Core = typeof core
/** The definitions by type. A capability declares its own types here, too: `declare module`. */
export interface EventDefinitions extends Core {}
export type EventType = keyof EventDefinitions
export type EventDefinition = EventDefinitions[EventType]

export const eventCatalogue = { ...core } as EventDefinitions // capabilities add the rest

/** Adds a capability's types. Called at start, before events are read or written. */
export const addEventTypes = (added: Partial<EventDefinitions>) => {
  Object.assign(eventCatalogue, added)
}

/** Every definition, in the order of the catalogue. */
export const eventDefinitions = (): ReadonlyArray<EventDefinition> => Object.values(eventCatalogue)

const eventTypes = () => eventDefinitions().map(({ type }) => type)
/** One of the types of the catalogue. */
export const EventType = memberOf(eventTypes)
/** That of a stored event, and of a stored subscription. */
export const StoredEventType = storedMemberOf(eventTypes)

type Envelope = EventDefinition["envelope"]
/** An event as in webhooks and the feed; `type` determines the schema of `data`. */
export const Event = later(
  "Event",
  (): Schema.Schema<Envelope["Type"], Envelope["Encoded"]> =>
    Schema.Union(...eventDefinitions().map(({ envelope }) => envelope)).annotations({ identifier: "Event" })
)
export type Event = typeof Event.Type

export type EventData<T extends EventType> = EventDefinitions[T]["data"]["Type"]

interface Owners {
  readonly organisation: { readonly organisation_uid: OrganisationUid }
  readonly pharmacy: { readonly pharmacy_uid: PharmacyUid }
}
export type EventOwner = Owners[OwnerKind]

/** An event to append to the log: `data` as declared by its type, and an owner of a kind that the type allows. */
export type NewEvent = {
  readonly [T in EventType]: Owners[EventDefinitions[T]["owners"][number]] & {
    readonly type: T
    /** The appointment, order or prescription of the event: events of one subject are delivered in order. */
    readonly subject: string
    readonly data: EventData<T>
  }
}[EventType]
