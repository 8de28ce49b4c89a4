/** For trying out: the demo world, and the clock, which partners move forward to test later events. Rule 3.10. */
import { Effect, Layer } from "effect"
import { capability } from "../../capability.ts"
import { extension } from "../../services/Extensions.ts"
import { Provisioning } from "../shared/services/provisioning/Provisioning.ts"
import { DemoHttp } from "./http/DemoHttp.ts"
import { SandboxApi } from "./http/SandboxApi.ts"
import { SandboxHttp } from "./http/SandboxHttp.ts"
import { tourPage } from "./pages/tourPage.tsx"
import { demoWorldFilled } from "./services/demo/filled.ts"
import { livedServices } from "./services/demo/practice/Lived.ts"
import { startLines } from "./services/demo/startLines.ts"
import { restarted } from "./services/SandboxClock.ts"

export const manifest = capability({
  name: "sandbox",
  api: SandboxApi,
  http: Layer.merge(SandboxHttp, DemoHttp),
  services: Layer.merge(Provisioning.Default, livedServices),
  openPages: ["/demo"],
  rootPage: tourPage,
  startLines,
  extension: Effect.all([restarted, demoWorldFilled]).pipe(
    Effect.map(([onStart, filled]) => extension({ onStart, filled }))
  )
})
