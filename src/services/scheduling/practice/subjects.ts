/** Whose hours rules and date overrides are: a doctor's, or a resource's. Exactly one column of a row is set. */
import { Effect } from "effect"
import type { DoctorUid, OrganisationUid, ResourceUid } from "../../../schemas/ids.ts"
import type { DoctorNotFound, ResourceNotFound } from "../../../schemas/scheduling/errors.ts"
import type { CurrentTenant } from "../../tenancy/Tenancy.ts"
import { Doctors } from "./Doctors.ts"
import { Resources } from "./Resources.ts"

export interface HoursOf<Uid extends string, E, R> {
  readonly column: "doctor_uid" | "resource_uid"
  readonly noun: string
  /** The doctors whose free time its hours decide on; undefined: any. */
  readonly doctors: (uid: Uid) => ReadonlyArray<DoctorUid> | undefined
  /** Fails unless the subject is the organisation's and not deleted. */
  readonly ensure: Effect.Effect<(owner: OrganisationUid, uid: Uid) => Effect.Effect<void, E, CurrentTenant>, never, R>
}

export const doctorSubject: HoursOf<DoctorUid, DoctorNotFound, Doctors> = {
  column: "doctor_uid",
  noun: "doctor",
  doctors: (uid) => [uid],
  ensure: Effect.map(Doctors, ({ ensure }) => ensure)
}

export const resourceSubject: HoursOf<ResourceUid, ResourceNotFound, Resources> = {
  column: "resource_uid",
  noun: "resource",
  doctors: () => undefined,
  ensure: Effect.map(Resources, ({ ensure }) => ensure)
}
