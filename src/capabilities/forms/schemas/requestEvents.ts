/** Events of requests, with uids alone, and the messages that they lead to. Rule 22.5.5. */
import { Schema } from "effect"
import { event } from "../../../schemas/events/definition.ts"
import { described } from "../../../schemas/fields.ts"
import { PatientUid } from "../../../schemas/ids.ts"
import { on, PAGE_PLACE } from "../../../schemas/notifications/notices.ts"
import { RequestTypeUid, RequestUid } from "./Request.ts"

const data = { request_uid: RequestUid, request_type_uid: RequestTypeUid, patient_uid: PatientUid }
const example = { request_uid: "req_example", request_type_uid: "rqt_example", patient_uid: "pat_demo" }
const owners = ["organisation"] as const

export const requestEvents = {
  "request.created": event("request.created", {
    description: "A patient has sent a request in writing",
    owners,
    notification_type: "REQUEST_CREATED",
    data,
    example
  }),
  "request.answered": event("request.answered", {
    description: "The practice has answered a request; the patient's mail or SMS with a link follows",
    owners,
    notification_type: "REQUEST_ANSWERED",
    data,
    example
  }),
  "request.running_out": event("request.running_out", {
    description: "A quarter of the time for answering a request is left; to the doctor, or to each administrator",
    owners,
    notification_type: "REQUEST_RUNNING_OUT",
    data: {
      ...data,
      recipient_role: described(Schema.Literal("doctor", "admin"), "Who is told"),
      recipient_uid: described(Schema.String, "Identifier of the doctor or administrator")
    },
    example: { ...example, recipient_role: "admin", recipient_uid: "adm_example" }
  }),
  "request.closed": event("request.closed", {
    description: "A request is closed; the patient's mail or SMS with a link follows",
    owners,
    notification_type: "REQUEST_CLOSED",
    data,
    example
  })
} as const

type Events = typeof requestEvents
declare module "../../../schemas/events/catalogue.ts" {
  interface EventDefinitions extends Events {}
}

const toPatient = ({ patient_uid }: { readonly patient_uid: typeof PatientUid.Type }) =>
  ({ role: "patient", uid: patient_uid }) as const
export const requestNotices = {
  request_answered: { about: "record", places: [PAGE_PLACE], on: on("request.answered", toPatient) },
  request_running_out: {
    about: "record",
    places: [PAGE_PLACE],
    on: on("request.running_out", ({ recipient_role, recipient_uid }) => ({ role: recipient_role, uid: recipient_uid }))
  },
  request_closed: { about: "record", places: [PAGE_PLACE], on: on("request.closed", toPatient) }
} as const

type Own = typeof requestNotices
declare module "../../../schemas/notifications/notices.ts" {
  interface Notices extends Own {}
}
