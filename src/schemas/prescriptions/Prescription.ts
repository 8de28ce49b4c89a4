/** Prescriptions in the management interface (Rule 9.2.1), and new ones. */
import { Schema } from "effect"
import { Count, described, omittable, oneOf, query, UnixSeconds } from "../fields.ts"
import type { ShopUid } from "../ids.ts"
import { DoctorUid, OrganisationUid, PatientUid, PrescriptionItemUid, PrescriptionUid, SkuUid } from "../ids.ts"
import { keys, pageQuery, updatedAfter } from "../paging.ts"
import { SearchText } from "../SearchText.ts"
import { PrescriptionStatusShown } from "./PrescriptionStates.ts"
import { Signature } from "./Signature.ts"

export const PrescriptionFile = Schema.Struct({
  url: described(Schema.String, "Signed address, valid for 5 minutes"),
  sha256: described(Schema.String, "Hexadecimal"),
  size: described(Count, "Bytes")
}).annotations({ identifier: "PrescriptionFile" })
export type PrescriptionFile = typeof PrescriptionFile.Type

export const PrescriptionItem = Schema.Struct({
  uid: PrescriptionItemUid,
  sku_uid: SkuUid,
  quantity: described(Count, "Packs"),
  dosage: described(Schema.NullOr(Schema.String), "How it is taken; null when not given"),
  anamnesis_uid: Schema.NullOr(Schema.String).annotations({
    description: "The patient's questionnaire; null for items that skip validation"
  })
})
export type PrescriptionItem = typeof PrescriptionItem.Type

export const Prescription = Schema.Struct({
  uid: PrescriptionUid,
  status: described(PrescriptionStatusShown, "Status of the prescription"),
  doctor: Schema.NullOr(
    Schema.Struct({ uid: DoctorUid, display_name: described(Schema.String, "Name of the doctor") })
  ).annotations({ description: "The prescriber; null if unknown" }),
  rendered: described(Schema.Boolean, "A PDF is available"),
  file: described(Schema.NullOr(PrescriptionFile), "The signed PDF, else the rendered one; null while there is none"),
  items: described(Schema.Array(PrescriptionItem), "Prescribed items"),
  signature: described(Schema.NullOr(Signature), "Of a PDF that came in signed; null for others"),
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}).annotations({ identifier: "Prescription" })
export type Prescription = typeof Prescription.Type

/** A prescription in the practice's list: for whom and what, without how it is taken. Rule 9.2.3. */
export const ListedPrescription = Schema.Struct({
  ...Prescription.pick("uid", "status", "doctor", "rendered").fields,
  patient: Schema.Struct({
    uid: Schema.NullOr(PatientUid),
    display_name: described(Schema.NullOr(Schema.String), "Name of the patient; null if unknown")
  }).annotations({
    description: "For whom it is; `uid` is null unless exactly one patient has the name and date of birth"
  }),
  items: Schema.Array(
    Schema.Struct({
      ...PrescriptionItem.pick("sku_uid", "quantity").fields,
      article: described(Schema.NullOr(Schema.String), "Name of the article; null if unknown")
    })
  ).annotations({ description: "The first 20 prescribed items" }),
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}).annotations({ identifier: "ListedPrescription" })
export type ListedPrescription = typeof ListedPrescription.Type

export const PrescriptionQuery = query({
  ...pageQuery(100, Schema.Tuple(keys.time, keys.text)),
  status: omittable(described(oneOf(...PrescriptionStatusShown.literals), "Only those of this status")),
  patient_uid: omittable(PatientUid),
  search: omittable(SearchText("Part of the patient's name, or the whole uid")),
  ...updatedAfter
})
export type PrescriptionQuery = typeof PrescriptionQuery.Type

/** Dosage: at most 1000 characters, which fit on the sheet. */
export const Dosage = Schema.NullOr(
  Schema.Trim.pipe(Schema.maxLength(1000, { message: () => "must be text of at most 1000 characters" }))
).annotations({
  jsonSchema: {
    description: "How it is taken; null: not stated",
    anyOf: [{ type: "string", maxLength: 1000 }, { type: "null" }]
  }
})

/** The patient, with the known fields. */
export const PrescriptionPatient = Schema.Struct({
  first_name: Schema.NullOr(Schema.String),
  last_name: Schema.NullOr(Schema.String),
  /** Unix seconds of the date of birth, as the partner sent it. */
  date_of_birth: Schema.NullOr(Schema.Number),
  gender: Schema.NullOr(Schema.Literal("male", "female", "divers"))
})
export type PrescriptionPatient = typeof PrescriptionPatient.Type

export interface NewPrescription {
  readonly uid: PrescriptionUid
  readonly organisation_uid: OrganisationUid
  readonly shop_uid: ShopUid | null
  readonly doctor_uid: DoctorUid | null
  readonly patient: PrescriptionPatient
  readonly items: ReadonlyArray<Omit<PrescriptionItem, "uid">>
}

/** A PDF in a file store. */
export const StoredFile = Schema.Struct({
  area: Schema.Literal("unsigned", "signed"),
  name: Schema.String,
  sha256: Schema.String,
  /** Bytes. Hash and size are those of the PDF; the stored object is encrypted. */
  size: Schema.Number,
  /** The id of the key that encrypts the object. */
  data_key: Schema.String
})
export type StoredFile = typeof StoredFile.Type

/** The path parameter of one prescription. */
export const PrescriptionRef = Schema.Struct({ organisation_uid: OrganisationUid, prescription_uid: PrescriptionUid })
export type PrescriptionRef = typeof PrescriptionRef.Type

/** The answer while a prescription is rendered. */
export const RenderingAccepted = Schema.Struct({
  uid: PrescriptionUid,
  message: described(Schema.String, "What has happened, as text")
})

/** The answer to a change of a prescription's status. */
const changedTo = <const S extends string>(status: S) =>
  Schema.Struct({
    uid: PrescriptionUid,
    status: described(Schema.Literal(status), "The prescription's status")
  })
export const ExternallySigned = changedTo("EXTERNALLY_SIGNED")
export const PrescriptionCancelled = changedTo("CANCELLED")
