/** Patients as the management interface makes and changes them (Rule 12.1.7). */
import { Schema } from "effect"
import { describedId } from "../../../schemas/access/Patient.ts"
import { PatientProfile } from "../../../schemas/access/PatientProfile.ts"
import { body, CustomerId, changes, withDefault, withExample } from "../../../schemas/fields.ts"
import { ShopUid } from "../../../schemas/ids.ts"

const sent_customer_id = Schema.NullOr(CustomerId).annotations(describedId)
const exampleProfile = { first_name: "Ada", last_name: "Example", email: "ada@example.org", language: "en" }

export const NewPatient = withExample(
  body({
    shop_uid: ShopUid,
    shop_customer_id: withDefault(sent_customer_id, null),
    profile: withDefault(PatientProfile, {})
  }),
  { shop_uid: "shop_demo", shop_customer_id: "customer-example", profile: exampleProfile }
)
export type NewPatient = typeof NewPatient.Type

export const PatientChanges = withExample(
  changes({
    shop_customer_id: sent_customer_id,
    profile: PatientProfile
  }),
  { profile: { phone: "+49 30 0000000" } }
)
export type PatientChanges = typeof PatientChanges.Type
