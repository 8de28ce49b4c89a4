/** Services of this capability that tests call directly (`tests/support/services.ts`). */
import { Absences } from "../../../src/capabilities/absences/services/Absences.ts"

export const absencesServices = Absences.Default
