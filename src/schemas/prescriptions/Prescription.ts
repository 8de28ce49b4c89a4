/** Prescriptions as the management interface shows them (specification §2.11) and as they come into being. */
import { Schema } from "effect"
import { UnixSeconds } from "../fields.ts"
import type { OrganisationUid, ShopUid } from "../ids.ts"
import { DoctorUid, PrescriptionUid, SkuUid } from "../ids.ts"
import { PrescriptionStatusShown } from "./PrescriptionStates.ts"
import { Signature } from "./Signature.ts"

export const PrescriptionFile = Schema.Struct({
  url: Schema.String.annotations({ description: "Signed address, valid for 5 minutes" }),
  sha256: Schema.String.annotations({ description: "Hexadecimal" }),
  size: Schema.Number.annotations({ description: "Bytes" })
}).annotations({ identifier: "PrescriptionFile" })
export type PrescriptionFile = typeof PrescriptionFile.Type

export const PrescriptionItem = Schema.Struct({
  uid: Schema.String,
  sku_uid: SkuUid,
  quantity: Schema.Number.annotations({ description: "Packs" }),
  dosage: Schema.NullOr(Schema.String),
  anamnesis_uid: Schema.NullOr(Schema.String).annotations({
    description: "The patient's questionnaire; null for items that skip validation"
  })
})
export type PrescriptionItem = typeof PrescriptionItem.Type

export const Prescription = Schema.Struct({
  uid: PrescriptionUid,
  status: PrescriptionStatusShown,
  doctor: Schema.NullOr(Schema.Struct({ uid: DoctorUid, display_name: Schema.String })),
  rendered: Schema.Boolean.annotations({ description: "A PDF is available" }),
  file: Schema.NullOr(PrescriptionFile).annotations({
    description: "The signed PDF, else the rendered one; null while there is none"
  }),
  items: Schema.Array(PrescriptionItem),
  signature: Schema.NullOr(Signature).annotations({ description: "Of a PDF that came in signed; null for others" }),
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}).annotations({ identifier: "Prescription" })
export type Prescription = typeof Prescription.Type

/** What to take when: at most 1000 characters, which still fit on the sheet. */
export const Dosage = Schema.NullOr(
  Schema.Trim.pipe(Schema.maxLength(1000, { message: () => "must be text of at most 1000 characters" }))
)

/** Who it is for, as far as it is known. */
export interface PrescriptionPatient {
  readonly first_name: string | null
  readonly last_name: string | null
  /** Unix seconds of the day of birth, as the partner sent it. */
  readonly date_of_birth: number | null
  readonly gender: "male" | "female" | "divers" | null
}

export interface NewPrescription {
  readonly uid: PrescriptionUid
  readonly organisation_uid: OrganisationUid
  readonly shop_uid: ShopUid | null
  readonly doctor_uid: DoctorUid | null
  readonly patient: PrescriptionPatient
  readonly items: ReadonlyArray<NewPrescriptionItem>
}

export interface NewPrescriptionItem {
  readonly sku_uid: SkuUid
  readonly quantity: number
  readonly dosage: string | null
  readonly anamnesis_uid: string | null
}

/** A PDF that lies in a file store. */
export interface StoredFile {
  readonly area: "unsigned" | "signed"
  readonly name: string
  readonly sha256: string
  readonly size: number
}

/** Names one prescription. */
export interface PrescriptionRef {
  readonly organisation_uid: OrganisationUid
  readonly prescription_uid: PrescriptionUid
}
