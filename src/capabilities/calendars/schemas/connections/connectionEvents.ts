/** The event of a connection whose permission is lost, and the message to the doctor that it leads to. */
import { Schema } from "effect"
import { event } from "../../../../schemas/events/definition.ts"
import { described } from "../../../../schemas/fields.ts"
import { DoctorUid } from "../../../../schemas/ids.ts"
import { on } from "../../../../schemas/notifications/notices.ts"
import { CalendarConnection, CalendarConnectionUid } from "./CalendarConnection.ts"

export const connectionEvents = {
  "calendar_connection.failing": event("calendar_connection.failing", {
    description:
      "A doctor's own calendar no longer gives access: nothing is read or written until the doctor connects it again",
    owners: ["organisation"],
    notification_type: "CALENDAR_CONNECTION_FAILING",
    data: {
      connection_uid: CalendarConnectionUid,
      doctor_uid: DoctorUid,
      ...CalendarConnection.pick("provider", "account").fields,
      last_error: described(Schema.String, "Why, and what to do")
    },
    example: {
      connection_uid: "ccn_example",
      doctor_uid: "doc_demo_1",
      provider: "google",
      account: "ada@example.org",
      last_error: "The permission was withdrawn: connect the calendar again"
    }
  })
} as const

type Events = typeof connectionEvents
declare module "../../../../schemas/events/catalogue.ts" {
  interface EventDefinitions extends Events {}
}

export const connectionNotices = {
  calendar_lost: {
    about: "record",
    places: ["url"],
    on: on("calendar_connection.failing", ({ doctor_uid }) => ({ role: "doctor", uid: doctor_uid }))
  }
} as const

type Notices_ = typeof connectionNotices
declare module "../../../../schemas/notifications/notices.ts" {
  interface Notices extends Notices_ {}
}
