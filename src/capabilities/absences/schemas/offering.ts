/** The event of an absence that asks a patient to choose another time, and the message that it leads to. */
import { Actor } from "../../../schemas/access/Actor.ts"
import { event } from "../../../schemas/events/definition.ts"
import * as example from "../../../schemas/events/exampleRecords.ts"
import { described } from "../../../schemas/fields.ts"
import { ofAppointment, on } from "../../../schemas/notifications/notices.ts"
import { Appointment } from "../../../schemas/scheduling/Appointment.ts"

const actor = described(Actor, "The actor of the change")

export const offeringEvents = {
  "scheduling.times_offered": event("scheduling.times_offered", {
    description:
      "The doctor is absent, and the patient is asked to choose another time: the appointment stands until then",
    owners: ["organisation"],
    notification_type: "TIMES_OFFERED",
    data: { appointment: Appointment, actor },
    example: { appointment: example.appointment, actor: example.actor }
  })
} as const

type Events = typeof offeringEvents
declare module "../../../schemas/events/catalogue.ts" {
  interface EventDefinitions extends Events {}
}

export const offeringNotices = {
  times_offered: {
    about: "appointment",
    asksToMove: true,
    places: ofAppointment,
    on: on("scheduling.times_offered", ({ appointment }) => ({ role: "patient", uid: appointment.patient_uid }))
  }
} as const

type Own = typeof offeringNotices
declare module "../../../schemas/notifications/notices.ts" {
  interface Notices extends Own {}
}
