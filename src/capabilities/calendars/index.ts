/** Known while it is off, too. */
import { installed } from "../../capability.ts"
import type { manifest } from "./manifest.ts"
import calendars from "./migrations/0001.sql" with { type: "text" }

export const calendarsCapability = installed({
  name: "calendars",
  migrations: [{ name: "calendars/0001", text: calendars }],
  manifest: (): typeof manifest => require("./manifest.ts").manifest
})
