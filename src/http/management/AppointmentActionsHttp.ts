import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import type { AppointmentUid } from "../../schemas/ids.ts"
import { ActionLinks } from "../../services/scheduling/appointments/ActionLinks.ts"
import { Appointments } from "../../services/scheduling/appointments/Appointments.ts"
import { Api } from "../Api.ts"
import { CurrentOrganisationKey } from "../credentials.ts"

const whole = { uninterruptible: true } as const

export const AppointmentActionsHttp = HttpApiBuilder.group(Api, "management.appointment_actions", (handlers) =>
  Effect.gen(function* () {
    const appointments = yield* Appointments
    const links = yield* ActionLinks
    const finish =
      (trigger: "complete" | "no_show") =>
      ({ path }: { readonly path: { readonly meeting_uid: AppointmentUid } }) =>
        Effect.flatMap(CurrentOrganisationKey, (caller) => appointments.finish(caller, path.meeting_uid, trigger))
    return handlers
      .handle(
        "cancel",
        ({ path, payload }) =>
          Effect.flatMap(CurrentOrganisationKey, (caller) =>
            appointments.cancel(caller, path.meeting_uid, payload.reason)
          ),
        whole
      )
      .handle("complete", finish("complete"), whole)
      .handle("no_show", finish("no_show"), whole)
      .handle(
        "issue_link",
        ({ path, payload }) =>
          Effect.flatMap(CurrentOrganisationKey, (caller) => links.issueFor(caller, path.meeting_uid, payload.action)),
        whole
      )
  })
)
