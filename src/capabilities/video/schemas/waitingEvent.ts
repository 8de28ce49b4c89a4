/** The event of a patient who waits to be let into the call. */
import { event } from "../../../schemas/events/definition.ts"
import * as example from "../../../schemas/events/exampleRecords.ts"
import { Appointment } from "../../../schemas/scheduling/Appointment.ts"

export const meetingEvents = {
  "scheduling.waiting": event("scheduling.waiting", {
    description: "The patient is in the waiting room of the call: once for each appointment, the first time",
    owners: ["organisation"],
    notification_type: "WAITING",
    data: { appointment: Appointment },
    example: { appointment: example.appointment }
  })
} as const

type Events = typeof meetingEvents
declare module "../../../schemas/events/catalogue.ts" {
  interface EventDefinitions extends Events {}
}
