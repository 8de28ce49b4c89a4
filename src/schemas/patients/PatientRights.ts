/** A patient's export and erasure (section 12.2). */
import { Schema } from "effect"
import { Patient } from "../access/Patient.ts"
import { Event } from "../events/catalogue.ts"
import { body, Count, listOf, Reason, UnixSeconds, withDefault, withExample } from "../fields.ts"
import { AppointmentUid, MessageUid, PharmacyUid, PrescriptionUid } from "../ids.ts"
import { PharmacyOrder } from "../pharmacy/PharmacyOrder.ts"
import { Prescription } from "../prescriptions/Prescription.ts"
import { Appointment } from "../scheduling/Appointment.ts"
import { Recall } from "../scheduling/Recall.ts"
import { EntryOffer, WaitlistEntry } from "../scheduling/Waitlist.ts"
import { Consent } from "./Consent.ts"

const ExportedMessage = Schema.Struct({
  uid: MessageUid,
  kind: Schema.String.annotations({ description: "What it was about, for example `reminder` or `confirmation`" }),
  channel: Schema.String.annotations({ description: "`email` or `sms`" }),
  appointment_uid: Schema.NullOr(AppointmentUid).annotations({ description: "Null for messages about other records" }),
  status: Schema.String.annotations({ description: "`pending`, `sent`, `failed` or `skipped`" }),
  created_at: UnixSeconds,
  sent_at: Schema.NullOr(UnixSeconds).annotations({ description: "When it was sent; null: it was not" })
}).annotations({ identifier: "ExportedMessage" })

export const ExportedNote = Schema.Struct({
  appointment_uid: AppointmentUid,
  note: Schema.String.annotations({ description: "The doctor's own note on the appointment" }),
  updated_at: UnixSeconds
}).annotations({ identifier: "ExportedNote" })

const ExportedSession = Schema.Struct({
  uid: Schema.String.annotations({ description: "Opaque identifier" }),
  mode: Schema.String.annotations({ description: "`booking` or `rebooking`" }),
  language: Schema.NullOr(Schema.String).annotations({ description: "Chosen on the page; null: none was" }),
  timezone: Schema.NullOr(Schema.String).annotations({ description: "Chosen on the page; null: none was" }),
  return_url: Schema.NullOr(Schema.String).annotations({ description: "Return URL of the booking" }),
  created_at: UnixSeconds,
  expires_at: UnixSeconds
}).annotations({ identifier: "ExportedSession" })

const Json = Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

const ExportedShopOrder = Schema.Struct({
  id: Schema.String.annotations({ description: "Identifier of the draft or order" }),
  email: Schema.NullOr(Schema.String).annotations({ description: "Mail address of the buyer" }),
  phone: Schema.NullOr(Schema.String).annotations({ description: "Telephone number of the buyer" }),
  billing_address: Json.annotations({ description: "As it was sent; null without one" }),
  shipping_address: Json.annotations({ description: "As it was sent; null without one" }),
  attributes: Json.annotations({ description: "Order attributes of the checkout" }),
  created_at: UnixSeconds,
  paid_at: Schema.NullOr(UnixSeconds).annotations({ description: "null: not paid" })
}).annotations({ identifier: "ExportedShopOrder" })

const ExportedFile = Schema.Struct({
  name: Schema.String.annotations({ description: "Name of the file, for example `prs_….pdf`" }),
  sha256: Schema.String.annotations({ description: "Hexadecimal" }),
  url: Schema.String.annotations({ description: "Signed address; whoever has it can read the file" }),
  expires_at: UnixSeconds.annotations({ description: "When the URL expires" })
}).annotations({ identifier: "ExportedFile" })

export const ExportedInstruction = Schema.Struct({
  appointment_uid: AppointmentUid,
  instruction: Schema.NullOr(Schema.String).annotations({ description: "As sent; null: none was" }),
  related_person: Schema.NullOr(Schema.String).annotations({
    description: "Who booked for the patient: a RelatedPerson, as JSON; null: nobody else",
    examples: ['{"resourceType":"RelatedPerson","name":[{"family":"Example","given":["Erika"]}]}']
  })
}).annotations({ identifier: "ExportedInstruction" })

