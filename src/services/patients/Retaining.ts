/** What of a patient's data the law has the organisation keep, read before it is erased (Rule 12.2.6). */
import { Array as Arr, Effect, Option, Stream } from "effect"
import type { Patient } from "../../schemas/access/Patient.ts"
import { UnixSeconds } from "../../schemas/fields.ts"
import type { PrescriptionUid } from "../../schemas/ids.ts"
import type { Consent } from "../../schemas/patients/Consent.ts"
import type { ExportedNote } from "../../schemas/patients/PatientRights.ts"
import type { Retention } from "../../schemas/patients/retention.ts"
import type { PrescriptionStatus } from "../../schemas/prescriptions/PrescriptionStates.ts"
import type { Appointment } from "../../schemas/scheduling/Appointment.ts"
import { DAY } from "../../schemas/seconds.ts"
import type { StoredOrder } from "../pharmacy/OrdersRepo.ts"
import { FileMissing } from "../prescriptions/FileStore.ts"
import { PrescriptionFiles } from "../prescriptions/PrescriptionFiles.ts"
import { refOf, type StoredPrescription } from "../prescriptions/PrescriptionsRepo.ts"
import type { Retained } from "./RetainedRecords.ts"

/** A patient's records as they are before the erasure; the patient is null where the profile is erased already. */
export interface Records {
  readonly patient: Patient | null
  readonly appointments: ReadonlyArray<Appointment>
  readonly notes: ReadonlyArray<typeof ExportedNote.Type>
  readonly prescriptions: ReadonlyArray<StoredPrescription>
  readonly orders: ReadonlyArray<StoredOrder>
  readonly consents: ReadonlyArray<Consent>
  /** PDFs of prescriptions in base64. */
  readonly pdfs: ReadonlyMap<PrescriptionUid, string>
}

interface Demand {
  readonly why: string
  readonly count: number
  readonly records: ReadonlyArray<Retained>
}

const sealed = "Kept sealed, in no list and no search; `cli patients kept` opens it for whoever the law entitles to it."
export const why = {
  treatments: `§ 630f (3) BGB: medical records are kept for ten years after the end of treatment. ${sealed}`,
  files: `§ 630f (3) BGB: signed prescriptions are part of the medical record. ${sealed}`,
  orders: `§ 147 AO, § 257 HGB: vouchers of paid orders. ${sealed}`
} as const

const signed: ReadonlySet<PrescriptionStatus> = new Set(["SIGNED", "EXTERNALLY_SIGNED", "DISPATCHED", "COMPLETED"])
/** Whether it is part of the medical record: an unsigned prescription is not. */
export const isRecord = ({ status, patient }: StoredPrescription) =>
  signed.has(status) && (patient.first_name !== null || patient.last_name !== null)

const tookPlace = ({ status, end_date }: Appointment, now: number) =>
  status === "completed" || status === "no_show" || (status === "confirmed" && end_date <= now)

const isVoucher = ({ paid, patient, shipping_address }: StoredOrder) =>
  paid && (patient !== null || shipping_address !== null)

/** The latest of some times, with a period after it. */
const after = (times: ReadonlyArray<number>, days: number) => UnixSeconds.make(Math.max(...times) + days * DAY)

/** By the kind of data; what there is nothing of is left out. */
export const demandsOf = (
  { patient, appointments, notes, prescriptions, orders, consents, pdfs }: Records,
  retention: Retention,
  now: number
): Readonly<Record<keyof typeof why, Demand | undefined>> => {
  const treated = patient === null ? [] : appointments.filter((one) => tookPlace(one, now))
  const prescribed = prescriptions.filter(isRecord)
  const vouchers = orders.filter(isVoucher)
  const ends = [...treated.map((one) => one.end_date), ...prescribed.map((one) => one.updated_at)]
  const demand = (
    what: keyof typeof why,
    contents: ReadonlyArray<unknown>,
    count: number,
    kept_until: () => UnixSeconds
  ) =>
    count === 0
      ? undefined
      : { why: why[what], count, records: contents.map((content) => ({ what, content, kept_until: kept_until() })) }
  const untilTreated = () => after(ends, retention.records)
  const files = Arr.filterMap(prescribed, ({ uid, file }) =>
    Option.map(Option.fromNullable(pdfs.get(uid)), (pdf_base64) => ({
      prescription_uid: uid,
      sha256: file?.sha256,
      pdf_base64
    }))
  )
  const treatment = { patient, appointments: treated, notes, prescriptions: prescribed, consents }
  return {
    treatments: demand("treatments", [treatment], treated.length + prescribed.length, untilTreated),
    files: demand("files", files, files.length, untilTreated),
    orders: demand("orders", [{ orders: vouchers }], vouchers.length, () =>
      after(
        vouchers.map((one) => one.updated_at),
        retention.orders
      )
    )
  }
}

export class Retaining extends Effect.Service<Retaining>()("patients/Retaining", {
  effect: Effect.gen(function* () {
    const files = yield* PrescriptionFiles

    /** The PDFs that are part of the medical record, read outside of any transaction. One that is missing is left out. */
    const pdfsOf = Effect.fn("Retaining.pdfsOf")(function* (prescriptions: ReadonlyArray<StoredPrescription>) {
      const found = new Map<PrescriptionUid, string>()
      for (const prescription of prescriptions.filter(isRecord)) {
        if (prescription.file === null) continue
        const bytes = yield* files.read(refOf(prescription), prescription.file).pipe(
          Effect.flatMap((pieces) => Stream.runCollect(pieces)),
          Effect.map((pieces) => Buffer.concat([...pieces]).toString("base64")),
          Effect.asSome,
          Effect.orDie,
          Effect.catchSomeDefect((defect) =>
            defect instanceof FileMissing ? Option.some(Effect.succeedNone) : Option.none()
          )
        )
        if (Option.isSome(bytes)) found.set(prescription.uid, bytes.value)
      }
      return found
    })
    return { pdfsOf } as const
  }),
  dependencies: [PrescriptionFiles.Default]
}) {}
