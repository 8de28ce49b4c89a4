import { Effect, Schema } from "effect"
import { eventCatalogue, type NewEvent } from "../../src/schemas/events/catalogue.ts"
import { OrganisationUid } from "../../src/schemas/ids.ts"
import { EventLog } from "../../src/services/events/EventLog.ts"

const definition = eventCatalogue.patient_doctor_meeting_updated

/** An event about the appointment `subject`, with a number that identifies it in tests. */
export const meetingEvent = (organisation_uid: string, subject: string, n = 0): NewEvent => {
  const data = Schema.decodeSync(definition.data)({
    ...definition.example,
    appointment: { ...definition.example.appointment, uid: subject, visit_reason: String(n) }
  })
  return { organisation_uid: OrganisationUid.make(organisation_uid), type: definition.type, subject, data }
}

export const appendMeeting = (organisation_uid: string, subject: string, n = 0) =>
  Effect.flatMap(EventLog, (log) => log.append(meetingEvent(organisation_uid, subject, n)))

interface Received {
  readonly data: { readonly appointment: { readonly uid: string; readonly visit_reason: string } }
}
export const numberOf = ({ data }: Received) => Number(data.appointment.visit_reason)
export const subjectOf = ({ data }: Received) => data.appointment.uid
