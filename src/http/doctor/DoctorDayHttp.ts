import { Effect, Layer } from "effect"
import { DoctorsPrescriptions } from "../../services/prescriptions/DoctorsPrescriptions.ts"
import { PrescriptionRendering } from "../../services/prescriptions/PrescriptionRendering.ts"
import { PrescriptionSigner } from "../../services/prescriptions/PrescriptionSigner.ts"
import { AppointmentNotes } from "../../services/scheduling/appointments/AppointmentNotes.ts"
import { DoctorDay } from "../../services/scheduling/appointments/DoctorDay.ts"
import { group } from "../group.ts"
import { inData } from "../inData.ts"
import { asDoctor } from "./asDoctor.ts"

export const DoctorDayHttp = group("doctor.day", (handlers) =>
  Effect.gen(function* () {
    const day = yield* DoctorDay
    const notes = yield* AppointmentNotes
    const prescriptions = yield* DoctorsPrescriptions
    const rendering = yield* PrescriptionRendering
    const signer = yield* PrescriptionSigner
    return handlers
      .handle("waiting", () => inData(asDoctor(day.waiting)))
      .handle("patient", ({ path }) => asDoctor((doctor) => day.card(doctor, path.patient_uid)))
      .handle("follow_up", ({ payload, headers }) =>
        asDoctor((doctor) => day.followUp(doctor, payload, headers["idempotency-key"]))
      )
      .handle("note", ({ path }) => asDoctor((doctor) => notes.find(doctor, path.appointment_uid)))
      .handle("write_note", ({ path, payload }) =>
        asDoctor((doctor) => notes.write(doctor, path.appointment_uid, payload.note))
      )
      .handle("prescriptions", () => inData(asDoctor(prescriptions.waiting)))
      .handle("render", ({ path }) =>
        asDoctor((doctor) =>
          Effect.flatMap(prescriptions.own(doctor, path.prescription_uid), (ref) => rendering.start(ref, doctor.actor))
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
    DoctorDay.Default,
    AppointmentNotes.Default,
    DoctorsPrescriptions.Default,
    PrescriptionRendering.Default,
    PrescriptionSigner.Default
  ])
)
