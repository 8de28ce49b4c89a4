/** A patient's export and erasure (section 12.2). */
import { Record, Schema } from "effect"
import { Patient } from "../../../schemas/access/Patient.ts"
import { Event } from "../../../schemas/events/catalogue.ts"
import {
  body,
  Count,
  described,
  later,
  listOf,
  Reason,
  UnixSeconds,
  withDefault,
  withExample
} from "../../../schemas/fields.ts"
import { AppointmentUid, MessageUid, PharmacyUid, PrescriptionUid } from "../../../schemas/ids.ts"
import { Consent } from "../../../schemas/patients/Consent.ts"
import { PharmacyOrder } from "../../../schemas/pharmacy/PharmacyOrder.ts"
import { Prescription } from "../../../schemas/prescriptions/Prescription.ts"
import { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { addedAppointmentRecords, addedPatientRecords } from "../../shared/schemas/addedRecords.ts"

const ExportedMessage = Schema.Struct({
  uid: MessageUid,
  kind: described(Schema.String, "What it was about, for example `reminder` or `confirmation`"),
  channel: described(Schema.String, "`email` or `sms`"),
  appointment_uid: described(Schema.NullOr(AppointmentUid), "Null for messages about other records"),
  status: described(Schema.String, "`pending`, `sent`, `failed` or `skipped`"),
  created_at: UnixSeconds,
  sent_at: described(Schema.NullOr(UnixSeconds), "When it was sent; null: it was not")
}).annotations({ identifier: "ExportedMessage" })

export const ExportedNote = Schema.Struct({
  appointment_uid: AppointmentUid,
  note: described(Schema.String, "The doctor's own note on the appointment"),
  updated_at: UnixSeconds
}).annotations({ identifier: "ExportedNote" })

const ExportedSession = Schema.Struct({
  uid: described(Schema.String, "Opaque identifier"),
  mode: described(Schema.String, "`booking`, `rebooking`, or one that a capability adds"),
  language: described(Schema.NullOr(Schema.String), "Chosen on the page; null: none was"),
  timezone: described(Schema.NullOr(Schema.String), "Chosen on the page; null: none was"),
  return_url: described(Schema.NullOr(Schema.String), "Return URL of the booking"),
  created_at: UnixSeconds,
  expires_at: UnixSeconds
}).annotations({ identifier: "ExportedSession" })

const Json = Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

const ExportedShopOrder = Schema.Struct({
  id: described(Schema.String, "Identifier of the draft or order"),
  email: described(Schema.NullOr(Schema.String), "Mail address of the buyer"),
  phone: described(Schema.NullOr(Schema.String), "Telephone number of the buyer"),
  billing_address: described(Json, "As it was sent; null without one"),
  shipping_address: described(Json, "As it was sent; null without one"),
  attributes: described(Json, "Order attributes of the checkout"),
  created_at: UnixSeconds,
  paid_at: described(Schema.NullOr(UnixSeconds), "null: not paid")
}).annotations({ identifier: "ExportedShopOrder" })

const ExportedFile = Schema.Struct({
  name: described(Schema.String, "Name of the file, for example `prs_….pdf`"),
  sha256: described(Schema.String, "Hexadecimal"),
  url: described(Schema.String, "Signed address; whoever has it can read the file"),
  expires_at: described(UnixSeconds, "When the URL expires")
}).annotations({ identifier: "ExportedFile" })

export const ExportedOrder = Schema.Struct({
  pharmacy_uid: PharmacyUid,
  ...PharmacyOrder.omit("prescription_file", "parked_payouts").fields
}).annotations({ identifier: "ExportedOrder" })

/** The parts of an export that separate statements read. */
export const exported = { message: ExportedMessage, session: ExportedSession, shopOrder: ExportedShopOrder }

/** All stored data of a patient. */
const CoreExport = Schema.Struct({
  patient: Patient,
  appointments: described(Schema.Array(Appointment), "Every appointment and hold, by start"),
  notes: described(Schema.Array(ExportedNote), "Doctors' notes on the appointments"),
  prescriptions: described(Schema.Array(Prescription), "Prescriptions in the patient's name"),
  orders: described(Schema.Array(ExportedOrder), "Orders at pharmacies"),
  shop_orders: described(Schema.Array(ExportedShopOrder), "Drafts and orders of the embedded shop"),
  messages: described(Schema.Array(ExportedMessage), "Mails and texts; their content is not stored"),
  consents: described(Schema.Array(Consent), "Consents of the patient"),
  sessions: described(Schema.Array(ExportedSession), "Booking sessions"),
  files: described(Schema.Array(ExportedFile), "PDFs, by addresses that expire"),
  events: described(Schema.Array(Event), "Events about the patient; credentials are null"),
  exported_at: UnixSeconds
})
type Added = Readonly<Record<string, unknown>>
/** With the records of capabilities, by the names of their tables or their own. */
export const PatientExport = later(
  "PatientExport",
  () =>
    Schema.Struct({
      ...CoreExport.fields,
      ...Record.map(addedPatientRecords(), (record, table) => described(Schema.Array(record), `Records of ${table}`)),
      ...Object.fromEntries(
        addedAppointmentRecords().map((one) => [one.name, described(Schema.Array(one.record), one.description)])
      )
    }) as unknown as Schema.Schema<typeof CoreExport.Type & Added, typeof CoreExport.Encoded & Added> // what capabilities add is not known here
)
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
      count: described(Count, "Records")
    }).annotations({ identifier: "ErasedData" })
  ).annotations({ description: "What was erased" }),
  kept: Schema.Array(
    Schema.Struct({
      what: what("Kind of data that is kept, for example `treatments`"),
      count: described(Count, "Records"),
      why: described(Schema.String, "Legal basis, and how it is kept"),
      until: described(Schema.NullOr(UnixSeconds), "When it is deleted; null: see `why`")
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
