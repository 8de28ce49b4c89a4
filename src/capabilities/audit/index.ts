/** Known while it is off, too. */
import { installed } from "../../capability.ts"
import type { manifest } from "./manifest.ts"
import chains from "./migrations/0001.sql" with { type: "text" }

export const auditCapability = installed({
  name: "audit",
  migrations: [{ name: "audit/0001", text: chains }],
  manifest: (): typeof manifest => require("./manifest.ts").manifest
})
