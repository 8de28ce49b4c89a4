import { HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Stream } from "effect"
import type { PatientExport as Exported } from "../../../schemas/patients/PatientRights.ts"
import { PatientRecords } from "../../../services/patients/PatientRecords.ts"
import { ANSWER_LIMITS } from "../../../services/recordLimits.ts"
import { Erasures } from "../../../services/rights/Erasures.ts"
import { Merges } from "../../../services/rights/Merges.ts"
import { PatientExport } from "../../../services/rights/PatientExport.ts"
import { documentOf } from "../../../services/rights/readable.ts"
import { asKey } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"

/** Sends the records as they are: a copy encoded by its schema takes as much memory again. */
const json = (found: typeof Exported.Encoded) => HttpServerResponse.unsafeJson(found)

const html = (found: typeof Exported.Encoded) =>
  HttpServerResponse.stream(Stream.encodeText(Stream.fromIteratorSucceed(documentOf(found), 1)), {
    contentType: "text/html"
  })

export const PatientRightsHttp = group("organisation.patient_rights", (handlers) =>
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
).pipe(Layer.provide([PatientExport.Default, Erasures.Default, PatientRecords.Default, Merges.Default]))
