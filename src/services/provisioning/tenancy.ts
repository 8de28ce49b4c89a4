/** Organisations, shops, doctors, patients, keys and secrets of a file. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { PharmacyUid } from "../../schemas/ids.ts"
import { ApiKeys } from "../access/ApiKeys.ts"
import { BookingTokenSecrets } from "../access/BookingTokenSecrets.ts"
import { Organisations } from "../access/Organisations.ts"
import { PatientsRepo } from "../access/PatientsRepo.ts"
import { ShopsRepo } from "../access/ShopsRepo.ts"
import { DomainClock } from "../DomainClock.ts"
import { Doctors } from "../scheduling/practice/Doctors.ts"
import { hashOf } from "../uid.ts"
import { list, mustFind, ownedAlone, reject, rejected } from "./entry.ts"

export const tenancyLists = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const organisations = yield* Organisations
  const shops = yield* ShopsRepo
  const doctors = yield* Doctors
  const patients = yield* PatientsRepo
  const clock = yield* DomainClock
  const secrets = yield* BookingTokenSecrets
  const alone = yield* ownedAlone

  const identifierIsFree = (identifier: string, uid: string, path: string) =>
    sql`SELECT 1 FROM shops WHERE shop_identifier = ${identifier} AND uid <> ${uid} LIMIT 1`.pipe(
      Effect.filterOrFail(
        (rows) => rows.length === 0,
        () => rejected(`${path}.shop_identifier`, "belongs to another shop")
      )
    )

  const pharmaciesExist = (uids: ReadonlyArray<PharmacyUid> | null, path: string) =>
    uids === null
      ? Effect.logWarning(`${path}.pharmacy_uids is not given: an order of this shop may name any pharmacy`)
      : Effect.forEach(uids, (uid, i) =>
          mustFind(`${path}.pharmacy_uids[${i}]`, sql`SELECT 1 FROM pharmacies WHERE pharmacy_uid = ${uid}`)
        )

  return [
    list("organisations", {
      of: (file) => file.organisations,
      key: ({ uid }) => uid,
      write: organisations.provision,
      rows: ({ uid }) => [
        ["organisations", { organisation_uid: uid }],
        ["admins", { organisation_uid: uid }]
      ]
    }),
    list("shops", {
      of: (file) => file.shops,
      key: ({ uid }) => uid,
      write: (shop, path) =>
        Effect.all([
          alone("shops", "uid", shop.uid, shop.organisation_uid, path),
          identifierIsFree(shop.shop_identifier, shop.uid, path),
          pharmaciesExist(shop.pharmacy_uids, path),
          shops.provision(shop)
        ]),
      rows: ({ uid, organisation_uid }) => [["shops", { organisation_uid, uid }]]
    }),
    list("doctors", {
      of: (file) => file.doctors,
      key: ({ uid }) => uid,
      write: (doctor, path) =>
        Effect.zipRight(alone("doctors", "uid", doctor.uid, doctor.organisation_uid, path), doctors.provision(doctor)),
      rows: ({ uid, organisation_uid }) => [["doctors", { organisation_uid, uid }]]
    }),
    list("patients", {
      of: (file) => file.patients,
      key: ({ uid, organisation_uid }) => `${organisation_uid}/${uid}`,
      write: (patient, path) =>
        Effect.flatMap(clock.now, (now) => patients.provision(patient, now)).pipe(
          Effect.catchTag("AlreadyUsed", ({ field }) => reject(`${path}.${field}`, "is used already by another entry"))
        ),
      rows: ({ uid, organisation_uid }) => [["patients", { organisation_uid, uid }]]
    }),
    list("booking_token_secrets", {
      of: (file) => file.booking_token_secrets,
      key: ({ key_id }) => key_id,
      named: "key_id",
      write: (secret, path) =>
        Effect.zipRight(
          alone("booking_token_secrets", "key_id", secret.key_id, secret.organisation_uid, path),
          secrets.put(secret)
        ),
      rows: ({ key_id, organisation_uid }) => [["booking_token_secrets", { organisation_uid, key_id }]]
    })
  ]
})

/** Keys are the last list: one may be bound to a pharmacy of the same file. A key is named by the hash of its text. */
export const keyLists = Effect.gen(function* () {
  const keys = yield* ApiKeys
  return [
    list("api_keys", {
      of: (file) => file.api_keys,
      key: ({ key }) => hashOf(key).toString("base64url"),
      named: "key",
      write: keys.provision,
      rows: ({ key }) => [["api_keys", { key_hash: hashOf(key) }]]
    })
  ]
})
