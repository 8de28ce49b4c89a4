import { Effect, Layer } from "effect"
import { PatientRecords } from "../../../services/access/PatientRecords.ts"
import { RECORDS_MAX } from "../../../services/patients/Belongings.ts"
import { Erasures } from "../../../services/patients/Erasures.ts"
import { PatientExport } from "../../../services/patients/PatientExport.ts"
import { documentOf } from "../../../services/patients/readable.ts"
import { CurrentOrganisationKey } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"

export const PatientRightsHttp = group("organisation.patient_rights", (handlers) =>
  Effect.map(Effect.all([PatientExport, Erasures, PatientRecords]), ([exports, erasures, patients]) =>
    handlers
      .handle("export", ({ path }) =>
        Effect.flatMap(CurrentOrganisationKey, ({ organisation_uid, actor }) =>
          exports.make(organisation_uid, path.patient_uid, actor, RECORDS_MAX)
        )
      )
      .handle("export_document", ({ path }) =>
        Effect.flatMap(CurrentOrganisationKey, ({ organisation_uid, actor }) =>
          exports.make(organisation_uid, path.patient_uid, actor, RECORDS_MAX)
        ).pipe(Effect.map(documentOf))
      )
      .handle("erase", ({ path, payload }) =>
        Effect.flatMap(CurrentOrganisationKey, ({ organisation_uid, actor }) =>
          erasures.erase(organisation_uid, path.patient_uid, actor, payload, RECORDS_MAX)
        )
      )
      .handle("restrict", ({ path, payload }) =>
        Effect.flatMap(CurrentOrganisationKey, ({ organisation_uid }) =>
          patients.restrict(organisation_uid, path.patient_uid, payload.restricted)
        )
      )
  )
).pipe(Layer.provide([PatientExport.Default, Erasures.Default, PatientRecords.Default]))
