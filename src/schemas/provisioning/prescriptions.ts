/** Provisioning of prescriptions. */
import { Schema } from "effect"
import { integer, Name, UnixSeconds, withDefault } from "../fields.ts"
import { optional, uid } from "./tenancy.ts"

export const PrescriptionEntry = Schema.Struct({
  uid,
  organisation_uid: uid,
  shop_uid: optional(uid),
  status: Schema.Literal("WAITING_FOR_DOCTOR", "EXTERNALLY_SIGNED", "SIGNED", "DISPATCHED", "COMPLETED", "CANCELLED"),
  doctor_uid: optional(uid),
  patient: Schema.Struct({
    first_name: Name,
    last_name: Name,
    date_of_birth: Schema.NullOr(Schema.Union(UnixSeconds, Schema.Int)),
    gender: Schema.NullOr(Schema.Literal("male", "female", "divers"))
  }),
  items: Schema.Array(
    Schema.Struct({
      uid: optional(uid),
      sku_uid: uid,
      quantity: integer(1, 1_000_000, "Pieces"),
      anamnesis_uid: optional(uid),
      dosage: withDefault(Schema.NullOr(Name), null)
    })
  )
})
