/** Export of all data of a patient under Articles 15 and 20 GDPR (Rules 12.2.1 and 12.2.4). */
import { Array, Effect, Number } from "effect"
import type { Actor } from "../../../schemas/access/Actor.ts"
import type { Event } from "../../../schemas/events/catalogue.ts"
import type { OwnerUid } from "../../../schemas/events/definition.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import type { OrganisationUid, PatientUid } from "../../../schemas/ids.ts"
import type { Prescription } from "../../../schemas/prescriptions/Prescription.ts"
import { FILE_ADDRESS_SECONDS } from "../../../services/access/fileAddresses.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { columnsOf, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { Extensions } from "../../../services/Extensions.ts"
import { EventLog } from "../../../services/events/EventLog.ts"
import { Consents } from "../../../services/patients/Consents.ts"
import { PatientsRepo } from "../../../services/patients/PatientsRepo.ts"
import { OrdersRepo } from "../../../services/pharmacy/OrdersRepo.ts"
import { shownChange } from "../../../services/pharmacy/shopChanges.ts"
import { Prescriptions } from "../../../services/prescriptions/Prescriptions.ts"
import { PrescriptionsRepo } from "../../../services/prescriptions/PrescriptionsRepo.ts"
import { ANSWER_LIMITS } from "../../../services/recordLimits.ts"
import { Service } from "../../../services/Service.ts"
import { AppointmentLists } from "../../../services/scheduling/appointments/AppointmentLists.ts"
import { Belongings, type OrderRef } from "../../shared/services/patients/Belongings.ts"
import { type PatientExport as Exported, exported } from "../schemas/PatientRights.ts"
import { HeldRecords, ofEachPharmacy, tooLarge } from "./HeldRecords.ts"

const MIB = 1024 * 1024

export class PatientExport extends Service<PatientExport>()("rights/PatientExport", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const { transaction } = yield* Database
    const patients = yield* PatientsRepo
    const belongings = yield* Belongings
    const held = yield* HeldRecords
    const lists = yield* AppointmentLists
    const prescriptions = yield* Prescriptions
    const prescriptionsRepo = yield* PrescriptionsRepo
    const orders = yield* OrdersRepo
    const consents = yield* Consents
    const extensions = yield* Extensions
    const events = yield* EventLog
    const messages = rowsOf(exported.message)
    const sessions = rowsOf(exported.session)
    const shopOrders = rowsOf(exported.shopOrder)

    const ordersOf = (ordered: ReadonlyArray<OrderRef>) =>
      Effect.map(
        ofEachPharmacy(ordered, (pharmacy_uid, uids) =>
          Effect.map(
            orders.findAll(pharmacy_uid, uids),
            Array.map(({ organisation_uid: _, takes_stock: __, parked_payouts: ___, shop_change, ...order }) => ({
              pharmacy_uid,
              ...order,
              shop_change: shownChange(shop_change)
            }))
          )
        ),
        (found) => found.flat()
      )

    const fileOf = ({ uid, file }: Prescription, expires_at: UnixSeconds) =>
      file === null ? [] : [{ name: `${uid}.pdf`, sha256: file.sha256, url: file.url, expires_at }]

    /** Runs `read` for the subjects of the organisation's events, and for those of each pharmacy's. */
    const ofEachOwner = <A, E, R>(
      owner: OrganisationUid,
      subjects: ReadonlyArray<string>,
      ordered: ReadonlyArray<OrderRef>,
      read: (owner: OwnerUid, subjects: ReadonlyArray<string>) => Effect.Effect<A, E, R>
    ) =>
      Effect.zipWith(read(owner, subjects), ofEachPharmacy(ordered, read), (own, ofPharmacies) => [
        own,
        ...ofPharmacies
      ])

    const eventsOf = (...of: [OrganisationUid, ReadonlyArray<string>, ReadonlyArray<OrderRef>]) =>
      Effect.map(ofEachOwner(...of, events.ofSubjects), (found) =>
        found.flat().toSorted((a: Event, b: Event) => a.timestamp - b.timestamp)
      )

    const ensureFewEvents = (...of: [OrganisationUid, ReadonlyArray<string>, ReadonlyArray<OrderRef>]) =>
      Effect.filterOrFail(
        ofEachOwner(...of, events.sizeOfSubjects),
        (sizes) => Number.sumAll(sizes) <= ANSWER_LIMITS.patientEventBytes,
        () => tooLarge(`${ANSWER_LIMITS.patientEventBytes / MIB} MiB of events`)
      )

    /** The records of capabilities. */
    const addedOf = (owner: OrganisationUid, uid: PatientUid) =>
      Effect.flatMap(extensions.having("ofPatient"), (all) =>
        Effect.all(Object.fromEntries(all.flatMap(({ ofPatient }) => Object.entries(ofPatient?.(owner, uid) ?? {}))))
      )

    /** Exports everything, and publishes the event. Fails with `PatientNotFound`, and with `Invalid` for more than `most` records. */
    const make = Effect.fn("PatientExport.make")(function* (
      owner: OrganisationUid,
      uid: PatientUid,
      actor: Actor,
      most?: number
    ) {
      const patient = yield* patients.find(owner, uid)
      const now = yield* clock.now
      const linked = yield* belongings.recorded(owner, patient)
      if (most !== undefined) yield* held.ensureAtMost(owner, uid, linked, most)
      const { prescription_uids, orders: ordered, shop_order_ids } = linked
      const appointments = yield* lists.ofPatient(owner, uid)
      const own = sql`organisation_uid = ${owner} AND patient_uid = ${uid}`
      const refs = prescription_uids.map((prescription_uid) => ({ organisation_uid: owner, prescription_uid }))
      const prescribed = yield* Effect.forEach(yield* prescriptionsRepo.findAll(refs), prescriptions.shown)
      const subjects = [uid, ...appointments.map((one) => one.uid), ...prescription_uids]
      if (most !== undefined) yield* ensureFewEvents(owner, subjects, ordered)
      const found: Exported = {
        patient,
        appointments,
        notes: yield* held.notes(owner, uid),
        prescriptions: prescribed,
        orders: yield* ordersOf(ordered),
        shop_orders: yield* shopOrders.all(sql`SELECT ${sql.literal(columnsOf(exported.shopOrder))} FROM embedded_orders
          WHERE organisation_uid = ${owner} AND id = ANY (${[...shop_order_ids]}) ORDER BY created_at`),
        messages: yield* messages.all(sql`SELECT ${sql.literal(columnsOf(exported.message))} FROM messages
          WHERE organisation_uid = ${owner} AND recipient_role = 'patient' AND recipient_uid = ${uid}
          ORDER BY created_at, uid`),
        ...(yield* addedOf(owner, uid)),
        consents: yield* consents.list(owner, uid),
        sessions: yield* sessions.all(sql`SELECT ${sql.literal(columnsOf(exported.session))} FROM booking_sessions
          WHERE ${own} ORDER BY created_at, uid`),
        files: prescribed.flatMap((one) => fileOf(one, UnixSeconds.make(now + FILE_ADDRESS_SECONDS))),
        events: yield* eventsOf(owner, subjects, ordered),
        exported_at: now
      }
      const data = { patient_uid: uid, actor }
      yield* events.append({ organisation_uid: owner, type: "patient.exported", subject: uid, data })
      return found
    }, transaction)

    return { make } as const
  }),
  dependencies: [
    AppointmentLists.Default,
    Belongings.Default,
    Consents.Default,
    HeldRecords.Default,
    OrdersRepo.Default,
    PatientsRepo.Default,
    Prescriptions.Default,
    PrescriptionsRepo.Default
  ]
}) {}
