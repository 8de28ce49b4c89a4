import { Effect, Layer } from "effect"
import { Conditional, recordTags } from "../../../../http/conditional.ts"
import { asDoctor } from "../../../../http/doctor/asDoctor.ts"
import { groupOf } from "../../../../http/group.ts"
import { inData } from "../../../../http/inData.ts"
import type { PrescriptionItem } from "../../../../schemas/prescriptions/Prescription.ts"
import { Invalid } from "../../../../schemas/problems.ts"
import { Catalogue } from "../../../../services/pharmacy/Catalogue.ts"
import { PrescriptionRendering } from "../../../../services/prescriptions/PrescriptionRendering.ts"
import { PrescriptionSigner } from "../../../../services/prescriptions/PrescriptionSigner.ts"
import { AppointmentLists } from "../../../../services/scheduling/appointments/AppointmentLists.ts"
import { Appointments } from "../../../../services/scheduling/appointments/Appointments.ts"
import { Rebookings } from "../../../../services/scheduling/appointments/Rebookings.ts"
import { AppointmentNote } from "../../../shared/schemas/AppointmentNote.ts"
import { AppointmentNotes } from "../../../shared/services/AppointmentNotes.ts"
import type { NewWaitingPrescription, WaitingPrescription } from "../../schemas/DoctorsPrescription.ts"
import { DoctorDay } from "../../services/doctor/DoctorDay.ts"
import { DoctorsPrescriptions } from "../../services/doctor/DoctorsPrescriptions.ts"
import { ConsoleApi } from "../ConsoleApi.ts"

const note = recordTags(AppointmentNote)

export const DoctorDayHttp = groupOf(ConsoleApi)("doctor.day", (handlers) =>
  Effect.gen(function* () {
    const day = yield* DoctorDay
    const notes = yield* AppointmentNotes
    const prescriptions = yield* DoctorsPrescriptions
    const rendering = yield* PrescriptionRendering
    const signer = yield* PrescriptionSigner
    const { changeIfMatch } = yield* Conditional
    const appointments = yield* Appointments
    const rebookings = yield* Rebookings
    const catalogue = yield* Catalogue
    const lists = yield* AppointmentLists
    /** With the names of the articles, which another domain has. */
    const named = Effect.fnUntraced(function* <A extends { readonly items: ReadonlyArray<PrescriptionItem> }>(
      some: ReadonlyArray<A>
    ) {
      const known = yield* catalogue.namesOf(some.flatMap(({ items }) => items.map(({ sku_uid }) => sku_uid)))
      return some.map((one) => ({
        ...one,
        items: one.items.map((item) => ({ ...item, article: known.get(item.sku_uid) ?? null }))
      }))
    })
    const ensureKnown = Effect.fnUntraced(function* ({ items }: NewWaitingPrescription) {
      const known = new Set((yield* catalogue.named(items.map(({ sku_uid }) => sku_uid))).map(({ sku_uid }) => sku_uid))
      const faults = items.flatMap(({ sku_uid }, at) =>
        known.has(sku_uid) ? [] : [{ field: `items[${at}].sku_uid`, message: "is not a known SKU" }]
      )
      if (faults.length > 0) return yield* new Invalid({ faults })
    })
    return handlers
      .handle("waiting", () => inData(asDoctor(day.waiting)))
      .handle("late", ({ payload }) => inData(asDoctor((doctor) => day.late(doctor, payload))))
      .handle("patients", ({ urlParams }) => inData(asDoctor((doctor) => day.search(doctor, urlParams))))
      .handle("patient", ({ path }) =>
        asDoctor((doctor) =>
          Effect.gen(function* () {
            const card = yield* day.card(doctor, path.patient_uid)
            return { ...card, prescriptions: yield* named(yield* prescriptions.ofPatient(doctor, card.uid)) }
          })
        )
      )
      .handle("follow_up", ({ payload }) => asDoctor((doctor) => day.followUp(doctor, payload)))
      .handle("note", ({ path }) => note.tagged(asDoctor((doctor) => notes.find(doctor, path.appointment_uid))))
      .handle("write_note", ({ path, payload, headers }) =>
        note.tagged(
          asDoctor((doctor) =>
            changeIfMatch(
              headers,
              { record: Effect.map(notes.findForChange(doctor, path.appointment_uid), note.tagOf) },
              notes.write(doctor, path.appointment_uid, payload.note)
            )
          )
        )
      )
      .handle("prescriptions", () => inData(Effect.flatMap(asDoctor(prescriptions.waiting), named)))
      .handle("write_prescription", (request) =>
        asDoctor((doctor) =>
          Effect.gen(function* () {
            yield* lists.ensureOwnPatient(doctor, request.payload.patient_uid)
            yield* ensureKnown(request.payload)
            const [written] = yield* named([yield* prescriptions.write(doctor, request.payload)])
            return written as WaitingPrescription // of the one
          })
        )
      )
      .handle("cancel", ({ path, payload }) =>
        asDoctor((doctor) => appointments.cancel(doctor, path.appointment_uid, payload.reason))
      )
      .handle("move", ({ path, payload }) =>
        asDoctor((doctor) => {
          const wanted = { ...payload, new_doctor_uid: doctor.doctor_uid, over_limit: false }
          return Effect.zipRight(
            appointments.findOwn(doctor, path.appointment_uid),
            rebookings.rebook(doctor, path.appointment_uid, wanted)
          )
        })
      )
      .handle("render", ({ path }) =>
        asDoctor((doctor) =>
          Effect.flatMap(prescriptions.own(doctor, path.prescription_uid), (ref) => rendering.start(ref, doctor.actor))
        )
      )
      .handle("upload_signed", ({ path, payload }) =>
        asDoctor((doctor) =>
          Effect.flatMap(prescriptions.own(doctor, path.prescription_uid), (ref) =>
            signer.upload(ref, payload.pdf_base64, doctor.actor)
          )
        )
      )
      .handle("sign", ({ path }) =>
        asDoctor((doctor) =>
          Effect.flatMap(prescriptions.own(doctor, path.prescription_uid), (ref) =>
            signer.externalSign(ref, doctor.actor)
          )
        )
      )
  })
).pipe(
  Layer.provide([
    AppointmentLists.Default,
    DoctorDay.Default,
    AppointmentNotes.Default,
    DoctorsPrescriptions.Default,
    PrescriptionRendering.Default,
    PrescriptionSigner.Default,
    Appointments.Default,
    Rebookings.Default,
    Catalogue.Default
  ])
)
