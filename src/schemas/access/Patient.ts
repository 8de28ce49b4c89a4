/** Patients in the management interface (Rule 12.1.7). */
import { Schema } from "effect"
import { body, Opaque, omittable, UnixSeconds } from "../fields.ts"
import { PatientUid, ShopUid } from "../ids.ts"
import { keys, pageQuery, updatedAfter } from "../paging.ts"
import { SearchText } from "../SearchText.ts"
import { StoredProfile } from "./PatientProfile.ts"

/** Prefix of the identifiers of patients who booked without a partner: their names are unverified. */
export const PUBLIC_CUSTOMER = "public:"

/** Says in the OpenAPI document what a `shop_customer_id` is. */
export const describedId = {
  description:
    "The shop's identifier of its customer, unique within the shop; null for a patient without an account there"
}
const shop_customer_id = Schema.NullOr(Opaque(255)).annotations(describedId)

/** A patient without the profile, as in events: reading the profile needs a permission. */
const identity = { uid: PatientUid, shop_uid: ShopUid, shop_customer_id }
const times = { created_at: UnixSeconds, updated_at: UnixSeconds }

export const PatientReference = Schema.Struct({ ...identity, ...times }).annotations({ identifier: "PatientReference" })

const restricted_at = Schema.NullOr(UnixSeconds).annotations({
  description: "Since when the data is stored only and not used (restriction of processing); null: it is used"
})

export const Patient = Schema.Struct({ ...identity, profile: StoredProfile, restricted_at, ...times }).annotations({
  identifier: "Patient"
})
export type Patient = typeof Patient.Type

export const PatientQuery = body({
  ...pageQuery(200, Schema.Tuple(keys.time, keys.text)),
  uids: omittable(SearchText("Only the patients with these uids, separated by commas", 10_000)),
  shop_customer_id: omittable(SearchText("The shop's name for its customer, whole")),
  email: omittable(SearchText("Mail address of the profile, whole, in upper or lower case")),
  search: omittable(
    SearchText(
      "Words, in any order, that are part of the uid, customer id, name, mail address, date of birth or telephone number"
    )
  ),
  ...updatedAfter
})
export type PatientQuery = typeof PatientQuery.Type
