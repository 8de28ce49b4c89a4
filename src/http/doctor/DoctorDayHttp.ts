import { Effect, Layer } from "effect"
import { DateOverride } from "../../schemas/scheduling/DateOverride.ts"
import { DoctorNotFound } from "../../schemas/scheduling/errors.ts"
import { Idempotency } from "../../services/Idempotency.ts"
import { DoctorsPrescriptions } from "../../services/prescriptions/DoctorsPrescriptions.ts"
import { PrescriptionRendering } from "../../services/prescriptions/PrescriptionRendering.ts"
import { PrescriptionSigner } from "../../services/prescriptions/PrescriptionSigner.ts"
import { AppointmentNotes } from "../../services/scheduling/appointments/AppointmentNotes.ts"
import { DoctorDay } from "../../services/scheduling/appointments/DoctorDay.ts"
import { DateOverrides } from "../../services/scheduling/practice/DateOverrides.ts"
import { Conditional } from "../conditional.ts"
import { CurrentDoctor, type DoctorAccess } from "../credentials.ts"
import { group } from "../group.ts"
import { overrideListTags, overrideTags, presentOverride } from "../management/practice/versions.ts"
import { holders, repeatable } from "../repeatable.ts"

const as = <A, E, R>(use: (doctor: DoctorAccess) => Effect.Effect<A, E, R>) => Effect.flatMap(CurrentDoctor, use)
const inData = <A>(data: A) => ({ data })
/** The doctor of a credential was found when that was checked. */
const existing = <A, E, R>(self: Effect.Effect<A, E | DoctorNotFound, R>) =>
  Effect.catchIf(self, (error) => error instanceof DoctorNotFound, Effect.die)

export const DoctorDayHttp = group("doctor.day", (handlers) =>
  Effect.gen(function* () {
    const day = yield* DoctorDay
    const { changing } = yield* Conditional
    const notes = yield* AppointmentNotes
    const overrides = yield* DateOverrides
    const prescriptions = yield* DoctorsPrescriptions
    const rendering = yield* PrescriptionRendering
    const signer = yield* PrescriptionSigner
    return handlers
      .handle("waiting", () => Effect.map(as(day.waiting), inData))
      .handle("patient", ({ path }) => as((doctor) => day.card(doctor, path.patient_uid)))
      .handle("follow_up", ({ payload, headers }) =>
        as((doctor) => day.followUp(doctor, payload, headers["idempotency-key"]))
      )
      .handle("note", ({ path }) => as((doctor) => notes.find(doctor, path.appointment_uid)))
      .handle("write_note", ({ path, payload }) =>
        as((doctor) => notes.write(doctor, path.appointment_uid, payload.note))
      )
      .handle("overrides", ({ urlParams }) =>
        as(({ organisation_uid, doctor_uid }) => overrides.list(organisation_uid, doctor_uid, urlParams)).pipe(
          existing,
          (answer) => overrideListTags.tagged(answer, urlParams)
        )
      )
      .handle("create_override", (request) =>
        repeatable(
          request,
          { name: "overrides", answer: DateOverride, by: holders.doctor },
          as(({ organisation_uid, doctor_uid }) =>
            overrides.create(organisation_uid, doctor_uid, request.payload)
          ).pipe(existing)
        ).pipe(overrideTags.tagged)
      )
      .handle("remove_override", ({ path: { override_uid: uid }, headers }) =>
        as(({ organisation_uid: owner, doctor_uid: doctor }) =>
          changing(headers, presentOverride(overrides, owner, doctor, uid), overrides.remove(owner, doctor, uid))
        )
      )
      .handle("prescriptions", () => Effect.map(as(prescriptions.waiting), inData))
      .handle("render", ({ path }) =>
        as((doctor) =>
          Effect.flatMap(prescriptions.own(doctor, path.prescription_uid), (ref) => rendering.start(ref, doctor.actor))
        )
      )
      .handle("sign", ({ path }) =>
        as((doctor) =>
          Effect.flatMap(prescriptions.own(doctor, path.prescription_uid), (ref) =>
            signer.externalSign(ref, doctor.actor)
          )
        )
      )
  })
).pipe(
  Layer.provide([
    Idempotency.Default,
    Conditional.Default,
    DoctorDay.Default,
    AppointmentNotes.Default,
    DateOverrides.Default,
    DoctorsPrescriptions.Default,
    PrescriptionRendering.Default,
    PrescriptionSigner.Default
  ])
)
