/** Staff who are signed in: what their token claims, and who they are in a role. */
import { Schema } from "effect"
import type { DoctorUid, OrganisationUid, PharmacyGroupUid, PharmacyUid } from "../ids.ts"
import type { Actor, Role } from "./Actor.ts"
import type { PracticeRole } from "./PracticeRole.ts"

/** The identity claims of a verified token, as stored in a session of staff. */
export const StaffClaims = Schema.Struct({
  subject: Schema.String,
  roles: Schema.Array(Schema.String),
  organisation_uid: Schema.NullOr(Schema.String),
  doctor_uid: Schema.NullOr(Schema.String),
  pharmacy_uid: Schema.NullOr(Schema.String),
  pharmacy_group_uid: Schema.NullOr(Schema.String),
  /** The person's name at the provider; null if unknown. */
  name: Schema.NullOr(Schema.String),
  /** The mail address by which the person signed in, where there is no provider. */
  email: Schema.optional(Schema.String)
})
export type StaffClaims = typeof StaffClaims.Type

/** A person in one role. Fields that the role does not have are null. */
export interface StaffMember {
  readonly role: Role
  readonly actor: Actor
  /** What the person may do in the practice's workspace; null in other roles. */
  readonly practice_role: PracticeRole | null
  /** Name of the doctor, the practice, the pharmacy or the group; null for operators. */
  readonly name: string | null
  readonly organisation_uid: OrganisationUid | null
  readonly doctor_uid: DoctorUid | null
  /** IANA zone of the doctor, without one that of the organisation; null in other roles. */
  readonly timezone: string | null
  readonly pharmacy_uid: PharmacyUid | null
  readonly pharmacy_group_uid: PharmacyGroupUid | null
}
