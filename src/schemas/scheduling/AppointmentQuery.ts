/** The query of lists of appointments, for all callers (Rule 7.2.1). */
import { Schema } from "effect"
import { body, described, oneOf, queryTime } from "../fields.ts"
import { DoctorUid, PatientUid, ResourceUid } from "../ids.ts"
import { keys, pageQuery, updatedAfter } from "../paging.ts"
import { type Rule, withQueryRules } from "../rules.ts"

const inOrder: Rule = ({ from, to }) =>
  typeof from === "number" && typeof to === "number" && to <= from
    ? [{ field: "to", message: "must be greater than from" }]
    : []

const shared = {
  ...pageQuery(200, Schema.Tuple(keys.time, keys.text)),
  patient_uid: Schema.optionalWith(PatientUid, { exact: true }),
  status: Schema.optionalWith(
    oneOf("held", "confirmed", "cancelled", "expired", "completed", "no_show", "all").annotations({
      description: "If omitted: held and confirmed"
    }),
    { exact: true }
  ),
  from: Schema.optionalWith(queryTime("Starting at or after, Unix seconds"), { exact: true }).annotations({
    description:
      "Starting at or after, Unix seconds. Left out: now, unless status names a final status or to lies in the past"
  }),
  to: Schema.optionalWith(queryTime("Starting at or before, Unix seconds"), { exact: true }),
  ...updatedAfter
}

/** A doctor's own appointments. */
export const OwnAppointmentQuery = withQueryRules(body(shared), [inOrder])
export type OwnAppointmentQuery = typeof OwnAppointmentQuery.Type

/** An organisation's appointments. */
export const AppointmentQuery = withQueryRules(
  body({
    ...shared,
    doctor_uid: Schema.optionalWith(DoctorUid, { exact: true }),
    including_further: Schema.optionalWith(
      oneOf("true", "false").annotations({
        description: "Whether those in which `doctor_uid` is a further doctor are listed too; if omitted: no"
      }),
      { exact: true }
    ),
    resource_uid: described(Schema.optionalWith(ResourceUid, { exact: true }), "Appointments that take this resource")
  }),
  [inOrder]
)
export type AppointmentQuery = typeof AppointmentQuery.Type
