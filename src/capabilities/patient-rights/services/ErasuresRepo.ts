/** The erasure list, which outlives the erased data, and the statements that delete and blank it. */
import { Effect, Schema } from "effect"
import { PatientNotFound } from "../../../schemas/access/errors.ts"
import { Patient } from "../../../schemas/access/Patient.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { type AppointmentUid, MessageUid, OrganisationUid, PatientUid, PrescriptionUid } from "../../../schemas/ids.ts"
import { PharmacyOrderStatus } from "../../../schemas/pharmacy/PharmacyOrderStates.ts"
import { columnsOf, countOf, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { timestamp } from "../../../services/database/SqlErrors.ts"
import { keptRecords } from "../../../services/operation/addedRetention.ts"
import { Envelope, type SealedPlace } from "../../../services/sealing/Envelope.ts"
import { withOwner } from "../../../services/tenancy/Tenancy.ts"
import { Linked, OrderRef } from "../../shared/services/patients/Belongings.ts"
import { retentionRules } from "../../shared/services/retentionRules.ts"
import { type Subject, type Trace, tracesOf } from "./traces.ts"

/** One line of the erasure list: only uids, so that it can be stored beside backups. */
export const Erasure = Schema.Struct({
  organisation_uid: OrganisationUid,
  patient_uid: PatientUid,
  ...Linked.fields,
  /** Records that were merged into the patient's: a backup from before the merge still has them. */
  merged_uids: Schema.Array(PatientUid),
  erased_at: UnixSeconds
})
export type Erasure = typeof Erasure.Type

const Pending = Schema.Struct({ ...Erasure.fields, orders_in_progress: Schema.Number })

const leftRows = rowsOf(Schema.Struct({ count: Schema.Number, since: Schema.NullOr(UnixSeconds) }))

const Found = Schema.Struct({ ...Patient.fields, erased: Schema.Boolean })

/** The status of an order decides whether its data is still needed. */
const OrderState = Schema.Struct({
  ...OrderRef.fields,
  status: PharmacyOrderStatus,
  prescription_uid: Schema.NullOr(Schema.String)
})

const placeOf = ({ organisation_uid, patient_uid }: Erasure): SealedPlace => ({
  table: "erasures",
  column: "reason_encrypted",
  row: [organisation_uid, patient_uid]
})

export class ErasuresRepo extends Effect.Service<ErasuresRepo>()("rights/ErasuresRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const envelope = yield* Envelope
    const traces = yield* tracesOf
    const erasures = rowsOf(Erasure)
    const unfinished = rowsOf(Pending)
    const patients = rowsOf(Found)
    const states = rowsOf(OrderState)
    const carriers = rowsOf(OrderRef)
    const messages = rowsOf(Schema.Struct({ uid: MessageUid }))
    const prescriptions = rowsOf(Schema.Struct({ uid: PrescriptionUid }))
    const merges = rowsOf(Schema.Struct({ merged_uid: PatientUid }))
    const columns = sql.literal(columnsOf(Erasure))

    /**
     * The patient, erased or not, locked until the transaction ends, so that no new row can refer to it. Fails with `PatientNotFound`.
     */
    const lockPatient = (owner: OrganisationUid, uid: PatientUid) =>
      patients.firstOr(
        sql`SELECT ${sql.literal(columnsOf(Patient))}, erased_at IS NOT NULL AS erased FROM patients
          WHERE organisation_uid = ${owner} AND uid = ${uid} FOR UPDATE`,
        () => new PatientNotFound()
      )

    /** Locks prescriptions until the transaction ends. */
    const lockPrescriptions = (owner: OrganisationUid, uids: ReadonlyArray<PrescriptionUid>) =>
      Effect.orDie(sql`SELECT FROM prescriptions WHERE organisation_uid = ${owner} AND uid = ANY (${[...uids]})
        ORDER BY uid FOR NO KEY UPDATE`)

    const find = (owner: OrganisationUid, uid: PatientUid) =>
      erasures.first(sql`SELECT ${columns} FROM erasures WHERE organisation_uid = ${owner} AND patient_uid = ${uid}`)

    /** Earlier records of the patient; a merge moves those of the record that goes, so the chain is one step long. */
    const mergedUids = (owner: OrganisationUid, uid: PatientUid) =>
      Effect.map(
        merges.all(sql`SELECT merged_uid FROM patient_merges WHERE organisation_uid = ${owner} AND patient_uid = ${uid}
          ORDER BY merged_uid`),
        (rows) => rows.map(({ merged_uid }) => merged_uid)
      )

    const orderStates = (orders: ReadonlyArray<OrderRef>) =>
      states.all(sql`SELECT o.pharmacy_uid, o.uid AS pharmacy_order_uid, o.status, o.prescription_uid
          FROM jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) AS k(pharmacy_uid text, pharmacy_order_uid text)
            JOIN pharmacy_orders o ON o.pharmacy_uid = k.pharmacy_uid AND o.uid = k.pharmacy_order_uid`)

    /** The orders in progress that carry one of these prescriptions, in whatever name. */
    const openOrdersOf = (owner: OrganisationUid, uids: ReadonlyArray<PrescriptionUid>) =>
      carriers.all(sql`SELECT o.pharmacy_uid, o.uid AS pharmacy_order_uid FROM pharmacy_orders o
        WHERE o.organisation_uid = ${owner} AND o.prescription_uid = ANY (${[...uids]})
          AND o.status NOT IN ('completed', 'rejected', 'cancelled')`)

    /** The organisation's prescriptions among these. */
    const ownPrescriptions = (owner: OrganisationUid, uids: ReadonlyArray<PrescriptionUid>) =>
      Effect.map(
        prescriptions.all(
          sql`SELECT uid FROM prescriptions WHERE organisation_uid = ${owner} AND uid = ANY (${[...uids]})`
        ),
        (found) => new Set(found.map(({ uid }) => uid))
      )

    /** Deletes or blanks the patient's rows; returns the number of each kind. Events of orders belong to pharmacies. */
    const wipe = Effect.fn("ErasuresRepo.wipe")(function* (subject: Subject) {
      const gone = new Map<string, number>()
      const erase = Effect.fnUntraced(function* ({ what, table, set, rows }: Trace) {
        const change =
          set === undefined ? sql`DELETE FROM ${sql(table)}` : sql`UPDATE ${sql(table)} SET ${sql.literal(set)}`
        const count = yield* countOf(sql`WITH gone AS (${change} WHERE ${rows} RETURNING 1) SELECT count(*) FROM gone`)
        gone.set(what, (gone.get(what) ?? 0) + count)
      })
      yield* Effect.forEach(traces(subject, subject.organisation_uid), erase, { discard: true })
      for (const pharmacy_uid of subject.pharmacy_uids)
        yield* Effect.forEach(
          traces(subject, pharmacy_uid).filter(({ pharmacies }) => pharmacies),
          erase,
          { discard: true }
        ).pipe(withOwner({ pharmacy_uid }))
      return [...gone].map(([what, count]) => ({ what, count }))
    })

    /** Adds an erasure to the list; a later one of the same patient, once orders have ended, replaces what is pending. */
    const note = Effect.fn("ErasuresRepo.note")(function* (
      erasure: Erasure,
      reason: string | null,
      orders_in_progress: number
    ) {
      const { organisation_uid, patient_uid, erased_at, ...linked } = erasure
      const key = { organisation_uid, patient_uid }
      const row = { ...linked, orders: JSON.stringify(linked.orders), orders_in_progress }
      const once = { reason_encrypted: yield* envelope.seal(placeOf(erasure), reason), erased_at: timestamp(erased_at) }
      yield* sql`INSERT INTO erasures ${sql.insert({ ...key, ...row, ...once })}
        ON CONFLICT (organisation_uid, patient_uid) DO UPDATE SET ${sql.update(row)}`
    }, Effect.orDie)

    /** Messages about the patient's appointments, to any recipient. */
    const messagesAbout = (owner: OrganisationUid, appointments: ReadonlyArray<AppointmentUid>) =>
      Effect.map(
        messages.all(sql`SELECT uid FROM messages
          WHERE organisation_uid = ${owner} AND appointment_uid = ANY (${[...appointments]})`),
        (rows) => rows.map(({ uid }) => uid)
      )

    const audited = (owner: OrganisationUid, uid: PatientUid) =>
      countOf(sql`SELECT count(*) FROM audit_entries
        WHERE owner_uid = ${owner} AND (subject = ${uid} OR actor_kind = 'patient' AND actor_uid = ${uid})`)

    /** Sealed rows of the patient that retention deletes: how many of each kind, and when the last period began. */
    const left = (owner: OrganisationUid, uid: PatientUid) =>
      Effect.forEach(
        retentionRules().filter(({ table }) => keptRecords().includes(table)),
        ({ table, since, after }) =>
          Effect.map(
            leftRows.one(sql`SELECT count(*), max(${sql(since)}) AS since FROM ${sql(table)}
              WHERE organisation_uid = ${owner} AND patient_uid = ${uid} ${table === "form_files" ? sql`AND status <> 'expired'` : sql``}`),
            (rows) => ({ what: table, after, ...rows })
          )
      )

    /** The whole list, oldest first. */
    const list = erasures.all(sql`SELECT ${columns} FROM erasures ORDER BY erased_at, patient_uid`)
    /** An organisation's erasures that had orders in progress, and the number of these. */
    const pending = (owner: OrganisationUid) =>
      unfinished.all(sql`SELECT ${sql.literal(columnsOf(Pending))} FROM erasures
        WHERE organisation_uid = ${owner} AND orders_in_progress > 0 ORDER BY erased_at`)

    return {
      lockPatient,
      lockPrescriptions,
      find,
      mergedUids,
      orderStates,
      openOrdersOf,
      ownPrescriptions,
      messagesAbout,
      wipe,
      note,
      audited,
      left,
      list,
      pending
    } as const
  })
}) {}
