import { Effect, Layer } from "effect"
import { Conditional } from "../../../http/conditional.ts"
import { asKey } from "../../../http/credentials/credentials.ts"
import { byKey, pagedRecords } from "../../../http/records.ts"
import { type NewPatient, Patient, PatientQuery, writtenOf } from "../../../schemas/access/Patient.ts"
import { PatientRecords } from "../../shared/services/patients/PatientRecords.ts"
import { Rectification } from "../../shared/services/patients/Rectification.ts"
import { group } from "./group.ts"

const patientHandling = pagedRecords(Patient, PatientQuery)

export const PatientsHttp = group("organisation.patients", (handlers) =>
  Effect.map(Effect.all([PatientRecords, Rectification, Conditional]), ([service, rectification, conditional]) => {
    const patients = patientHandling(service, conditional, byKey, "patient_uid")
    return handlers
      .handle("list", patients.list)
      .handle(
        "create",
        patients.create((owner, patient: NewPatient) => asKey(({ actor }) => service.create(owner, actor, patient)))
      )
      .handle("one", patients.read(service.read))
      .handle("update", (request) =>
        asKey(({ organisation_uid: owner, permissions }) => {
          if (permissions.includes("patients:read")) return patients.update(rectification.update)(request)
          const { path, payload, headers } = request
          // Neither an ETag nor a match: it is a hash of the whole record, so a guess of hidden fields could be verified with it
          const hidden = { record: Effect.as(service.findForChange(owner, path.patient_uid), "") }
          const change = rectification.update(owner, path.patient_uid, payload)
          return Effect.map(conditional.changeIfMatch(headers, hidden, change), (patient) =>
            writtenOf(patient, payload)
          )
        })
      )
  })
).pipe(Layer.provide([PatientRecords.Default, Rectification.Default]))
