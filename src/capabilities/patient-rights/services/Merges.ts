/** Two records of one person become one: everything that refers to the one refers to the other. Rule 12.1.25. */

import { Effect } from "effect"
import type { Actor } from "../../../schemas/access/Actor.ts"
import { PatientNotFound } from "../../../schemas/access/errors.ts"
import { type Patient, PUBLIC_CUSTOMER } from "../../../schemas/access/Patient.ts"
import type { OrganisationUid, PatientUid } from "../../../schemas/ids.ts"
import { invalid } from "../../../schemas/problems.ts"
import { PatientRestricted } from "../../../schemas/scheduling/errors.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { countOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { EventLog } from "../../../services/events/EventLog.ts"
import { keptRecords } from "../../../services/operation/addedRetention.ts"
import { PatientsRepo } from "../../../services/patients/PatientsRepo.ts"
import { OrdersRepo } from "../../../services/pharmacy/OrdersRepo.ts"
import { PrescriptionsRepo } from "../../../services/prescriptions/PrescriptionsRepo.ts"
import { Service } from "../../../services/Service.ts"
import { addedPatientRecords } from "../../shared/schemas/addedRecords.ts"
import { Belongings } from "../../shared/services/patients/Belongings.ts"
import { BothHaveAccounts, type Merged, type NewMerge } from "../schemas/Merge.ts"
import { ErasuresRepo } from "./ErasuresRepo.ts"

interface Reference {
  readonly table: string
  /** The column with the patient's uid. */
  readonly column: string
  /** Counted under this name; others are moved without being named. */
  readonly what?: string
  readonly only?: string
  /** Of two such rows, `x` of the record that goes and `d` of the one that stays, the latter counts. */
  readonly duplicate?: string
}

/** Every column that names a patient, except those of erasures. A test fails for one that is missing here. */
const ofCore: ReadonlyArray<Reference> = [
  { what: "appointments", table: "appointments", column: "patient_uid" },
  { table: "booking_sessions", column: "patient_uid" },
  { what: "prescriptions", table: "prescriptions", column: "patient_uid" },
  { what: "orders", table: "pharmacy_orders", column: "patient_uid" },
  {
    what: "consents",
    table: "consents",
    column: "patient_uid",
    duplicate: "d.purpose = x.purpose AND d.version = x.version AND num_nulls(d.withdrawn_at, x.withdrawn_at) = 2"
  },
  { what: "messages", table: "messages", column: "recipient_uid", only: "recipient_role = 'patient'" },
  { table: "patient_merges", column: "patient_uid" }
]
/** The same with the records of capabilities. */
export const references = (): ReadonlyArray<Reference> => [
  ...ofCore,
  ...[...new Set([...Object.keys(addedPatientRecords()), ...keptRecords()])].map((table) => ({
    what: table,
    table,
    column: "patient_uid"
  }))
]

type Account = Pick<Patient, "shop_customer_id">
const isAccount = ({ shop_customer_id }: Account) =>
  shop_customer_id !== null && !shop_customer_id.startsWith(PUBLIC_CUSTOMER)

/** The identifier that stays: an account at the shop before one of the public booking page. */
const customerOf = (from: Account, into: Account) =>
  isAccount(into) || !isAccount(from) ? (into.shop_customer_id ?? from.shop_customer_id) : from.shop_customer_id

