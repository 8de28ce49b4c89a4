/** The events of patients' rights. */
import { Schema } from "effect"
import { Actor } from "../../../schemas/access/Actor.ts"
import { PatientReference } from "../../../schemas/access/Patient.ts"
import { event } from "../../../schemas/events/definition.ts"
import * as example from "../../../schemas/events/exampleRecords.ts"
import { described } from "../../../schemas/fields.ts"
import { AppointmentUid, PatientUid } from "../../../schemas/ids.ts"

const actor = described(Actor, "The actor of the change")

export const rightsEvents = {
  "patient.merged": event("patient.merged", {
    description: "Two records of one person became one: what belonged to the one belongs to the other",
    owners: ["organisation"],
    notification_type: "PATIENT_MERGED",
    data: {
      patient: described(PatientReference, "The record that stays, without its profile"),
      merged_patient_uid: described(PatientUid, "The record that is gone"),
      actor
    },
    example: { patient: example.patient, merged_patient_uid: PatientUid.make("pat_double"), actor: example.actor }
  }),
  "patient.exported": event("patient.exported", {
    description: "All that is kept of a patient was exported",
    owners: ["organisation"],
    notification_type: "PATIENT_EXPORTED",
    data: { patient_uid: PatientUid, actor },
    example: { ...example.patientReference, actor: example.actor }
  }),
  "patient.erased": event("patient.erased", {
    description: "A patient was erased: what subscribers know of the patient is theirs to erase as well",
    owners: ["organisation"],
    notification_type: "PATIENT_ERASED",
    data: {
      patient_uid: PatientUid,
      cancelled: described(Schema.Array(AppointmentUid), "Holds and appointments that were cancelled with it"),
      actor
    },
    example: { ...example.patientReference, cancelled: ["apt_example"], actor: example.actor }
  })
} as const

type Events = typeof rightsEvents
declare module "../../../schemas/events/catalogue.ts" {
  interface EventDefinitions extends Events {}
}
