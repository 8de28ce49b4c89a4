/** Selects the data that the law requires to be retained, before it is erased (Rule 12.2.6). */
import { Effect, Option, Stream } from "effect"
import type { Patient } from "../../../schemas/access/Patient.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import type { OrganisationUid, PatientUid, PrescriptionUid } from "../../../schemas/ids.ts"
import type { Consent } from "../../../schemas/patients/Consent.ts"
import type { PrescriptionStatus } from "../../../schemas/prescriptions/PrescriptionStates.ts"
import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { DAY } from "../../../schemas/seconds.ts"
import type { StoredOrder } from "../../../services/pharmacy/OrdersRepo.ts"
import { FileMissing } from "../../../services/prescriptions/FileStore.ts"
import { PrescriptionFiles } from "../../../services/prescriptions/PrescriptionFiles.ts"
import { refOf, type StoredPrescription } from "../../../services/prescriptions/PrescriptionsRepo.ts"
import { Service } from "../../../services/Service.ts"
import type { CurrentTenant } from "../../../services/tenancy/Tenancy.ts"
import type { Retention } from "../../shared/schemas/retention.ts"
import type { BoughtOrder } from "../../shared/services/patients/Belongings.ts"
import type { ExportedNote } from "../schemas/PatientRights.ts"
import { type Retained, RetainedRecords, type RetainedRecordUid } from "./RetainedRecords.ts"

/** A patient's records before the erasure; the patient is null if the profile is already erased. */
export interface Records {
  readonly patient: Patient | null
  readonly appointments: ReadonlyArray<Appointment>
  readonly notes: ReadonlyArray<typeof ExportedNote.Type>
  readonly prescriptions: ReadonlyArray<StoredPrescription>
  readonly orders: ReadonlyArray<StoredOrder>
  /** Orders that the patient bought for others. */
  readonly bought: ReadonlyArray<BoughtOrder>
  readonly consents: ReadonlyArray<Consent>
  readonly pdfs: RetainedPdfs
}

/** The retained record of each prescription's PDF; null if the store has none. */
export type RetainedPdfs = ReadonlyMap<PrescriptionUid, RetainedRecordUid | null>

interface Demand {
  readonly why: string
  readonly count: number
  readonly kept_until: UnixSeconds
  /** Records to add. */
  readonly records: ReadonlyArray<Retained>
  /** Records already added. */
  readonly added: ReadonlyArray<RetainedRecordUid>
}

const sealed = "Kept sealed, in no list and no search; `cli patients kept` opens it for whoever the law entitles to it."
export const why = {
  treatments: `§ 630f (3) BGB: medical records are kept for ten years after the end of treatment. ${sealed}`,
  files: `§ 630f (3) BGB: signed prescriptions are part of the medical record. ${sealed}`,
  orders: `§ 147 AO, § 257 HGB: vouchers of paid orders. ${sealed}`
} as const

const signed: ReadonlySet<PrescriptionStatus> = new Set(["SIGNED", "EXTERNALLY_SIGNED", "DISPATCHED", "COMPLETED"])
/** Whether it is part of the medical record, which an unsigned prescription is not. */
export const isRecord = ({ status, patient }: StoredPrescription) =>
  signed.has(status) && (patient.first_name !== null || patient.last_name !== null)

const isTreatment = ({ status, end_date }: Appointment, now: number) =>
  status === "completed" || status === "no_show" || (status === "confirmed" && end_date <= now)

const isVoucher = ({ paid, patient, shipping_address }: StoredOrder) =>
  paid && (patient !== null || shipping_address !== null)

/** The latest of these times plus a retention period. */
const after = (times: ReadonlyArray<number>, days: number) => UnixSeconds.make(Math.max(...times) + days * DAY)

/** By kind of data; kinds without data are undefined. */
export const demandsOf = (
  { patient, appointments, notes, prescriptions, orders, bought, consents, pdfs }: Records,
  retention: Retention,
  now: number
): Readonly<Record<keyof typeof why, Demand | undefined>> => {
  const treated = patient === null ? [] : appointments.filter((one) => isTreatment(one, now))
  const prescribed = prescriptions.filter(isRecord)
  const vouchers = orders.filter(isVoucher)
  const paid = bought.flatMap(({ id, email, phone, billing_address, shipping_address, paid_at }) =>
    paid_at === null ? [] : [{ id, email, phone, billing_address, shipping_address, paid_at }]
  )
  const ends = [...treated.map((one) => one.end_date), ...prescribed.map((one) => one.updated_at)]
  const demand = (
    what: keyof typeof why,
    contents: ReadonlyArray<unknown>,
    count: number,
    until: () => UnixSeconds,
    added: ReadonlyArray<RetainedRecordUid> = []
  ): Demand | undefined => {
    if (count === 0) return undefined
    const kept_until = until()
    return {
      why: why[what],
      count,
      kept_until,
      records: contents.map((content) => ({ what, content, kept_until })),
      added
    }
  }
  const untilTreated = () => after(ends, retention.records)
  const files = prescribed.flatMap(({ uid }) => pdfs.get(uid) ?? [])
  const treatment = { patient, appointments: treated, notes, prescriptions: prescribed, consents }
  return {
    treatments: demand("treatments", [treatment], treated.length + prescribed.length, untilTreated),
    files: demand("files", [], files.length, untilTreated, files),
    orders: demand("orders", [{ orders: vouchers, bought: paid }], vouchers.length + paid.length, () =>
      after([...vouchers.map((one) => one.updated_at), ...paid.map((one) => one.paid_at)], retention.orders)
    )
  }
}

export class Retaining extends Service<Retaining>()("rights/Retaining", {
  effect: Effect.gen(function* () {
    const files = yield* PrescriptionFiles
    const retained = yield* RetainedRecords

    /**
     * Stores each PDF of the medical record as a retained record, for one day at first: outside of any transaction, and one at a time,
     * since together they may exceed memory. If the erasure fails, retention deletes them.
     */
    const addPdfs = Effect.fn("Retaining.addPdfs")(function* (
      owner: OrganisationUid,
      patient: PatientUid,
      prescriptions: ReadonlyArray<StoredPrescription>,
      now: UnixSeconds
    ): Effect.fn.Return<RetainedPdfs, never, CurrentTenant> {
      const added = new Map<PrescriptionUid, RetainedRecordUid | null>()
      for (const prescription of prescriptions.filter(isRecord)) {
        if (prescription.file === null) continue
        const { uid: prescription_uid } = prescription
        const { sha256 } = prescription.file
        const pdf = yield* files.read(refOf(prescription), prescription.file).pipe(
          Effect.flatMap((pieces) => Stream.runCollect(pieces)),
          Effect.map((pieces) => Buffer.concat([...pieces]).toString("base64")),
          Effect.asSome,
          Effect.orDie,
          Effect.catchSomeDefect((defect) =>
            defect instanceof FileMissing ? Option.some(Effect.succeedNone) : Option.none()
          )
        )
        const kept_until = UnixSeconds.make(now + DAY)
        const uid = yield* Effect.transposeMapOption(pdf, (pdf_base64) => {
          const content = { prescription_uid, sha256, pdf_base64 }
          return retained.add(owner, patient, { what: "files", content, kept_until }, now)
        })
        added.set(prescription_uid, Option.getOrNull(uid))
      }
      return added
    })
    return { addPdfs } as const
  }),
  dependencies: [PrescriptionFiles.Default, RetainedRecords.Default]
}) {}
