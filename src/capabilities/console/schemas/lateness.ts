/** The event of a doctor who will be late, and the message that it leads to. */
import { Schema } from "effect"
import { Actor } from "../../../schemas/access/Actor.ts"
import { event } from "../../../schemas/events/definition.ts"
import * as example from "../../../schemas/events/exampleRecords.ts"
import { described } from "../../../schemas/fields.ts"
import { ofAppointment, on } from "../../../schemas/notifications/notices.ts"
import { Appointment } from "../../../schemas/scheduling/Appointment.ts"

const actor = described(Actor, "The actor of the change")

export const latenessEvents = {
  "scheduling.doctor_late": event("scheduling.doctor_late", {
    description: "The doctor announced to begin an appointment later, or so many minutes later than announced before",
    owners: ["organisation"],
    notification_type: "DOCTOR_LATE",
    data: {
      appointment: Appointment,
      minutes: described(Schema.Int, "About how many minutes later than the start"),
      actor
    },
    example: { appointment: example.appointment, minutes: 10, actor: example.actor }
  })
} as const

type Events = typeof latenessEvents
declare module "../../../schemas/events/catalogue.ts" {
  interface EventDefinitions extends Events {}
}

export const latenessNotices = {
  doctor_late: {
    about: "appointment",
    isForWholeTime: true,
    places: [...ofAppointment, "minutes"],
    on: on("scheduling.doctor_late", ({ appointment }) => ({ role: "patient", uid: appointment.patient_uid }))
  }
} as const

type Own = typeof latenessNotices
declare module "../../../schemas/notifications/notices.ts" {
  interface Notices extends Own {}
}
