/** What an export and an erasure read of a patient's records beside `Belongings`, within what one request may hold in memory. */
import { Effect, Number, Schema } from "effect"
import type { Patient } from "../../../schemas/access/Patient.ts"
import {
  AppointmentUid,
  type OrganisationUid,
  type PatientUid,
  type PharmacyOrderUid,
  type PharmacyUid
} from "../../../schemas/ids.ts"
import { invalid } from "../../../schemas/problems.ts"
import { countOf, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { ANSWER_LIMITS } from "../../../services/recordLimits.ts"
import { Service } from "../../../services/Service.ts"
import { Envelope } from "../../../services/sealing/Envelope.ts"
import { withOwner } from "../../../services/tenancy/Tenancy.ts"
import { Belongings, type Linked, type OrderRef } from "../../shared/services/patients/Belongings.ts"
import { ExportedNote } from "../schemas/PatientRights.ts"

/** The patient has more data than one request may hold in memory. */
export const tooLarge = (most: string) =>
  invalid("patient_uid", `the patient has more than ${most}: ask the operator, who has \`cli patients\``)

/** Runs `read` for the orders of each pharmacy, as that pharmacy. */
export const ofEachPharmacy = <A, E, R>(
  refs: ReadonlyArray<OrderRef>,
  read: (pharmacy: PharmacyUid, orders: ReadonlyArray<PharmacyOrderUid>) => Effect.Effect<A, E, R>
) =>
  Effect.forEach(
    Map.groupBy(refs, ({ pharmacy_uid }) => pharmacy_uid),
    ([pharmacy_uid, some]) =>
      read(
        pharmacy_uid,
        some.map(({ pharmacy_order_uid }) => pharmacy_order_uid)
      ).pipe(withOwner({ pharmacy_uid }))
  )

export class HeldRecords extends Service<HeldRecords>()("rights/HeldRecords", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const envelope = yield* Envelope
    const { bought } = yield* Belongings
    const appointmentUids = rowsOf(Schema.Struct({ uid: AppointmentUid }))
    const noteRows = rowsOf(
      ExportedNote,
      envelope.openRows("appointment_notes", ["organisation_uid", "appointment_uid"])
    )

    /**
     * Locks the patient's appointments until the transaction ends: what is written about them concurrently, such as a reminder's event, is
     * committed before and can be erased, or written afterwards without the erased data.
     */
    const lockAppointments = Effect.fn("HeldRecords.lockAppointments")(function* (
      owner: OrganisationUid,
      patient: PatientUid
    ) {
      const rows = yield* appointmentUids.all(sql`SELECT uid FROM appointments
        WHERE organisation_uid = ${owner} AND patient_uid = ${patient} ORDER BY start_date, uid FOR UPDATE`)
      return rows.map(({ uid }) => uid)
    })

    /** Fails with `Invalid` if the patient has more records than one request may hold in memory. */
    const ensureAtMost = Effect.fn("HeldRecords.ensureAtMost")(function* (
      owner: OrganisationUid,
      patient: PatientUid,
      { prescription_uids, orders }: Linked,
      most: number
    ) {
      const count = yield* countOf(sql`SELECT count(*) FROM (SELECT FROM appointments
        WHERE organisation_uid = ${owner} AND patient_uid = ${patient} LIMIT ${most + 1}) found`)
      if (count + prescription_uids.length + orders.length > most)
        return yield* tooLarge(`${most} appointments, prescriptions and orders`)
      const lines = yield* ofEachPharmacy(orders, (pharmacy_uid, uids) =>
        countOf(sql`SELECT count(*) FROM pharmacy_order_lines WHERE pharmacy_uid = ${pharmacy_uid}
          AND pharmacy_order_uid = ANY (${[...uids]})`)
      )
      if (Number.sumAll(lines) > ANSWER_LIMITS.patientLines)
        return yield* tooLarge(`${ANSWER_LIMITS.patientLines} lines of orders`)
      const items = yield* countOf(sql`SELECT count(*) FROM (SELECT FROM prescription_items
        WHERE organisation_uid = ${owner} AND prescription_uid = ANY (${[...prescription_uids]}) LIMIT ${ANSWER_LIMITS.patientItems + 1}) found`)
      if (items > ANSWER_LIMITS.patientItems)
        return yield* tooLarge(`${ANSWER_LIMITS.patientItems} items of prescriptions`)
    })

    /** Doctors' notes on the patient's appointments. */
    const notes = Effect.fn("HeldRecords.notes")((owner: OrganisationUid, patient: PatientUid) =>
      noteRows.all(sql`SELECT n.organisation_uid, n.appointment_uid, n.note_encrypted, n.updated_at FROM appointment_notes n
        JOIN appointments a ON a.organisation_uid = ${owner} AND a.uid = n.appointment_uid
        WHERE n.organisation_uid = ${owner} AND a.patient_uid = ${patient} ORDER BY a.start_date, a.uid`)
    )

    /** What the patient bought for others. */
    const boughtForOthers = Effect.fn("HeldRecords.boughtForOthers")((owner: OrganisationUid, patient: Patient) =>
      Effect.map(bought(owner, patient), (all) => all.filter(({ for_another }) => for_another))
    )

    return { lockAppointments, ensureAtMost, notes, boughtForOthers } as const
  }),
  dependencies: [Belongings.Default]
}) {}
