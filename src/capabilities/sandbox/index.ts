/** Known while it is off, too. */
import { installed } from "../../capability.ts"
import { demo } from "../shared/services/demo.ts"
import type { manifest } from "./manifest.ts"

export const sandboxCapability = installed({
  name: "sandbox",
  setting: ({ clockMoves }) => (clockMoves ? "SANDBOX" : null),
  publicCredentials: {
    apiKeys: [demo.managementKey, demo.checkoutKey, demo.pharmacyKey],
    bookingKeyId: demo.bookingKeyId
  },
  manifest: (): typeof manifest => require("./manifest.ts").manifest
})