export const ExportedOrder = Schema.Struct({
  pharmacy_uid: PharmacyUid,
  ...PharmacyOrder.omit("prescription_file", "parked_payouts").fields
}).annotations({ identifier: "ExportedOrder" })

const ExportedWaitlistEntry = Schema.Struct({
  ...WaitlistEntry.fields,
  offers: Schema.Array(EntryOffer).annotations({ description: "Times that were offered" })
}).annotations({ identifier: "ExportedWaitlistEntry" })

/** The parts of an export that separate statements read. */
export const exported = { message: ExportedMessage, session: ExportedSession, shopOrder: ExportedShopOrder }

/** All stored data of a patient. */
export const PatientExport = Schema.Struct({
  patient: Patient,
  appointments: Schema.Array(Appointment).annotations({ description: "Every appointment and hold, by start" }),
  notes: Schema.Array(ExportedNote).annotations({ description: "Doctors' notes on the appointments" }),
  instructions: Schema.Array(ExportedInstruction).annotations({
    description: "Instructions for the patient, and who booked for them, as booked by FHIR"
  }),
  prescriptions: Schema.Array(Prescription).annotations({ description: "Prescriptions in the patient's name" }),
  orders: Schema.Array(ExportedOrder).annotations({ description: "Orders at pharmacies" }),
  shop_orders: Schema.Array(ExportedShopOrder).annotations({ description: "Drafts and orders of the embedded shop" }),
  messages: Schema.Array(ExportedMessage).annotations({ description: "Mails and texts; their content is not stored" }),
  waitlist_entries: Schema.Array(ExportedWaitlistEntry).annotations({ description: "What the patient waited for" }),
  recalls: Schema.Array(Recall).annotations({ description: "Requests to come again" }),
  consents: Schema.Array(Consent).annotations({ description: "Consents of the patient" }),
  sessions: Schema.Array(ExportedSession).annotations({ description: "Booking sessions" }),
  files: Schema.Array(ExportedFile).annotations({ description: "PDFs, by addresses that expire" }),
  events: Schema.Array(Event).annotations({ description: "Events about the patient; credentials are null" }),
  exported_at: UnixSeconds
}).annotations({ identifier: "PatientExport" })
export type PatientExport = typeof PatientExport.Type

export const NewErasure = withExample(
  body({
    reason: Reason.annotations({
      description: "Why, for the record; kept sealed",
      examples: ["The patient asked for it"]
    }),
    prescription_uids: withDefault(
      listOf(PrescriptionUid, {
        max: 1_000,
        description: "Prescriptions of the patient in another name or spelling, erased as well"
      }),
      []
    )
  }),
  { reason: "The patient asked for it" }
)
export type NewErasure = typeof NewErasure.Type

const what = (description: string) => Schema.String.annotations({ description })

/** The result of an erasure. */
export const Erased = Schema.Struct({
  erased_at: UnixSeconds,
  erased: Schema.Array(
    Schema.Struct({
      what: what("Kind of data that is gone, for example `profile`"),
      count: Count.annotations({ description: "Records" })
    }).annotations({ identifier: "ErasedData" })
  ).annotations({ description: "What was erased" }),
  kept: Schema.Array(
    Schema.Struct({
      what: what("Kind of data that is kept, for example `treatments`"),
      count: Count.annotations({ description: "Records" }),
      why: Schema.String.annotations({ description: "Legal basis, and how it is kept" }),
      until: Schema.NullOr(UnixSeconds).annotations({ description: "When it is deleted; null: see `why`" })
    }).annotations({ identifier: "KeptData" })
  ).annotations({ description: "What is kept, why and until when" })
}).annotations({ identifier: "Erased" })
export type Erased = typeof Erased.Type

export const Restriction = body({
  restricted: Schema.Boolean.annotations({
    message: () => "must be true or false",
    description: "Whether the patient's data is stored only and not used"
  })
})
