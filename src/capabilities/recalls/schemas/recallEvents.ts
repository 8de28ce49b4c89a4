/** The event of a recall that is due, and the message that it leads to. */
import { event } from "../../../schemas/events/definition.ts"
import { on, PAGE_PLACE } from "../../../schemas/notifications/notices.ts"
import { Recall } from "./Recall.ts"

export const recallEvents = {
  "recall.due": event("recall.due", {
    description:
      "A patient is asked to come again, `lead_days` before the date; the service's own mail or SMS follows where the patient has an address",
    owners: ["organisation"],
    notification_type: "RECALL_DUE",
    data: { recall: Recall },
    example: {
      recall: {
        uid: "rcl_example",
        patient_uid: "pat_demo",
        appointment_type_uid: "aty_demo_consultation",
        doctor_uid: null,
        due_date: "2035-01-22",
        lead_days: 14,
        message_text: "Kontrolle nach sechs Monaten",
        status: "sent",
        appointment_uid: null,
        sent_at: 2_051_856_000,
        created_at: 2_036_000_000,
        updated_at: 2_051_856_000
      }
    }
  })
} as const

type Events = typeof recallEvents
declare module "../../../schemas/events/catalogue.ts" {
  interface EventDefinitions extends Events {}
}

export const recallNotices = {
  recall: {
    about: "record",
    places: [PAGE_PLACE],
    on: on("recall.due", ({ recall }) => ({ role: "patient", uid: recall.patient_uid }))
  }
} as const

type Notices_ = typeof recallNotices
declare module "../../../schemas/notifications/notices.ts" {
  interface Notices extends Notices_ {}
}
