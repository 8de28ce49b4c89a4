/** The content of a private prescription (AMVV §2): data only, without wording and layout. */
import { Schema } from "effect"
import { PrescriptionUid } from "../ids.ts"
import { PrescriptionPatient } from "./Prescription.ts"

const optional = Schema.NullOr(Schema.String)

export const Prescriber = Schema.Struct({
  display_name: Schema.String,
  /** E.g. "Fachärztin für Allgemeinmedizin". */
  profession: optional,
  /** Address of the practice; lines are separated by line feeds or commas. */
  address: optional,
  phone: optional,
  email: optional
})
export type Prescriber = typeof Prescriber.Type

export const SheetItem = Schema.Struct({
  product: Schema.String,
  /** Strength and form, e.g. "400 mg Filmtabletten". */
  display_name: Schema.String,
  pzn: optional,
  quantity: Schema.Number,
  /** Content of one pack in `unit`s. */
  standard_selling_unit: Schema.Number,
  unit: Schema.String,
  dosage: optional
})
export type SheetItem = typeof SheetItem.Type

export const PrescriptionSheet = Schema.Struct({
  prescription_uid: PrescriptionUid,
  /** Unix seconds; printed as a date in `timezone`. */
  issued_at: Schema.Number,
  timezone: Schema.String,
  organisation: Schema.String,
  /** Null if the doctor is unknown: the sheet then has space for the stamp. */
  prescriber: Schema.NullOr(Prescriber),
  patient: PrescriptionPatient,
  items: Schema.Array(SheetItem)
})
export type PrescriptionSheet = typeof PrescriptionSheet.Type
