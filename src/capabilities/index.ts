/** Every capability, in the order in which they take part in the core's work. Deleting one is deleting its folder, its tests' and its line. */
import { clusterCapability } from "./cluster/index.ts"
import { recallsCapability } from "./recalls/index.ts"

export const installed = [recallsCapability, clusterCapability]
