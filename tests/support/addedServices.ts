/** Services of capabilities that tests call directly: a line for each capability that has some. */
import { Layer } from "effect"
import { absencesServices } from "../capabilities/absences/services.ts"
import { auditServices } from "../capabilities/audit/services.ts"
import { calendarsServices } from "../capabilities/calendars/services.ts"
import { keyRotationServices } from "../capabilities/key-rotation/services.ts"
import { patientRightsServices } from "../capabilities/patient-rights/services.ts"
import { recallsServices } from "../capabilities/recalls/services.ts"
import { recordCommandsServices } from "../capabilities/record-commands/services.ts"
import { retentionServices } from "../capabilities/retention/services.ts"
import { waitingListServices } from "../capabilities/waiting-list/services.ts"

export const AddedServices = Layer.mergeAll(
  Layer.empty,
  absencesServices,
  auditServices,
  calendarsServices,
  keyRotationServices,
  patientRightsServices,
  recallsServices,
  recordCommandsServices,
  retentionServices,
  waitingListServices
)
