/** Organisations, shops, doctors, patients, keys and secrets of a file. */
import { Effect, Layer, Option } from "effect"
import { system } from "../../../../schemas/access/Actor.ts"
import { AlreadyUsed } from "../../../../schemas/access/errors.ts"
import type { UnixSeconds } from "../../../../schemas/fields.ts"
import type { PharmacyUid, SkuUid } from "../../../../schemas/ids.ts"
import { ApiKeys } from "../../../../services/access/ApiKeys.ts"
import { BookingTokenSecrets } from "../../../../services/access/BookingTokenSecrets.ts"
import { DomainClock } from "../../../../services/DomainClock.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { EventLog } from "../../../../services/events/EventLog.ts"
import { BirthDates, NOT_BORN } from "../../../../services/patients/BirthDates.ts"
import { patientCreated } from "../../../../services/patients/Patients.ts"
import { PatientsRepo } from "../../../../services/patients/PatientsRepo.ts"
import { Doctors } from "../../../../services/scheduling/practice/Doctors.ts"
import { hashOf } from "../../../../services/uid.ts"
import { Organisations } from "../Organisations.ts"
import { ShopsRepo } from "../ShopsRepo.ts"
import { list, MISSING, mustNotFind, ownerCheck, reject, rejectAll } from "./entry.ts"

export const tenancyLists = Effect.gen(function* () {
  const sql = yield* Sql
  const organisations = yield* Organisations
  const shops = yield* ShopsRepo
  const doctors = yield* Doctors
  const patients = yield* PatientsRepo
  const births = yield* BirthDates
  const clock = yield* DomainClock
  const secrets = yield* BookingTokenSecrets
  const events = yield* EventLog
  const ensureOwner = yield* ownerCheck

  const mappingAlreadyUsed = <A, E, R>(
    path: string,
    write: (now: UnixSeconds) => Effect.Effect<A, E | AlreadyUsed, R>
  ) =>
    Effect.catchIf(
      Effect.flatMap(clock.now, write),
      (error) => error instanceof AlreadyUsed,
      ({ field }) =>
        reject(
          `${path}.${field}`,
          field === "shop_identifier" ? "belongs to another shop" : "is used already by another entry"
        )
    )

  const known = (uids: ReadonlyArray<PharmacyUid>, path: string) =>
    Effect.flatMap(shops.unknownPharmacy(uids), (place) =>
      place === undefined ? Effect.void : reject(`${path}.pharmacy_uids[${place}]`, MISSING)
    )

  const pharmaciesExist = (uids: ReadonlyArray<PharmacyUid> | null, path: string) =>
    uids === null
      ? Effect.logWarning(`${path}.pharmacy_uids is not given: an order of this shop may name any pharmacy`)
      : known(uids, path)

  const skusExist = (uids: ReadonlyArray<SkuUid>, path: string) =>
    Effect.flatMap(shops.unknownSku(uids), (place) =>
      place === undefined ? Effect.void : reject(`${path}.anamnesis_sku_uids[${place}]`, MISSING)
    )

  return [
    list("organisations", {
      key: ({ uid }) => uid,
      write: ({ pharmacy_uids, ...organisation }, path) =>
        Effect.all([
          // events, deliveries and idempotent answers are stored by their owner's uid only
          mustNotFind(
            `${path}.uid`,
            "is a pharmacy's",
            sql`SELECT 1 FROM pharmacies WHERE pharmacy_uid = ${organisation.uid}`
          ),
          known(pharmacy_uids ?? [], path),
          Effect.catchTag(organisations.provision(organisation), "Invalid", ({ faults }) => rejectAll(path, faults)),
          organisations.limitPharmacies(organisation.uid, pharmacy_uids)
        ]),
      rows: ({ uid }) => [
        ["organisations", { organisation_uid: uid }],
        ["admins", { organisation_uid: uid }],
        ["consent_texts", { organisation_uid: uid }]
      ]
    }),
    list("shops", {
      key: ({ uid }) => uid,
      write: (shop, path) =>
        Effect.all([
          ensureOwner("shops", "uid", shop.uid, shop.organisation_uid, path),
          pharmaciesExist(shop.pharmacy_uids, path),
          skusExist(shop.anamnesis_sku_uids, path),
          mappingAlreadyUsed(path, (now) => shops.provision(shop, now))
        ]),
      rows: ({ uid, organisation_uid }) => [["shops", { organisation_uid, uid }]]
    }),
    list("doctors", {
      key: ({ uid }) => uid,
      write: (doctor, path) =>
        Effect.zipRight(
          ensureOwner("doctors", "uid", doctor.uid, doctor.organisation_uid, path),
          doctors.provision(doctor)
        ),
      rows: ({ uid, organisation_uid }) => [["doctors", { organisation_uid, uid }]]
    }),
    list("patients", {
      key: ({ uid, organisation_uid }) => `${organisation_uid}/${uid}`,
      write: (patient, path) =>
        Effect.zipRight(
          Effect.flatMap(births.isPossible(patient.organisation_uid, patient.profile), (possible) =>
            possible ? Effect.void : reject(`${path}.profile.date_of_birth`, NOT_BORN)
          ),
          mappingAlreadyUsed(path, (now) => patients.provision(patient, now))
        ).pipe(
          Effect.tap(
            Option.match({
              onNone: () => Effect.void,
              onSome: ({ created, ...record }) =>
                Effect.when(events.append(patientCreated(patient.organisation_uid, record, system)), () => created)
            })
          )
        ),
      rows: ({ uid, organisation_uid }) => [["patients", { organisation_uid, uid }]]
    }),
    list("booking_token_secrets", {
      key: ({ key_id }) => key_id,
      named: "key_id",
      write: (secret, path) =>
        Effect.zipRight(
          ensureOwner("booking_token_secrets", "key_id", secret.key_id, secret.organisation_uid, path),
          secrets.put(secret)
        ),
      rows: ({ key_id, organisation_uid }) => [["booking_token_secrets", { organisation_uid, key_id }]]
    })
  ]
})

/** Written last, since a key may be bound to a pharmacy of the same file. Identified by the hash of its text. */
export const keyLists = Effect.gen(function* () {
  const keys = yield* ApiKeys
  return [
    list("api_keys", {
      key: ({ key }) => hashOf(key).toString("base64url"),
      named: "key",
      write: keys.provision,
      rows: ({ key }) => [["api_keys", { key_hash: hashOf(key) }]]
    })
  ]
})

/** What writes these lists. */
export const tenancyServices = Layer.mergeAll(
  ApiKeys.Default,
  BirthDates.Default,
  BookingTokenSecrets.Default,
  Doctors.Default,
  Organisations.Default,
  PatientsRepo.Default,
  ShopsRepo.Default
)
