/** Known while it is off, too. */
import { installed } from "../../capability.ts"
import { restricted } from "../shared/services/retentionRules.ts"
import type { manifest } from "./manifest.ts"
import waitlist from "./migrations/0001.sql" with { type: "text" }
import due from "./migrations/0002.sql" with { type: "text" }
import { keptEntries } from "./schemas/addedFields.ts"

export const waitingListCapability = installed({
  name: "waiting-list",
  migrations: [
    { name: "waiting-list/0001", text: waitlist },
    { name: "waiting-list/0002", text: due }
  ],
  retention: [
    { table: "waitlist_entries", since: "starts_to", after: { name: "waitlist", ...keptEntries }, unless: restricted }
  ],
  manifest: (): typeof manifest => require("./manifest.ts").manifest
})
