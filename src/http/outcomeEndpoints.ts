/** Contract: what became of an appointment, for the practice and for the doctor of it. */
import { type HttpApiEndpoint, OpenApi } from "@effect/platform"
import type { Schema } from "effect"
import { describeTrigger } from "../schemas/scheduling/AppointmentStates.ts"
import {
  AppointmentNotFound,
  AppointmentNotStarted,
  ReopeningTooLate,
  refusalsOf,
  SlotTaken
} from "../schemas/scheduling/errors.ts"
import { recordEndpoints } from "./recordEndpoints.ts"

/** Below the appointment at `path`. `own`: its operations are called so, for a doctor's own appointments. */
export const outcomeEndpoints = <P extends Schema.Schema.Any, A extends Schema.Schema.Any>(
  path: `/${string}`,
  uids: P & HttpApiEndpoint.HttpApiEndpoint.ValidatePath<P>,
  record: A,
  own: "Own" | "" = ""
) => {
  const { act } = recordEndpoints(path, uids, record, AppointmentNotFound)
  return [
    act("complete", "Mark an appointment as completed", record, AppointmentNotStarted, ...refusalsOf("complete"))
      .annotate(OpenApi.Identifier, `complete${own}Appointment`)
      .annotate(OpenApi.Description, describeTrigger("complete")),
    act(
      "no_show",
      "Mark an appointment as missed by the patient",
      record,
      AppointmentNotStarted,
      ...refusalsOf("no_show")
    )
      .annotate(OpenApi.Identifier, `mark${own}AppointmentNoShow`)
      .annotate(OpenApi.Description, describeTrigger("no_show")),
    act(
      "reopen",
      "Take back that an appointment is completed or missed",
      record,
      SlotTaken,
      ReopeningTooLate,
      ...refusalsOf("reopen")
    )
      .annotate(OpenApi.Identifier, `reopen${own}Appointment`)
      .annotate(OpenApi.Description, `${describeTrigger("reopen")} No message goes out.`)
  ] as const
}
