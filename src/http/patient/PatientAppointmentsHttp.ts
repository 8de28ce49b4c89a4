import { Effect, Layer } from "effect"
import { Appointments } from "../../services/scheduling/appointments/Appointments.ts"
import { Rebookings } from "../../services/scheduling/appointments/Rebookings.ts"
import { KeyHolds } from "../../services/scheduling/booking/KeyHolds.ts"
import { Meetings } from "../../services/scheduling/joining/Meetings.ts"
import { asKey, CurrentCaller, CurrentPatient } from "../credentials/credentials.ts"
import { group } from "../group.ts"

const patient = Effect.map(CurrentPatient, ({ organisation_uid, patient_uid }) => ({
  organisation_uid,
  actor: { kind: "patient" as const, uid: patient_uid }
}))

export const PatientAppointmentsHttp = group("patient.appointments", (handlers) =>
  Effect.gen(function* () {
    const appointments = yield* Appointments
    const rebookings = yield* Rebookings
    const meetings = yield* Meetings
    const holds = yield* KeyHolds
    return handlers
      .handle("cancel", ({ path, payload }) =>
        Effect.flatMap(CurrentCaller, (caller) => appointments.cancel(caller, path.appointment_uid, payload.reason))
      )
      .handle("rebook", ({ path, payload }) =>
        Effect.flatMap(CurrentCaller, (caller) => rebookings.rebook(caller, path.appointment_uid, payload))
      )
      .handle("join", ({ path }) => Effect.flatMap(patient, (caller) => meetings.join(caller, path.appointment_uid)))
      .handle("hold", ({ payload }) => asKey((caller) => holds.hold(caller, payload)))
      .handle("confirm_hold", ({ path, payload }) =>
        asKey((caller) => holds.confirm(caller, path.hold_uid, payload.visit_reason))
      )
  })
).pipe(Layer.provide([Appointments.Default, KeyHolds.Default, Meetings.Default, Rebookings.Default]))
