/** The events of a calendar that cannot be read and of a permission that is lost, and the message to the doctor about the latter. */
import { Schema } from "effect"
import { event } from "../../../schemas/events/definition.ts"
import { described } from "../../../schemas/fields.ts"
import { DoctorUid } from "../../../schemas/ids.ts"
import { on } from "../../../schemas/notifications/notices.ts"
import { BusySource, BusySourceUid } from "./BusySource.ts"
import { CalendarConnection, CalendarConnectionUid } from "./connections/CalendarConnection.ts"

export const calendarEvents = {
  "busy_source.failing": event("busy_source.failing", {
    description:
      "A calendar kept elsewhere cannot be read: once for each time that it begins to fail. Its times stay; `when_stale` decides after 24 hours",
    owners: ["organisation"],
    notification_type: "BUSY_SOURCE_FAILING",
    data: {
      busy_source_uid: BusySourceUid,
      ...BusySource.pick("doctor_uid", "name", "last_success_at").fields,
      last_error: described(Schema.String, "Why it cannot be read, and what to do")
    },
    example: {
      busy_source_uid: "bsy_example",
      doctor_uid: "doc_demo_1",
      name: "Hospital rota",
      last_success_at: 2_051_848_800,
      last_error: "The server does not answer: check the address, or try again later"
    }
  }),
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

type Events = typeof calendarEvents
declare module "../../../schemas/events/catalogue.ts" {
  interface EventDefinitions extends Events {}
}

export const calendarNotices = {
  calendar_lost: {
    about: "record",
    places: ["url"],
    on: on("calendar_connection.failing", ({ doctor_uid }) => ({ role: "doctor", uid: doctor_uid }))
  }
} as const

type Notices_ = typeof calendarNotices
declare module "../../../schemas/notifications/notices.ts" {
  interface Notices extends Notices_ {}
}
