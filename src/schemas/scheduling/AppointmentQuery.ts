/** The query of lists of appointments, for all callers (Rule 7.2.1). */
import { Schema } from "effect"
import { body, described, omittable, oneOf, queryTime } from "../fields.ts"
import { DoctorUid, PatientUid, ResourceUid } from "../ids.ts"
import { keys, pageQuery, updatedAfter } from "../paging.ts"
import { type Rule, withQueryRules } from "../rules.ts"

const inOrder: Rule = ({ from, to }) =>
  typeof from === "number" && typeof to === "number" && to <= from
    ? [{ field: "to", message: "must be greater than from" }]
    : []

const shared = {
  ...pageQuery(200, Schema.Tuple(keys.time, keys.text)),
  patient_uid: omittable(PatientUid),
  status: omittable(
    oneOf("held", "confirmed", "cancelled", "expired", "completed", "no_show", "all").annotations({
      description: "If omitted: held and confirmed"
    })
  ),
  from: omittable(queryTime("Starting at or after, Unix seconds")).annotations({
    description:
      "Starting at or after, Unix seconds. Left out: now, unless status names a final status or to lies in the past"
  }),
  to: omittable(queryTime("Starting at or before, Unix seconds")),
  ...updatedAfter
}

/** A doctor's own appointments. */
export const OwnAppointmentQuery = withQueryRules(body(shared), [inOrder])
export type OwnAppointmentQuery = typeof OwnAppointmentQuery.Type

/** An organisation's appointments. */
export const AppointmentQuery = withQueryRules(
  body({
    ...shared,
    doctor_uid: omittable(DoctorUid),
    including_further: omittable(
      oneOf("true", "false").annotations({
        description: "Whether those in which `doctor_uid` is a further doctor are listed too; if omitted: no"
      })
    ),
    resource_uid: described(omittable(ResourceUid), "Appointments that take this resource")
  }),
  [inOrder]
)
export type AppointmentQuery = typeof AppointmentQuery.Type
