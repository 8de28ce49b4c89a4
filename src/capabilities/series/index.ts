/** Known while it is off, too. */
import { installed } from "../../capability.ts"
import type { manifest } from "./manifest.ts"

export const seriesCapability = installed({
  name: "series",
  manifest: (): typeof manifest => require("./manifest.ts").manifest
})
