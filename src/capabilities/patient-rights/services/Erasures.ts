/** Erasure of a patient under Article 17 GDPR, except data that the law requires to be retained (Rules 12.2.2 to 12.2.8). */
import { Data, Effect, Number, Option } from "effect"
import { type Actor, system } from "../../../schemas/access/Actor.ts"
import { PatientNotFound } from "../../../schemas/access/errors.ts"
import type { UnixSeconds } from "../../../schemas/fields.ts"
import type { OrganisationUid, PatientUid, PrescriptionUid } from "../../../schemas/ids.ts"
import { isFinalOrder } from "../../../schemas/pharmacy/PharmacyOrderStates.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { EventLog } from "../../../services/events/EventLog.ts"
import { INSTALLATION } from "../../../services/Idempotency.ts"
import type { RetentionRule } from "../../../services/operation/addedRetention.ts"
import { Consents } from "../../../services/patients/Consents.ts"
import { PatientsRepo } from "../../../services/patients/PatientsRepo.ts"
import { OrdersRepo } from "../../../services/pharmacy/OrdersRepo.ts"
import { Prescriptions } from "../../../services/prescriptions/Prescriptions.ts"
import { PrescriptionsRepo } from "../../../services/prescriptions/PrescriptionsRepo.ts"
import { Jobs } from "../../../services/queue/Jobs.ts"
import { Service } from "../../../services/Service.ts"
import { AppointmentLists } from "../../../services/scheduling/appointments/AppointmentLists.ts"
import { Appointments } from "../../../services/scheduling/appointments/Appointments.ts"
import { Owners } from "../../../services/tenancy/Owners.ts"
import { onlyOwner } from "../../../services/tenancy/Tenancy.ts"
import { forEachThenFail } from "../../shared/services/forEachThenFail.ts"
import { Organisations } from "../../shared/services/Organisations.ts"
import { Belongings, keyOf, type Linked } from "../../shared/services/patients/Belongings.ts"
import { ERASURE_LIST_DAYS } from "../schemas/erasureList.ts"
import type { Erased, NewErasure } from "../schemas/PatientRights.ts"
import { type Erasure, ErasuresRepo } from "./ErasuresRepo.ts"
import { HeldRecords, ofEachPharmacy } from "./HeldRecords.ts"
import { RetainedRecords } from "./RetainedRecords.ts"
import { demandsOf, isRecord, Retaining } from "./Retaining.ts"

const NAMELESS = "Times, doctors and statuses without a name: the practice's calendar and its totals."
const IN_PROGRESS =
  "Art. 17 (1) (a) GDPR: an order in progress needs its recipient; erased once it is completed, rejected or cancelled."
const ANOTHERS = "The order is another's: only its buyer's contact data and address are erased."
const AUDITED = "Art. 5 (2), Art. 32 GDPR: the audit log holds uids and no names, and cannot be changed."
const SEALED = "§ 630f (3) BGB: part of the medical record. Kept sealed, and shown to nobody."
const LISTED = "Art. 5 (2) GDPR: the uids alone, so that a restored backup is erased again."

/** A prescription was signed after the PDFs were read. */
class PdfsOutdated extends Data.TaggedError("PdfsOutdated") {}

interface Request extends Pick<Erasure, "organisation_uid" | "patient_uid"> {
  readonly actor: Actor
  readonly reason: string | null
  /** The patient's earlier erasure, to apply again. */
  readonly before?: Erasure
  /** Prescriptions of the patient under another name, as named by the caller. */
  readonly prescription_uids?: ReadonlyArray<PrescriptionUid>
  /** Maximum records of the patient. */
  readonly most?: number | undefined
}

const union = <A>(one: ReadonlyArray<A>, other: ReadonlyArray<A>) => [
  ...new Map([...one, ...other].map((value) => [JSON.stringify(value), value])).values()
]
const joined = (one: Linked, other: Linked): Linked => ({
  prescription_uids: union(one.prescription_uids, other.prescription_uids),
  orders: union(one.orders, other.orders),
  shop_order_ids: union(one.shop_order_ids, other.shop_order_ids)
})
const nothing: Linked = { prescription_uids: [], orders: [], shop_order_ids: [] }

declare module "../../../services/tenancy/Owners.ts" {
  interface DueOwners {
    readonly erasures: OrganisationUid
  }
}

