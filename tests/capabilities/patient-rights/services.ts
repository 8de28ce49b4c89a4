/** Services of this capability that tests call directly (`tests/support/services.ts`). */
import { Erasures } from "../../../src/capabilities/patient-rights/services/Erasures.ts"

export const patientRightsServices = Erasures.Default
