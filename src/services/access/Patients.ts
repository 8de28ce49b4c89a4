/** Patients as partners know them: one record per (shop, customer), upserted by every booking token. */
import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import type { PatientProfile } from "../../schemas/access/PatientProfile.ts"
import { type OrganisationUid, PatientUid, type ShopUid } from "../../schemas/ids.ts"
import { NotFound, Unauthenticated } from "../../schemas/problems.ts"
import { DomainClock } from "../DomainClock.ts"
import { SecretBox } from "../SecretBox.ts"
import { newUid } from "../uid.ts"
import { verifyBookingToken } from "./BookingTokens.ts"

export interface Shop {
  readonly organisation_uid: OrganisationUid
  readonly shop_uid: ShopUid
}

export interface Patient extends Shop {
  readonly patient_uid: PatientUid
}

const refused = new Unauthenticated({ reason: "Send a valid, unexpired booking token in X-Service-Booking-Token" })

export class Patients extends Effect.Service<Patients>()("access/Patients", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const box = yield* SecretBox

    const findSecret = (keyId: string) => sql<{ organisation_uid: OrganisationUid; secret_sealed: string }>`
      SELECT organisation_uid, secret_sealed FROM booking_token_secrets WHERE key_id = ${keyId} AND revoked_at IS NULL`
    const lookupSecret = Effect.fnUntraced(function* (keyId: string) {
      const [row] = yield* Effect.orDie(findSecret(keyId))
      if (row === undefined) return Option.none()
      return Option.some({ organisation_uid: row.organisation_uid, secret: yield* box.open(row.secret_sealed) })
    })

    const findShop = (identifier: string) =>
      sql<Shop>`SELECT organisation_uid, uid AS shop_uid FROM shops WHERE shop_identifier = ${identifier}`

    /** Makes or updates the patient with this customer id; known fields are overwritten, null clears one. */
    const upsert = Effect.fn("Patients.upsert")(function* (shop: Shop, customerId: string, profile: PatientProfile) {
      const now = yield* clock.now
      const uid = yield* newUid(PatientUid)
      const [row] = yield* sql<{ uid: PatientUid }>`
        INSERT INTO patients (organisation_uid, uid, shop_uid, shop_customer_id, profile, created_at, updated_at)
        VALUES (${shop.organisation_uid}, ${uid}, ${shop.shop_uid}, ${customerId},
                jsonb_strip_nulls(${JSON.stringify(profile)}::jsonb), to_timestamp(${now}), to_timestamp(${now}))
        ON CONFLICT (organisation_uid, shop_uid, shop_customer_id) DO UPDATE
          SET profile = jsonb_strip_nulls(patients.profile || ${JSON.stringify(profile)}::jsonb),
              updated_at = excluded.updated_at
        RETURNING uid`.pipe(Effect.orDie)
      if (row === undefined) return yield* Effect.dieMessage("an upsert returns its row")
      const patient: Patient = { ...shop, patient_uid: row.uid }
      return patient
    })

    /** The patient whom a booking token speaks for; the token's profile fields are stored. */
    const authenticate = Effect.fn("Patients.authenticate")(function* (token: string) {
      const verified = yield* verifyBookingToken(token, lookupSecret).pipe(
        Effect.tapError(({ reason }) => Effect.logDebug("booking token refused").pipe(Effect.annotateLogs({ reason }))),
        Effect.mapError(() => refused)
      )
      const [shop] = yield* Effect.orDie(findShop(verified.shop_identifier))
      if (shop === undefined || shop.organisation_uid !== verified.secret.organisation_uid) return yield* refused
      return yield* upsert(shop, verified.shop_customer_id, verified.profile)
    })

    /** The patient with this uid; who asks knows it from a record of the organisation. */
    const find = Effect.fn("Patients.find")(function* (owner: OrganisationUid, uid: PatientUid) {
      const [row] = yield* sql<Patient>`SELECT organisation_uid, shop_uid, uid AS patient_uid FROM patients
        WHERE organisation_uid = ${owner} AND uid = ${uid}`.pipe(Effect.orDie)
      return row ?? (yield* Effect.dieMessage("an appointment's patient exists"))
    })

    /** The shop with this uid, whatever its organisation: shops are public. */
    const shop = Effect.fn("Patients.shop")(function* (uid: string) {
      const [row] = yield* sql<Shop>`
        SELECT organisation_uid, uid AS shop_uid FROM shops WHERE uid = ${uid}`.pipe(Effect.orDie)
      return row === undefined ? yield* new NotFound({ what: "Shop" }) : row
    })
    return { authenticate, upsert, find, shop } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
