/** Provisioning of prescriptions. */
import { Schema } from "effect"
import { BirthDateOrText } from "../birthDate.ts"
import { integer, Name, named, Opaque, withDefault } from "../fields.ts"
import { PrescriptionItemUid, PrescriptionUid, SkuUid } from "../ids.ts"
import { Dosage } from "../prescriptions/Prescription.ts"
import { PrescriptionStatus } from "../prescriptions/PrescriptionStates.ts"
import { doctor_uid, optional, organisation_uid, shop_uid } from "./tenancy.ts"

export const PrescriptionEntry = Schema.Struct({
  uid: named(PrescriptionUid),
  organisation_uid,
  shop_uid: optional(shop_uid),
  status: PrescriptionStatus,
  doctor_uid: optional(doctor_uid),
  patient: Schema.Struct({
    first_name: Name,
    last_name: Name,
    date_of_birth: Schema.NullOr(BirthDateOrText),
    gender: Schema.NullOr(Schema.Literal("male", "female", "divers"))
  }),
  items: Schema.Array(
    Schema.Struct({
      uid: optional(named(PrescriptionItemUid)),
      sku_uid: named(SkuUid),
      quantity: integer(1, 1_000_000, "Pieces"),
      anamnesis_uid: optional(Opaque(255)),
      dosage: withDefault(Dosage, null)
    })
  )
})
export type PrescriptionEntry = typeof PrescriptionEntry.Type
