/** The sandbox clock, which partners move forward to test later events. Rule 3.10. */
import { Effect } from "effect"
import { capability } from "../../capability.ts"
import { extension } from "../../services/Extensions.ts"
import { SandboxApi } from "./http/SandboxApi.ts"
import { SandboxHttp } from "./http/SandboxHttp.ts"
import { restarted } from "./services/SandboxClock.ts"

export const sandboxCapability = capability({
  name: "sandbox",
  setting: ({ clockMoves }) => (clockMoves ? "SANDBOX" : null),
  api: SandboxApi,
  http: SandboxHttp,
  extension: Effect.map(restarted, (onStart) => extension({ onStart }))
})
