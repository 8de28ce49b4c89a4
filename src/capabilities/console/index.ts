/** Known while it is off, too. */
import { installed } from "../../capability.ts"
import type { manifest } from "./manifest.ts"
import sessions from "./migrations/0001.sql" with { type: "text" }

export const consoleCapability = installed({
  name: "console",
  migrations: [{ name: "console/0001", text: sessions }],
  manifest: (): typeof manifest => require("./manifest.ts").manifest
})
