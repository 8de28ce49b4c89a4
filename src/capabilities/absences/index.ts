/** Known while it is off, too. */
import { installed } from "../../capability.ts"
import type { manifest } from "./manifest.ts"
import absences from "./migrations/0001.sql" with { type: "text" }

export const absencesCapability = installed({
  name: "absences",
  migrations: [{ name: "absences/0001", text: absences }],
  manifest: (): typeof manifest => require("./manifest.ts").manifest
})
