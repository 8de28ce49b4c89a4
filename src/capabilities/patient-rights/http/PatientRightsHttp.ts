import { HttpServerResponse } from "@effect/platform"
import { Effect, Stream } from "effect"
import { asKey } from "../../../http/credentials/credentials.ts"
import { groupOf } from "../../../http/group.ts"
import { ANSWER_LIMITS } from "../../../services/recordLimits.ts"
import { PatientRecords } from "../../shared/services/patients/PatientRecords.ts"
import type { PatientExport as Exported } from "../schemas/PatientRights.ts"
import { Erasures } from "../services/Erasures.ts"
import { Merges } from "../services/Merges.ts"
import { PatientExport } from "../services/PatientExport.ts"
import { documentOf } from "../services/readable.ts"

import { PatientRightsApi } from "./PatientRightsApi.ts"

/** Sends the records as they are: a copy encoded by its schema takes as much memory again. */
const json = (found: typeof Exported.Encoded) => HttpServerResponse.unsafeJson(found)

const html = (found: typeof Exported.Encoded) =>
  HttpServerResponse.stream(Stream.encodeText(Stream.fromIteratorSucceed(documentOf(found), 1)), {
    contentType: "text/html"
  })

export const PatientRightsHttp = groupOf(PatientRightsApi)("organisation.patient_rights", (handlers) =>
  Effect.map(Effect.all([PatientExport, Erasures, PatientRecords, Merges]), ([exports, erasures, patients, merges]) =>
    handlers
      .handle("export", ({ path }) =>
        asKey(({ organisation_uid, actor }) =>
          exports.make(organisation_uid, path.patient_uid, actor, ANSWER_LIMITS.patientRecords)
        ).pipe(Effect.map(json))
      )
      .handle("export_document", ({ path }) =>
        asKey(({ organisation_uid, actor }) =>
          exports.make(organisation_uid, path.patient_uid, actor, ANSWER_LIMITS.patientRecords)
        ).pipe(Effect.map(html))
      )
      .handle("erase", ({ path, payload }) =>
        asKey(({ organisation_uid, actor }) =>
          erasures.erase(organisation_uid, path.patient_uid, actor, payload, ANSWER_LIMITS.patientRecords)
        )
      )
      .handle("merge", ({ path, payload }) =>
        asKey(({ organisation_uid, actor }) => merges.merge(organisation_uid, path.patient_uid, payload, actor))
      )
      .handle("restrict", ({ path, payload }) =>
        asKey(({ organisation_uid }) => patients.restrict(organisation_uid, path.patient_uid, payload.restricted))
      )
  )
)
