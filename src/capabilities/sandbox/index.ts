/** Known while it is off, too. */
import { installed } from "../../capability.ts"
import type { manifest } from "./manifest.ts"

export const sandboxCapability = installed({
  name: "sandbox",
  setting: ({ clockMoves }) => (clockMoves ? "SANDBOX" : null),
  manifest: (): typeof manifest => require("./manifest.ts").manifest
})
