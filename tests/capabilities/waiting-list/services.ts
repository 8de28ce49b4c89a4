/** Services of this capability that tests call directly (`tests/support/services.ts`). */
import { Layer } from "effect"
import { Entries } from "../../../src/capabilities/waiting-list/services/Entries.ts"
import { Offers } from "../../../src/capabilities/waiting-list/services/Offers.ts"

export const waitingListServices = Layer.mergeAll(Entries.Default, Offers.Default)
