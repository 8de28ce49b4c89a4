/** Prescriptions at the doctor's desk: written from a list of articles, and waiting for the signature. Rules 8.4.6 and 8.4.9. */
import { Schema } from "effect"
import { body, described, integer, listOf, withDefault, withExample } from "../../../schemas/fields.ts"
import { PatientUid, SkuUid } from "../../../schemas/ids.ts"
import { Dosage, Prescription, PrescriptionItem } from "../../../schemas/prescriptions/Prescription.ts"
import { EXAMPLE_PDF, PdfInBase64 } from "../../../schemas/prescriptions/pdf.ts"

const article = described(Schema.NullOr(Schema.String), "Name of the article; null if unknown")

/** A prescription with what a doctor checks before signing: for whom it is, and what. */
export const WaitingPrescription = Schema.Struct({
  ...Prescription.fields,
  patient: Schema.Struct({
    display_name: described(Schema.NullOr(Schema.String), "Name of the patient; null if unknown"),
    date_of_birth: described(Schema.NullOr(Schema.String), "YYYY-MM-DD; null when unknown")
  }).annotations({ description: "For whom it is" }),
  items: described(Schema.Array(Schema.Struct({ ...PrescriptionItem.fields, article })), "Prescribed items")
}).annotations({ identifier: "WaitingPrescription" })
export type WaitingPrescription = typeof WaitingPrescription.Type

/** A prescription among those of a patient, with what was prescribed and by whom. */
export const PatientsPrescription = Schema.Struct({
  ...Prescription.pick("uid", "status", "doctor", "created_at").fields,
  items: described(Schema.Array(Schema.Struct({ ...PrescriptionItem.fields, article })), "Prescribed items")
}).annotations({ identifier: "PatientsPrescription" })
export type PatientsPrescription = typeof PatientsPrescription.Type

/** A PDF that was signed elsewhere. */
export const SignedFile = withExample(body({ pdf_base64: PdfInBase64 }), { pdf_base64: EXAMPLE_PDF })

export const NewWaitingPrescription = withExample(
  body({
    patient_uid: PatientUid,
    items: listOf(
      body({
        sku_uid: SkuUid,
        quantity: integer(1, 1_000, "Packs"),
        dosage: withDefault(Dosage.annotations({ description: "How it is taken; null: not stated" }), null)
      }),
      { min: 1, max: 20, description: "Prescribed articles" }
    )
  }),
  {
    patient_uid: PatientUid.make("pat_demo"),
    items: [{ sku_uid: SkuUid.make("sku_demo_ibuprofen"), quantity: 1, dosage: "1-0-1" }]
  }
)
export type NewWaitingPrescription = typeof NewWaitingPrescription.Type
