/** Services of this capability that tests call directly (`tests/support/services.ts`). */
import { Layer } from "effect"
import { Erasures } from "../../../src/capabilities/patient-rights/services/Erasures.ts"
import { OrganisationErasure } from "../../../src/capabilities/record-commands/services/OrganisationErasure.ts"

export const patientRightsServices = Layer.merge(Erasures.Default, OrganisationErasure.Default)
