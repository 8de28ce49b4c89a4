/** Every capability, in the order in which they take part in the core's work. Deleting one is deleting its folder, its tests' and its line. */
import { recallsCapability } from "./recalls/index.ts"
import { waitingListCapability } from "./waiting-list/index.ts"

export const installed = [recallsCapability, waitingListCapability]
