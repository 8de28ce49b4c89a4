/** An organisation's patients, as managed by the organisation: create, read and update. Rules 12.1.4 to 12.1.8. */
import { Effect, Option, Schema } from "effect"
import type { Actor } from "../../../../schemas/access/Actor.ts"
import { PatientMerged, type PatientNotFound } from "../../../../schemas/access/errors.ts"
import { PatientProfile } from "../../../../schemas/access/PatientProfile.ts"
import { invalidOf } from "../../../../schemas/faults.ts"
import { isNothing } from "../../../../schemas/fields.ts"
import { type OrganisationUid, PatientUid } from "../../../../schemas/ids.ts"
import { paged } from "../../../../schemas/paging.ts"
import { invalid } from "../../../../schemas/problems.ts"
import { DomainClock } from "../../../../services/DomainClock.ts"
import { Database } from "../../../../services/database/Database.ts"
import { EventLog } from "../../../../services/events/EventLog.ts"
import { BirthDates, NOT_BORN } from "../../../../services/patients/BirthDates.ts"
import { patientCreated } from "../../../../services/patients/Patients.ts"
import { type ListedPatients, PatientsRepo } from "../../../../services/patients/PatientsRepo.ts"
import { Service } from "../../../../services/Service.ts"
import { newUid } from "../../../../services/uid.ts"
import type { NewPatient, PatientChanges } from "../../schemas/PatientBodies.ts"
import { ShopsRepo } from "../ShopsRepo.ts"

const Whole = Schema.decodeUnknown(Schema.Struct({ profile: PatientProfile }), { errors: "all" })

export class PatientRecords extends Service<PatientRecords>()("patients/PatientRecords", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const events = yield* EventLog
    const patients = yield* PatientsRepo
    const shops = yield* ShopsRepo
    const births = yield* BirthDates

    const ensureBorn = (owner: OrganisationUid, profile: PatientProfile = {}) =>
      Effect.flatMap(births.isPossible(owner, profile), (possible) =>
        possible ? Effect.void : Effect.fail(invalid("profile.date_of_birth", NOT_BORN))
      )

    /** The record. Fails with `PatientMerged` for one that became part of another, and with `PatientNotFound`. */
    const read = Effect.fn("PatientRecords.read")((owner: OrganisationUid, uid: PatientUid) =>
      Effect.catchTag(patients.find(owner, uid), "PatientNotFound", (missing) =>
        Effect.flatMap(
          patients.mergedInto(owner, uid),
          (into): Effect.Effect<never, PatientMerged | PatientNotFound> =>
            Effect.fail(Option.isSome(into) ? new PatientMerged({ merged_into: into.value }) : missing)
        )
      )
    )

    /** A page of the patients, newest first. Fails with `Invalid` if their profiles are too large together. */
    const list = Effect.fn("PatientRecords.list")((owner: OrganisationUid, query: ListedPatients) =>
      Effect.map(patients.list(owner, query), paged)
    )

    /** Creates a patient of a shop. Fails with `ShopNotFound`, and with `AlreadyUsed` for a taken customer id. */
    const create = Effect.fn("PatientRecords.create")(function* (
      owner: OrganisationUid,
      actor: Actor,
      patient: NewPatient
    ) {
      yield* shops.ensure(owner, patient.shop_uid)
      yield* ensureBorn(owner, patient.profile)
      const now = yield* clock.now
      const uid = yield* newUid(PatientUid)
      const created = yield* patients.write({ ...patient, uid, organisation_uid: owner }, now)
      yield* events.append(patientCreated(owner, created, actor))
      return created
    }, transaction)

    /**
     * Updates the fields sent, also within the profile. Fails with `PatientNotFound`, `AlreadyUsed`, and with `Invalid` if the whole
     * profile would be too large.
     */
    const update = Effect.fn("PatientRecords.update")(function* (
      owner: OrganisationUid,
      uid: PatientUid,
      changes: PatientChanges
    ) {
      const found = yield* patients.findForChange(owner, uid)
      if (isNothing(changes)) return found
      yield* ensureBorn(owner, changes.profile)
      const { shop_uid, ...before } = found
      const { shop_customer_id, profile } = { ...before, ...changes }
      const whole = yield* Effect.mapError(Whole({ profile: { ...before.profile, ...profile } }), (error) =>
        invalidOf(error)
      )
      const written = { uid, organisation_uid: owner, shop_uid, shop_customer_id, ...whole }
      return yield* patients.write(written, yield* clock.now)
    }, transaction)

    /** Restricts processing of the patient's data to storage, or ends the restriction (Rule 12.2.9). Fails with `PatientNotFound`. */
    const restrict = Effect.fn("PatientRecords.restrict")(function* (
      owner: OrganisationUid,
      uid: PatientUid,
      restricted: boolean
    ) {
      return yield* patients.restrict(owner, uid, restricted, yield* clock.now)
    }, transaction)

    return { list, read, find: patients.find, findForChange: patients.findForChange, create, update, restrict } as const
  }),
  dependencies: [PatientsRepo.Default, ShopsRepo.Default, BirthDates.Default]
}) {}
