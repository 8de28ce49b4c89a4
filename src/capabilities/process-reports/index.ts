/** What a process reports of itself while it serves: heartbeats, and gauges of what waits, memory, processor and event loop. Rule 14.3. */
import { Effect } from "effect"
import { capability } from "../../capability.ts"
import { Settings } from "../../config.ts"
import { extension } from "../../services/Extensions.ts"
import { Replicas } from "../shared/services/Replicas.ts"
import { backlog } from "./services/backlog.ts"
import { heartbeats } from "./services/heartbeats.ts"
import { processMeters } from "./services/processMeters.ts"

export const processReportsCapability = capability({
  name: "process-reports",
  switched: false,
  services: Replicas.Default,
  extension: Effect.gen(function* () {
    const { role } = yield* Settings
    const reports = [yield* heartbeats, yield* processMeters, ...(role === "http" ? [] : [yield* backlog])]
    return extension({ whileServing: Effect.all(reports, { discard: true }) })
  })
})
