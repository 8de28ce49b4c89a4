import { Effect, Layer } from "effect"
import type { AppointmentUid } from "../../schemas/ids.ts"
import type { Appointment } from "../../schemas/scheduling/Appointment.ts"
import { ActionLinks } from "../../services/scheduling/appointments/ActionLinks.ts"
import { Appointments, type Caller } from "../../services/scheduling/appointments/Appointments.ts"
import { asKey } from "../credentials/credentials.ts"
import { group } from "../group.ts"
import { problemOf } from "../problems.ts"

/** Permission to change appointments does not include reading them: the patient's name is left out, and the reasons are null. */
const withoutPatient = ({ patient_display_name: _, ...appointment }: Appointment) => ({
  ...appointment,
  visit_reason: null,
  cancellation_reason: null
})

export const refusedOf = ({
  uid,
  error
}: {
  readonly uid: AppointmentUid
  readonly error: { readonly _tag: string }
}) => ({
  uid,
  code: problemOf(error._tag)?.code ?? error._tag
})

export const AppointmentActionsHttp = group("management.appointment_actions", (handlers) =>
  Effect.gen(function* () {
    const appointments = yield* Appointments
    const links = yield* ActionLinks
    const acting =
      <E, R>(act: (caller: Caller, uid: AppointmentUid) => Effect.Effect<Appointment, E, R>) =>
      ({ path }: { readonly path: { readonly meeting_uid: AppointmentUid } }) =>
        asKey((caller) =>
          Effect.map(act(caller, path.meeting_uid), (appointment) =>
            caller.permissions.includes("scheduling:read") ? appointment : withoutPatient(appointment)
          )
        )
    const finish = (trigger: "complete" | "no_show") =>
      acting((caller, uid) => appointments.finish(caller, uid, trigger))
    return handlers
      .handle("cancel", ({ path, payload }) =>
        asKey((caller) => appointments.cancel(caller, path.meeting_uid, payload.reason))
      )
      .handle("bulk_cancel", ({ payload }) =>
        asKey((caller) => appointments.cancelAll(caller, payload)).pipe(
          Effect.map(({ cancelled, skipped }) => ({
            cancelled,
            skipped: skipped.map(refusedOf)
          }))
        )
      )
      .handle("complete", finish("complete"))
      .handle("no_show", finish("no_show"))
      .handle("reopen", acting(appointments.reopen))
      .handle("issue_link", (request) =>
        asKey((caller) => links.issueFor(caller, request.path.meeting_uid, request.payload.action))
      )
  })
).pipe(Layer.provide([ActionLinks.Default, Appointments.Default]))
