/** Patients as partners know them: one record for each (shop, customer), created and updated by booking tokens. Rule 1.5.8. */
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { PatientNotFound, ShopNotFound } from "../../schemas/access/errors.ts"
import { MAX_PROFILE_BYTES, MAX_PROFILE_FIELDS, type PatientProfile } from "../../schemas/access/PatientProfile.ts"
import { OrganisationUid, PatientUid, ShopUid } from "../../schemas/ids.ts"
import { invalid, Unauthenticated } from "../../schemas/problems.ts"
import type { Patient as PatientEntry } from "../../schemas/provisioning/tenancy.ts"
import { DomainClock } from "../DomainClock.ts"
import { rowsOf } from "../rows.ts"
import { newUid } from "../uid.ts"
import { BookingTokenSecrets } from "./BookingTokenSecrets.ts"
import { mintBookingToken, profileOf, verifyBookingToken } from "./BookingTokens.ts"

const Shop = Schema.Struct({ organisation_uid: OrganisationUid, shop_uid: ShopUid })
export type Shop = typeof Shop.Type

const Patient = Schema.Struct({ ...Shop.fields, patient_uid: PatientUid })
export type Patient = typeof Patient.Type

const refused = () =>
  new Unauthenticated({ reason: "Send a valid, unexpired booking token in X-Service-Booking-Token" })

export class Patients extends Effect.Service<Patients>()("access/Patients", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const secrets = yield* BookingTokenSecrets
    const shops = rowsOf(Shop)
    const patients = rowsOf(Patient)

    const shopByIdentifier = <E>(identifier: string, missing: () => E) =>
      shops.firstOr(
        sql`SELECT organisation_uid, uid AS shop_uid FROM shops WHERE shop_identifier = ${identifier}`,
        missing
      )

    /**
     * Makes or updates the patient with this customer id: fields that are sent replace the stored ones, null removes one.
     * Fails with `Invalid` when the whole profile would become too large (Rule 1.6.4).
     */
    const upsert = Effect.fn("Patients.upsert")(function* (shop: Shop, customerId: string, profile: PatientProfile) {
      const now = yield* clock.now
      const uid = yield* newUid(PatientUid)
      const sent = sql`${JSON.stringify(profile)}::jsonb`
      const merged = sql`jsonb_strip_nulls(patients.profile || ${sent})`
      return yield* patients.firstOr(
        sql`INSERT INTO patients (organisation_uid, uid, shop_uid, shop_customer_id, profile, created_at, updated_at)
          VALUES (${shop.organisation_uid}, ${uid}, ${shop.shop_uid}, ${customerId}, jsonb_strip_nulls(${sent}),
            to_timestamp(${now}), to_timestamp(${now}))
          ON CONFLICT (organisation_uid, shop_uid, shop_customer_id) DO UPDATE SET profile = ${merged},
            updated_at = CASE WHEN patients.profile = ${merged} THEN patients.updated_at ELSE excluded.updated_at END
          WHERE (SELECT count(*) FROM jsonb_object_keys(${merged})) <= ${MAX_PROFILE_FIELDS}
            AND octet_length(${merged}::text) <= greatest(${MAX_PROFILE_BYTES}, octet_length(${sent}::text))
          RETURNING organisation_uid, shop_uid, uid AS patient_uid`,
        () => invalid("patient_profile_fields", "the patient's profile would exceed 64 fields or 64 KiB")
      )
    })

    /** Creates or replaces a patient of a provisioning file. */
    const provision = Effect.fn("Patients.provision")(function* ({ profile, ...patient }: PatientEntry) {
      const now = yield* clock.now
      yield* sql`INSERT INTO patients (organisation_uid, uid, shop_uid, shop_customer_id, profile, created_at, updated_at)
        VALUES (${patient.organisation_uid}, ${patient.uid}, ${patient.shop_uid}, ${patient.shop_customer_id},
          jsonb_strip_nulls(${JSON.stringify(profile)}::jsonb), to_timestamp(${now}), to_timestamp(${now}))
        ON CONFLICT (organisation_uid, uid) DO UPDATE SET shop_uid = excluded.shop_uid,
          shop_customer_id = excluded.shop_customer_id, profile = excluded.profile, updated_at = excluded.updated_at`
    })

    /**
     * The patient of a booking token, whose profile fields are stored. Fails with `Unauthenticated`, or `Invalid` for a
     * token that verifies but has a profile field with an impossible value. Rule 1.5.7.
     */
    const authenticate = Effect.fn("Patients.authenticate")(function* (token: string) {
      const verified = yield* verifyBookingToken(token, secrets.find).pipe(
        Effect.tapError(({ reason }) => Effect.logDebug("booking token refused").pipe(Effect.annotateLogs({ reason }))),
        Effect.mapError(refused)
      )
      const shop = yield* shopByIdentifier(verified.shop_identifier, refused)
      if (shop.organisation_uid !== verified.secret.organisation_uid) return yield* refused()
      return yield* upsert(shop, verified.shop_customer_id, yield* profileOf(verified))
    })

    /** The patient of one of the organisation's records: one that does not exist is a defect. */
    const find = Effect.fn("Patients.find")((owner: OrganisationUid, uid: PatientUid) =>
      patients.one(sql`SELECT organisation_uid, shop_uid, uid AS patient_uid FROM patients
        WHERE organisation_uid = ${owner} AND uid = ${uid}`)
    )

    /** The shop's patient with this uid. Fails with `PatientNotFound`. */
    const findIn = Effect.fn("Patients.findIn")((shop: Shop, uid: PatientUid) =>
      patients.firstOr(
        sql`SELECT organisation_uid, shop_uid, uid AS patient_uid FROM patients
          WHERE organisation_uid = ${shop.organisation_uid} AND shop_uid = ${shop.shop_uid} AND uid = ${uid}`,
        () => new PatientNotFound()
      )
    )

    /** The shop with this uid, of any organisation: shops are public. Fails with `ShopNotFound`. */
    const shop = Effect.fn("Patients.shop")((uid: string) =>
      shops.firstOr(
        sql`SELECT organisation_uid, uid AS shop_uid FROM shops WHERE uid = ${uid}`,
        () => new ShopNotFound()
      )
    )

    /**
     * A booking token for a customer of a shop, valid for five minutes, signed with the organisation's newest secret.
     * Fails with `ShopNotFound` or `SecretNotFound`.
     */
    const mintToken = Effect.fn("Patients.mintToken")(function* (
      shop_identifier: string,
      shop_customer_id: string,
      profile: ReadonlyArray<readonly [field: string, value: string]>
    ) {
      const { organisation_uid } = yield* shopByIdentifier(shop_identifier, () => new ShopNotFound())
      const { key_id, secret } = yield* secrets.newest(organisation_uid)
      return yield* mintBookingToken({ key_id, secret, shop_identifier, shop_customer_id, profile })
    })
    return { authenticate, upsert, provision, find, findIn, shop, mintToken } as const
  }),
  dependencies: [DomainClock.Default, BookingTokenSecrets.Default]
}) {}
