/** Provisioning of prescriptions. */
import { Schema } from "effect"
import { BirthDateOrText } from "../birthDate.ts"
import { integer, Name, withDefault } from "../fields.ts"
import { Dosage } from "../prescriptions/Prescription.ts"
import { PrescriptionStatus } from "../prescriptions/PrescriptionStates.ts"
import { optional, uid } from "./tenancy.ts"

export const PrescriptionEntry = Schema.Struct({
  uid,
  organisation_uid: uid,
  shop_uid: optional(uid),
  status: PrescriptionStatus,
  doctor_uid: optional(uid),
  patient: Schema.Struct({
    first_name: Name,
    last_name: Name,
    date_of_birth: Schema.NullOr(BirthDateOrText),
    gender: Schema.NullOr(Schema.Literal("male", "female", "divers"))
  }),
  items: Schema.Array(
    Schema.Struct({
      uid: optional(uid),
      sku_uid: uid,
      quantity: integer(1, 1_000_000, "Pieces"),
      anamnesis_uid: optional(uid),
      dosage: withDefault(Dosage, null)
    })
  )
})
