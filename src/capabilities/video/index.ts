/** Known while it is off, too. */
import { installed } from "../../capability.ts"
import type { manifest } from "./manifest.ts"
import meetings from "./migrations/0001.sql" with { type: "text" }

export const videoCapability = installed({
  name: "video",
  migrations: [{ name: "video/0001", text: meetings }],
  manifest: (): typeof manifest => require("./manifest.ts").manifest
})
