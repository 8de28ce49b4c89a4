/** Services of this capability that tests call directly (`tests/support/services.ts`). */
import { OrganisationErasure } from "../../../src/capabilities/record-commands/services/OrganisationErasure.ts"

export const recordCommandsServices = OrganisationErasure.Default
