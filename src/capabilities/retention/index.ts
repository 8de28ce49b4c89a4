/** Deletes records whose retention period has ended. Section 12.6. */
import { Effect } from "effect"
import { capability } from "../../capability.ts"
import { extension } from "../../services/Extensions.ts"
import { partitionCommand } from "./services/partitionCommand.ts"
import { ownersPastRetention } from "./services/pastRetention.ts"
import { Retention } from "./services/Retention.ts"
import { retentionCommand } from "./services/retentionCommand.ts"

export const retentionCapability = capability({
  name: "retention",
  switched: false,
  services: Retention.Default,
  jobFunctions: () => [ownersPastRetention()],
  commands: [partitionCommand, retentionCommand],
  extension: Effect.map(Retention, ({ deleteExpired }) =>
    extension({ periodic: [{ name: "maintenance.retention", every: 10, run: deleteExpired() }] })
  )
})
