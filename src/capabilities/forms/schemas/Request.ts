/** Requests in writing, and their types. Rule 22.5. */
import { Schema } from "effect"
import {
  body,
  Count,
  changes,
  described,
  Flag,
  integer,
  named,
  OptionalText,
  omittable,
  oneOf,
  Reason,
  UnixSeconds,
  withDefault,
  withExample
} from "../../../schemas/fields.ts"
import { DoctorUid, optionalUid, PatientUid, PrescriptionUid, uid } from "../../../schemas/ids.ts"
import { keys, pageQuery, updatedAfter } from "../../../schemas/paging.ts"
import { organisation_uid } from "../../../schemas/provisioning/tenancy.ts"
import { FormText, FormUid, SentAnswers } from "./Form.ts"
import { ReadForm } from "./TypeFields.ts"

export const RequestUid = uid("RequestUid", "req")
export type RequestUid = typeof RequestUid.Type
export const RequestTypeUid = uid("RequestTypeUid", "rqt")
export type RequestTypeUid = typeof RequestTypeUid.Type

const typeFields = {
  name: FormText,
  kind: described(
    oneOf("prescription", "referral", "certificate", "callback", "other"),
    "What is asked for; a doctor prescribes from a `prescription`"
  ),
  form_uid: FormUid,
  answer_within_minutes: integer(1, 525_600, "Minutes after which it is overdue").annotations({ examples: [1_440] }),
  recipient: described(oneOf("practice", "doctor"), "`doctor`: to whom the patient's last appointment was with"),
  active: described(Flag, "Whether patients are offered it")
}
export const RequestType = Schema.Struct({
  uid: RequestTypeUid,
  ...typeFields,
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}).annotations({ identifier: "RequestType" })
export type RequestType = typeof RequestType.Type
const newType = {
  ...typeFields,
  recipient: withDefault(typeFields.recipient, "practice"),
  active: withDefault(typeFields.active, true)
}
export const NewRequestType = body(newType)
export type NewRequestType = typeof NewRequestType.Type
/** Of a provisioning file. */
export const RequestTypeEntry = Schema.Struct({
  uid: named(RequestTypeUid),
  organisation_uid,
  ...newType,
  form_uid: named(FormUid)
})
export type RequestTypeEntry = typeof RequestTypeEntry.Type
export const RequestTypeChanges = changes(typeFields)
export type RequestTypeChanges = typeof RequestTypeChanges.Type

const statuses = ["open", "taken", "answered", "closed"] as const
const Outcome = described(oneOf("done", "refused", "appointment", "prescription"), "What became of it")

export const Request = Schema.Struct({
  uid: RequestUid,
  patient_uid: PatientUid,
  request_type_uid: RequestTypeUid,
  doctor_uid: described(Schema.NullOr(DoctorUid), "To whom it goes; null: the practice"),
  status: described(Schema.Literal(...statuses), "How far it is"),
  overdue: described(Schema.Boolean, "Whether it is open or taken, and its time has passed"),
  outcome: described(Schema.NullOr(Outcome), "How it was closed; null until then"),
  taken_by: described(
    Schema.NullOr(Schema.String.annotations({ examples: ["key_example"] })),
    "Who takes care of it: the key or the person"
  ),
  prescription_uid: Schema.NullOr(PrescriptionUid),
  due_at: described(UnixSeconds, "When it is overdue"),
  answered_at: Schema.NullOr(UnixSeconds),
  closed_at: Schema.NullOr(UnixSeconds),
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}).annotations({ identifier: "PatientRequest" })
export type Request = typeof Request.Type

export const ListedRequest = Schema.Struct({
  ...Request.fields,
  kind: typeFields.kind,
  type_name: described(typeFields.name, "Of its type")
}).annotations({ identifier: "ListedPatientRequest" })
export type ListedRequest = typeof ListedRequest.Type

const written = described(
  Schema.NullOr(Schema.String.annotations({ examples: ["Ihr Rezept liegt bereit."] })),
  "What the practice has written"
)
export const ReadRequest = Schema.Struct({
  ...ListedRequest.fields,
  text: written,
  form: described(Schema.NullOr(ReadForm), "What the patient has answered")
}).annotations({ identifier: "ReadPatientRequest" })
export type ReadRequest = typeof ReadRequest.Type

export const RequestQuery = body({
  ...pageQuery(200, Schema.Tuple(keys.time, keys.text)),
  ...updatedAfter,
  status: omittable(described(oneOf(...statuses), "Only of this status")),
  inbox: omittable(
    described(
      oneOf("open", "mine", "overdue"),
      "Only what waits: what nobody has taken, what the caller has taken and not closed, what is overdue"
    )
  ),
  patient_uid: omittable(described(PatientUid, "Only this patient's")).annotations({
    description: "Only this patient's"
  })
})
export type RequestQuery = typeof RequestQuery.Type

const number = (description: string) => Count.annotations({ description, examples: [3] })
/** How many wait, by the same words as `inbox`. */
export const RequestCounts = Schema.Struct({
  open: number("Those that nobody has taken"),
  mine: number("Those that the caller has taken and not closed"),
  overdue: number("Those that are overdue")
}).annotations({ identifier: "RequestCounts" })

/** A doctor's, with the patient's name. */
export const OwnRequest = Schema.Struct({
  ...ListedRequest.fields,
  patient_display_name: Schema.String.annotations({ description: "Name of the patient", examples: ["Erika Example"] })
}).annotations({ identifier: "OwnPatientRequest" })
export type OwnRequest = typeof OwnRequest.Type

export const NewRequest = withExample(
  body({ request_type_uid: RequestTypeUid, answers: withDefault(SentAnswers, {}) }),
  { request_type_uid: "rqt_example", answers: {} }
)
export const CreatedRequest = Schema.Struct({
  uid: RequestUid,
  status: described(Schema.Literal("open"), "Nobody has taken it yet"),
  due_at: UnixSeconds,
  url: Schema.String.annotations({
    description: "The patient's page of it",
    examples: ["https://api.example.org/meet/request/req_example_of_a_code"]
  })
}).annotations({ identifier: "CreatedPatientRequest" })

export const RequestAnswer = body({ text: Reason })
export const RequestClosing = withExample(
  body({
    outcome: Outcome,
    text: withDefault(OptionalText, null),
    prescription_uid: optionalUid(PrescriptionUid)
  }),
  { outcome: "done", text: null }
)
export type RequestClosing = typeof RequestClosing.Type

export const ExportedRequest = Schema.Struct({
  ...Request.fields,
  text: written
}).annotations({ identifier: "ExportedPatientRequest" })
