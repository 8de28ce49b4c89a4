/** Services of this capability that tests call directly (`tests/support/services.ts`). */
import { Recalls } from "../../../src/capabilities/recalls/services/Recalls.ts"

export const recallsServices = Recalls.Default
