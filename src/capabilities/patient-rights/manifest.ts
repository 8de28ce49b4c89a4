/** Patients' rights: export, erasure, restriction, and merging two records of one person. Section 12.2 and Rule 12.1.25. */
import { Effect, Layer } from "effect"
import { capability } from "../../capability.ts"
import { extension } from "../../services/Extensions.ts"
import { addRecords } from "../shared/schemas/addedRecords.ts"
import { PatientRecords } from "../shared/services/patients/PatientRecords.ts"
import { PatientRightsApi } from "./http/PatientRightsApi.ts"
import { PatientRightsHttp } from "./http/PatientRightsHttp.ts"
import { mergingPart } from "./pages/mergingPart.tsx"
import { eraseForm, exportForm, RightsLink, rightsPage } from "./pages/rightsPage.tsx"
import { rightsEvents } from "./schemas/rightsEvents.ts"
import { Erasures } from "./services/Erasures.ts"
import { Merges } from "./services/Merges.ts"
import { PatientExport } from "./services/PatientExport.ts"
import { rightsCommands } from "./services/rightsCommands.ts"

export const manifest = capability({
  name: "patient-rights",
  declares: addRecords,
  services: Layer.mergeAll(Erasures.Default, Merges.Default, PatientExport.Default, PatientRecords.Default),
  api: PatientRightsApi,
  http: PatientRightsHttp,
  events: rightsEvents,
  tables: { erasures: "organisation_uid", retained_records: "organisation_uid" },
  commands: rightsCommands,
  staffPages: {
    pages: [rightsPage],
    forms: { "patients/:uid/export": exportForm, "patients/:uid/erase": eraseForm },
    below: { "patients/:uid": mergingPart },
    cards: { patientHead: RightsLink }
  },
  extension: Effect.map(Erasures, (erasures) =>
    // Erases orders of erased patients that were in progress at the erasure and are now complete
    extension({ periodic: [{ name: "maintenance.erasures", every: 10, run: erasures.finish() }] })
  )
})