export class Merges extends Service<Merges>()("rights/Merges", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const events = yield* EventLog
    const patients = yield* PatientsRepo
    const erasures = yield* ErasuresRepo
    const belongings = yield* Belongings
    const prescriptions = yield* PrescriptionsRepo
    const orders = yield* OrdersRepo

    /** The record, locked so that no new row can refer to it meanwhile. Fails with `PatientNotFound`. */
    const lock = Effect.fnUntraced(function* (owner: OrganisationUid, uid: PatientUid) {
      const found = yield* erasures.lockPatient(owner, uid)
      if (found.erased) return yield* new PatientNotFound()
      if (found.restricted_at !== null) return yield* new PatientRestricted()
      return found
    })

    const rowsIn = (owner: OrganisationUid, uid: PatientUid, { column, only }: Reference) =>
      sql`organisation_uid = ${owner} AND ${sql(column)} = ${uid} ${only === undefined ? sql`` : sql`AND ${sql.literal(only)}`}`

    const move = Effect.fnUntraced(function* (owner: OrganisationUid, from: PatientUid, into: PatientUid) {
      for (const one of references()) {
        const { table, column, duplicate } = one
        if (duplicate === undefined) continue
        yield* sql`DELETE FROM ${sql(table)} AS x WHERE x.organisation_uid = ${owner} AND x.${sql(column)} = ${from}
          AND EXISTS (SELECT FROM ${sql(table)} AS d WHERE d.organisation_uid = ${owner} AND d.${sql(column)} = ${into}
            AND ${sql.literal(duplicate)})`
      }
      for (const one of references())
        yield* sql`UPDATE ${sql(one.table)} SET ${sql(one.column)} = ${into} WHERE ${rowsIn(owner, from, one)}`
      // a list, otherwise as the references
      yield* sql`UPDATE ${sql("storefront_orders")} SET waiting_patients = array_append(waiting_patients, ${into})
        WHERE organisation_uid = ${owner} AND ${from} = ANY (waiting_patients)`
    }, Effect.orDie)

    const counted = Effect.fnUntraced(function* (owner: OrganisationUid, uid: PatientUid) {
      const found = yield* Effect.forEach(references(), (one) =>
        one.what === undefined
          ? Effect.succeed([])
          : Effect.map(
              countOf(sql`SELECT count(*) FROM ${sql(one.table)} WHERE ${rowsIn(owner, uid, one)}`),
              (count) => [[String(one.what), count] as const]
            )
      )
      const moved: Readonly<Record<string, number>> = Object.fromEntries(found.flat())
      return moved
    })

    /**
     * Merges `from` into the other record, in one transaction. Values of the record that stays count; those that it lacks are taken over.
     * Fails with `PatientNotFound`, `PatientRestricted`, `Invalid` (the same record, another shop), and `BothHaveAccounts`.
     */
    const merge = Effect.fn("Merges.merge")(function* (
      owner: OrganisationUid,
      from: PatientUid,
      { into, dry_run }: NewMerge,
      actor: Actor
    ) {
      if (from === into) return yield* invalid("into", "must be another patient")
      // always in one order, so that two merges do not wait for each other
      const locked = new Map<string, Patient>()
      for (const uid of [from, into].sort()) locked.set(uid, yield* lock(owner, uid))
      const [gone, stays] = [locked.get(from), locked.get(into)]
      if (gone === undefined || stays === undefined) return yield* new PatientNotFound()
      if (gone.shop_uid !== stays.shop_uid) return yield* invalid("into", "must be a patient of the same shop")
      if (isAccount(gone) && isAccount(stays)) return yield* new BothHaveAccounts()
      const linked = yield* belongings.recorded(owner, gone)
      const now = yield* clock.now
      const { uid, shop_uid, profile } = stays
      const whole = {
        uid,
        shop_uid,
        shop_customer_id: customerOf(gone, stays),
        profile: { ...gone.profile, ...profile }
      }
      if (dry_run) {
        const moved = yield* counted(owner, from)
        const unnamed = { prescriptions: linked.prescription_uids.length, orders: linked.orders.length }
        return {
          patient: { ...stays, ...whole },
          merged_patient_uid: from,
          moved: {
            ...moved,
            prescriptions: Math.max(moved.prescriptions ?? 0, unnamed.prescriptions),
            orders: Math.max(moved.orders ?? 0, unnamed.orders)
          }
        } satisfies Merged
      }
      if (linked.prescription_uids.length > 0) yield* prescriptions.assignPatient(owner, from, linked.prescription_uids)
      if (linked.orders.length > 0) yield* orders.assignPatient(owner, from, linked.orders)
      const moved = yield* counted(owner, from)
      yield* move(owner, from, into)
      yield* patients.replace(owner, from, into, now)
      const patient = yield* Effect.orDie(patients.write({ ...whole, organisation_uid: owner }, now))
      const { profile: _profile, restricted_at: _restricted, ...reference } = patient
      yield* events.append({
        organisation_uid: owner,
        type: "patient.merged",
        subject: into,
        data: { patient: reference, merged_patient_uid: from, actor }
      })
      return { patient, merged_patient_uid: from, moved } satisfies Merged
    }, transaction)

    return { merge } as const
  }),
  dependencies: [
    PatientsRepo.Default,
    ErasuresRepo.Default,
    Belongings.Default,
    PrescriptionsRepo.Default,
    OrdersRepo.Default
  ]
}) {}
