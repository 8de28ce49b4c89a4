/** Merging two records of one person. Rule 12.1.25. */
import { Schema } from "effect"
import { Patient } from "../../../schemas/access/Patient.ts"
import { DomainError } from "../../../schemas/DomainError.ts"
import { body, Count, described, Flag, later, withDefault, withExample } from "../../../schemas/fields.ts"
import { PatientUid } from "../../../schemas/ids.ts"
import { addedPatientRecords } from "../../shared/schemas/addedRecords.ts"

/** Two records cannot be one: each has an account of its own at the shop. */
export class BothHaveAccounts extends DomainError(
  "BothHaveAccounts",
  "Both records have an account at the shop: merge the accounts there, and clear shop_customer_id of one of them"
) {}

export const NewMerge = withExample(
  body({
    into: described(PatientUid, "The record that stays"),
    dry_run: withDefault(Flag.annotations({ description: "Change nothing: return what would be the result" }), false)
  }),
  { into: "pat_demo_2", dry_run: true }
)
export type NewMerge = typeof NewMerge.Type

/** What a merge moves to the record that stays, by its name in responses. */
const coreKinds = ["appointments", "prescriptions", "orders", "consents", "messages"] as const
/** The same with the records of capabilities. */
export const mergedKinds = (): ReadonlyArray<string> => [...coreKinds, ...Object.keys(addedPatientRecords())]

export const Merged = Schema.Struct({
  patient: described(Patient, "The record that stays, as it is after the merge"),
  merged_patient_uid: described(PatientUid, "The record that is gone"),
  moved: described(
    later("MovedRecords", () => Schema.Struct(Object.fromEntries(mergedKinds().map((kind) => [kind, Count])))),
    "How many records of each kind belong to the other record now"
  )
}).annotations({ identifier: "MergedPatient" })
export type Merged = typeof Merged.Type
