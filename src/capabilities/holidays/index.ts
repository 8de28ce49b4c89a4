/** Known while it is off, too. */
import { installed } from "../../capability.ts"
import type { manifest } from "./manifest.ts"

export const holidaysCapability = installed({
  name: "holidays",
  manifest: (): typeof manifest => require("./manifest.ts").manifest
})
