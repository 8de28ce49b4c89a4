/** Partners' patients: one record for each (shop, customer), created and updated by booking tokens. Rule 1.5.8. */
import { Effect, Option } from "effect"
import type { Actor } from "../../schemas/access/Actor.ts"
import { PatientNotFound, ShopNotFound, TokenShopUnknown } from "../../schemas/access/errors.ts"
import type { Patient as PatientRecord } from "../../schemas/access/Patient.ts"
import type { PatientProfile } from "../../schemas/access/PatientProfile.ts"
import type { OrganisationUid, PatientUid } from "../../schemas/ids.ts"
import { invalid, Unauthenticated } from "../../schemas/problems.ts"
import { BookingTokenSecrets } from "../access/BookingTokenSecrets.ts"
import { mintBookingToken, profileOf, verifyBookingToken } from "../access/BookingTokens.ts"
import { DomainClock } from "../DomainClock.ts"
import { Database } from "../database/Database.ts"
import { rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { EventLog } from "../events/EventLog.ts"
import { Service } from "../Service.ts"
import { ofOrganisationWith, withOwner } from "../tenancy/Tenancy.ts"
import { BirthDates } from "./BirthDates.ts"
import { type Customer, type PatientReference, PatientsRepo, ShopReference } from "./PatientsRepo.ts"

export type Shop = ShopReference
export type Patient = PatientReference & {
  /** Profile fields of the patient's token whose values could not be used. Rule 1.6.5. */
  readonly ignored_profile_fields?: ReadonlyArray<string>
}

/** The event of a patient who is new to the organisation. */
export const patientCreated = (
  organisation_uid: OrganisationUid,
  { profile: _, ...patient }: PatientRecord,
  actor: Actor
) => ({ organisation_uid, type: "patient.created" as const, subject: patient.uid, data: { patient, actor } })

const missing = () => new Unauthenticated({ reason: "Send a booking token in X-Service-Booking-Token" })

export class Patients extends Service<Patients>()("patients/Patients", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const secrets = yield* BookingTokenSecrets
    const events = yield* EventLog
    const { transaction } = yield* Database
    const patients = yield* PatientsRepo
    const births = yield* BirthDates
    const shops = rowsOf(ShopReference)

    const shopByIdentifier = <E>(identifier: string, missing: () => E) =>
      ofOrganisationWith({ kind: "shop_identifier", key: identifier })(
        shops.firstOr(
          sql`SELECT organisation_uid, uid AS shop_uid FROM shops WHERE shop_identifier = ${identifier}`,
          missing
        )
      )

    /** Inserts a new patient, with the event in the same transaction. */
    const insert = Effect.fnUntraced(function* (customer: Customer, by: Actor | undefined) {
      const { patient, created } = yield* Effect.flatten(patients.insertOrRefresh(customer, yield* clock.now)).pipe(
        Effect.mapError(() =>
          invalid("patient_profile_fields", "the patient's profile would exceed 64 fields or 64 KiB")
        )
      )
      if (!created) return patient
      const { organisation_uid, patient_uid } = patient
      const record = yield* Effect.orDie(patients.find(organisation_uid, patient_uid))
      yield* events.append(patientCreated(organisation_uid, record, by ?? { kind: "patient", uid: patient_uid }))
      return patient
    }, transaction)

    /**
     * Creates or updates the patient with this customer id: fields sent replace the stored ones, null removes one. `by` is the actor, by
     * default the patient. Fails with `Invalid` if the whole profile would be too large (Rule 1.6.4).
     */
    const upsert = Effect.fnUntraced(function* (shop: Shop, customer_id: string, profile: PatientProfile, by?: Actor) {
      const customer = { shop, customer_id, profile }
      const known = yield* patients.refresh(customer, yield* clock.now)
      return Option.isSome(known) ? known.value : yield* insert(customer, by)
    })

    /**
     * The patient of a booking token, whose profile fields are stored. Fails with what is wrong with the token (Rule 1.5.10), or `Invalid`
     * for a verified one whose profile is no list of fields or too large. Rule 1.5.7.
     */
    const authenticate = Effect.fnUntraced(function* (token: string) {
      if (token === "") return yield* missing()
      const verified = yield* verifyBookingToken(token, secrets.find).pipe(
        Effect.tapError(({ reason }) => Effect.logDebug("booking token refused").pipe(Effect.annotateLogs({ reason })))
      )
      const { organisation_uid, shop_uid } = verified.secret
      if (shop_uid === null) return yield* new TokenShopUnknown({ reason: "not a shop of the secret's organisation" })
      const shop = { organisation_uid, shop_uid }
      const { profile, ignored } = yield* Effect.flatMap(profileOf(verified), (sent) =>
        withOwner(shop)(births.usable(organisation_uid, sent))
      )
      const patient = yield* withOwner(shop)(upsert(shop, verified.shop_customer_id, profile))
      return { ...patient, ignored_profile_fields: ignored } satisfies Patient
    })

    const isKnown = (shop: Shop, customer_id: string) => patients.hasCustomer(shop, customer_id)

    /** The patient of one of the organisation's records; a missing one is a defect. */
    const find = (owner: OrganisationUid, uid: PatientUid) => Effect.orDie(patients.refer(owner, uid))

    /** Fails with `PatientNotFound`, also for an erased patient. */
    const ensure = (owner: OrganisationUid, uid: PatientUid) => Effect.asVoid(patients.refer(owner, uid))

    /** The shop's patient with this uid. Fails with `PatientNotFound`. */
    const findIn = (shop: Shop, uid: PatientUid) =>
      Effect.filterOrFail(
        patients.refer(shop.organisation_uid, uid),
        ({ shop_uid }) => shop_uid === shop.shop_uid,
        () => new PatientNotFound()
      )

    /** The shop with this uid, of any organisation: shops are public. Fails with `ShopNotFound`. */
    const shop = (uid: string) =>
      ofOrganisationWith({ kind: "shop", key: uid })(
        shops.firstOr(
          sql`SELECT organisation_uid, uid AS shop_uid FROM shops WHERE uid = ${uid}`,
          () => new ShopNotFound()
        )
      )

    /**
     * Creates a booking token for a customer of a shop, valid for five minutes, signed with the organisation's newest secret. Fails with
     * `ShopNotFound` or `SecretNotFound`.
     */
    const mintToken = Effect.fnUntraced(function* (
      shop_identifier: string,
      shop_customer_id: string,
      profile: ReadonlyArray<readonly [field: string, value: string]>
    ) {
      const { organisation_uid } = yield* shopByIdentifier(shop_identifier, () => new ShopNotFound())
      const { key_id, secret } = yield* secrets.newest(organisation_uid)
      return yield* mintBookingToken({ key_id, secret, shop_identifier, shop_customer_id, profile })
    })
    return { authenticate, upsert, isKnown, find, ensure, findIn, shop, mintToken } as const
  }),
  dependencies: [BookingTokenSecrets.Default, PatientsRepo.Default, BirthDates.Default]
}) {}