export class Erasures extends Service<Erasures>()("rights/Erasures", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const owners = yield* Owners
    const repo = yield* ErasuresRepo
    const belongings = yield* Belongings
    const held = yield* HeldRecords
    const patients = yield* PatientsRepo
    const organisations = yield* Organisations
    const appointments = yield* Appointments
    const lists = yield* AppointmentLists
    const prescriptionsRepo = yield* PrescriptionsRepo
    const prescriptions = yield* Prescriptions
    const orders = yield* OrdersRepo
    const consents = yield* Consents
    const retaining = yield* Retaining
    const retained = yield* RetainedRecords
    const events = yield* EventLog
    const jobs = yield* Jobs

    const storedPrescriptions = (organisation_uid: OrganisationUid, { prescription_uids }: Linked) =>
      prescriptionsRepo.findAll(prescription_uids.map((prescription_uid) => ({ organisation_uid, prescription_uid })))

    /**
     * The records that can be erased now; orders in progress and their prescriptions follow later: `orders` contains those too, also of
     * prescriptions in another name. Prescriptions named by the caller that are not the organisation's are ignored.
     */
    const split = Effect.fnUntraced(function* (owner: OrganisationUid, linked: Linked) {
      const own = yield* repo.ownPrescriptions(owner, linked.prescription_uids)
      const orders = union(linked.orders, yield* repo.openOrdersOf(owner, linked.prescription_uids))
      const states = yield* repo.orderStates(orders)
      const open = states.filter(({ status }) => !isFinalOrder(status))
      const carried = new Set(open.map(({ prescription_uid }) => prescription_uid))
      const isOpen = new Set(open.map(({ pharmacy_order_uid }) => pharmacy_order_uid))
      const now: Linked = {
        prescription_uids: linked.prescription_uids.filter((uid) => own.has(uid) && !carried.has(uid)),
        orders: orders.filter(({ pharmacy_order_uid }) => !isOpen.has(pharmacy_order_uid)),
        shop_order_ids: linked.shop_order_ids
      }
      return { now, open: open.length, orders }
    })

    /** Queues jobs that delete stored idempotent answers of the organisation, and of the pharmacies of these orders. */
    const forgetAnswers = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      uids: ReadonlyArray<string>,
      { orders: erased }: Linked
    ) {
      const order_uids = erased.map(({ pharmacy_order_uid }) => pharmacy_order_uid)
      const pharmacies = new Set(erased.map(({ pharmacy_uid }) => pharmacy_uid))
      // answers to the key of a pharmacy group belong to the installation
      const others = erased.length === 0 ? [] : [...pharmacies, INSTALLATION]
      yield* jobs.sendAll("answers.forget", [
        { owner_uid: owner, identifiers: uids },
        ...others.map((owner_uid) => ({ owner_uid, identifiers: order_uids }))
      ])
    })

    const endPrescriptions = Effect.fnUntraced(function* (
      organisation_uid: OrganisationUid,
      linked: Linked,
      actor: Actor
    ) {
      for (const prescription_uid of linked.prescription_uids) {
        const ref = { organisation_uid, prescription_uid }
        yield* prescriptions
          .cancel(ref, "The patient was erased", actor)
          .pipe(
            Effect.catchTags({ PrescriptionNotCancellable: () => Effect.void, PrescriptionNotFound: () => Effect.void })
          )
        yield* jobs.send("prescription.forget", ref)
      }
    })

    /**
     * Fails with `PatientNotFound`, or with `Invalid` for more than `most` records. The PDFs to retain are read before the transaction,
     * which must not call the file store.
     */
    const attempt = Effect.fnUntraced(function* (request: Request) {
      const { organisation_uid: owner, patient_uid: uid, actor, reason, prescription_uids = [], most } = request
      const before = joined(request.before ?? nothing, { ...nothing, prescription_uids })
      const expected = yield* repo.lockPatient(owner, uid).pipe(
        Effect.flatMap((patient) => belongings.recorded(owner, patient)),
        Effect.map((linked) => joined(before, linked)),
        Effect.tap((linked) => (most === undefined ? Effect.void : held.ensureAtMost(owner, uid, linked, most))),
        Effect.flatMap((linked) => split(owner, linked)),
        transaction
      )
      const signed = yield* storedPrescriptions(owner, expected.now)
      const pdfs = yield* retaining.addPdfs(owner, uid, signed, yield* clock.now)
      return yield* transaction(
        Effect.gen(function* () {
          const patient = yield* repo.lockPatient(owner, uid)
          const now = yield* clock.now
          const linked = joined(before, yield* belongings.recorded(owner, patient))
          // so that each prescription is either signed and retained, or can no longer be signed, and that no order is made of it
          yield* repo.lockPrescriptions(owner, linked.prescription_uids)
          const merged_uids = union(request.before?.merged_uids ?? [], yield* repo.mergedUids(owner, uid))
          const part = yield* split(owner, linked)
          const prescribed = yield* storedPrescriptions(owner, part.now)
          if (prescribed.some((one) => isRecord(one) && one.file !== null && !pdfs.has(one.uid)))
            return yield* new PdfsOutdated()
          const appointment_uids = yield* held.lockAppointments(owner, uid)
          const found = yield* lists.ofPatient(owner, uid)
          const live = found.filter(
            ({ status, end_date }) => (status === "held" || status === "confirmed") && end_date > now
          )
          const bought = yield* held.boughtForOthers(owner, patient)
          const { retention } = yield* Effect.orDie(organisations.find(owner))
          const demands = demandsOf(
            {
              patient: patient.erased ? null : patient,
              appointments: found,
              notes: yield* held.notes(owner, uid),
              prescriptions: prescribed,
              orders: (yield* ofEachPharmacy(part.now.orders, orders.findAll)).flat(),
              bought,
              consents: patient.erased ? [] : yield* consents.list(owner, uid),
              pdfs
            },
            retention,
            now
          )
          for (const { records, added, kept_until } of Object.values(demands).filter((one) => one !== undefined)) {
            yield* Effect.forEach(records, (record) => retained.add(owner, uid, record, now), { discard: true })
            yield* retained.keep(owner, added, kept_until)
          }
          const message_uids = yield* repo.messagesAbout(owner, appointment_uids)
          if (message_uids.length > 0) yield* jobs.send("message.forget", { organisation_uid: owner, message_uids })
          // A prescription without an order concerns the shop's default pharmacy
          const candidates = [
            ...part.now.orders.map(({ pharmacy_uid }) => pharmacy_uid),
            ...prescribed.flatMap(({ default_pharmacy_uid }) => default_pharmacy_uid ?? [])
          ]
          const pharmacy_uids = [...new Set(candidates)]
          const subject = {
            organisation_uid: owner,
            patient_uid: uid,
            merged_uids,
            appointment_uids,
            bought: {
              ids: bought.map(({ id }) => id),
              billed: bought.flatMap(({ id, billed_to_another }) => (billed_to_another ? [] : [id])),
              shipped: bought.flatMap(({ id, shipped_to_another }) => (shipped_to_another ? [] : [id]))
            },
            pharmacy_uids,
            ...part.now
          }
          const wiped = yield* repo.wipe(subject)
          yield* forgetAnswers(owner, [uid, ...merged_uids, ...appointment_uids], part.now)
          const live_uids = live.map((one) => one.uid)
          for (const live_uid of live_uids)
            yield* Effect.orDie(appointments.cancel({ organisation_uid: owner, actor }, live_uid, null))
          yield* endPrescriptions(owner, part.now, actor)
          const erased_at: UnixSeconds = request.before?.erased_at ?? now
          const erasure: Erasure = {
            organisation_uid: owner,
            patient_uid: uid,
            ...linked,
            orders: part.orders,
            merged_uids,
            erased_at
          }
          yield* patients.markErased(owner, uid, erased_at)
          yield* repo.note(erasure, reason, part.open)
          if (!patient.erased)
            yield* events.append({
              organisation_uid: owner,
              type: "patient.erased",
              subject: uid,
              data: { patient_uid: uid, cancelled: live_uids, actor }
            })
          const kept = (what: string, count: number, why: string, until: number | null) =>
            count === 0 ? [] : [{ what, count, why, until: until as UnixSeconds | null }]
          const periodOf = (after: RetentionRule["after"]) =>
            typeof after === "number" ? after : (retention[after.name] ?? after.days) * DAY
          const sealed = (yield* repo.left(owner, uid)).flatMap(({ what, count, since, after }) =>
            kept(what, count, SEALED, (since ?? now) + periodOf(after))
          )
          const answer: Erased = {
            erased_at,
            erased: [...wiped, { what: "cancelled_appointments", count: live.length }].filter(({ count }) => count > 0),
            kept: [
              ...Object.entries(demands).flatMap(([what, demand]) =>
                demand === undefined ? [] : kept(what, demand.count, demand.why, demand.kept_until)
              ),
              ...sealed,
              ...kept("orders_in_progress", part.open, IN_PROGRESS, null),
              ...kept("orders_of_others", bought.length, ANOTHERS, null),
              ...kept("appointments", appointment_uids.length, NAMELESS, null),
              ...kept("audit_entries", yield* repo.audited(owner, uid), AUDITED, null),
              ...kept("erasure", 1, LISTED, erased_at + ERASURE_LIST_DAYS * DAY)
            ]
          }
          return answer
        })
      )
    })
    const perform = (request: Request) =>
      attempt(request).pipe(
        Effect.retry({ times: 4, while: ({ _tag }) => _tag === "PdfsOutdated" }),
        Effect.catchTag("PdfsOutdated", Effect.die)
      )

    /**
     * Erases a patient: profile, reasons, links, sessions, messages, events, prescriptions and orders in the patient's name. Cancels
     * future appointments. Retains encrypted what the law requires. Fails with `PatientNotFound`, also for an erased patient, and with
     * `Invalid` for more than `most` records.
     */
    const erase = Effect.fn("Erasures.erase")(function* (
      owner: OrganisationUid,
      uid: PatientUid,
      actor: Actor,
      { reason, prescription_uids }: NewErasure,
      most?: number
    ) {
      if (Option.isSome(yield* repo.find(owner, uid))) return yield* new PatientNotFound()
      return yield* perform({ organisation_uid: owner, patient_uid: uid, actor, reason, prescription_uids, most })
    })

    /**
     * Applies the erasures of the list again, to the patients and to the records that were merged into theirs; returns of how many
     * patients one existed. No-op for missing ones.
     */
    const reapply = Effect.fn("Erasures.reapply")(function* (list: ReadonlyArray<Erasure>, actor: Actor = system) {
      let found = 0
      for (const before of list) {
        const { organisation_uid, patient_uid, merged_uids } = before
        const again = (uid: PatientUid) =>
          perform({
            organisation_uid,
            patient_uid: uid,
            actor,
            reason: null,
            before: uid === patient_uid ? before : { ...before, merged_uids: [] }
          }).pipe(
            Effect.as(true),
            Effect.catchTags({ PatientNotFound: () => Effect.succeed(false), Invalid: Effect.die }) // without a limit
          )
        const existed = yield* onlyOwner(organisation_uid)(Effect.forEach([patient_uid, ...merged_uids], again))
        if (existed.includes(true)) found += 1
      }
      return found
    })

    /** An organisation's erasures with orders in progress of which some have ended since; others are skipped. */
    const finishable = Effect.fnUntraced(function* (owner: OrganisationUid) {
      const pending = yield* repo.pending(owner)
      const states = yield* repo.orderStates(pending.flatMap(({ orders }) => orders))
      const open = new Set(states.filter(({ status }) => !isFinalOrder(status)).map(keyOf))
      return pending.filter(
        ({ orders, orders_in_progress }) => orders.filter((one) => open.has(keyOf(one))).length !== orders_in_progress
      )
    })

    /** Erases orders that have ended since the erasure. Returns the number of patients. */
    const finish = Effect.fn("Erasures.finish")(function* () {
      return yield* owners.eachDue("erasures", yield* clock.now, (owner) =>
        finishable(owner).pipe(
          Effect.flatMap((list) => forEachThenFail(list, (one) => reapply([one]))),
          Effect.map(Number.sumAll)
        )
      )
    })

    return { erase, reapply, finish, list: repo.list, retained: retained.open } as const
  }),
  dependencies: [
    AppointmentLists.Default,
    Appointments.Default,
    Belongings.Default,
    Consents.Default,
    ErasuresRepo.Default,
    HeldRecords.Default,
    OrdersRepo.Default,
    Organisations.Default,
    PatientsRepo.Default,
    Prescriptions.Default,
    PrescriptionsRepo.Default,
    RetainedRecords.Default,
    Retaining.Default
  ]
}) {}
