/** Known while it is off, too. */
import { installed } from "../../capability.ts"
import type { manifest } from "./manifest.ts"
import recalls from "./migrations/0001.sql" with { type: "text" }

export const recallsCapability = installed({
  name: "recalls",
  migrations: [{ name: "recalls/0001", text: recalls }],
  manifest: (): typeof manifest => require("./manifest.ts").manifest
})
