/** The console: pages for doctors, practices, pharmacies and operators, and their sign-in by browser. Section 17. */
import { Effect, Layer } from "effect"
import { capability } from "../../capability.ts"
import { extension } from "../../services/Extensions.ts"
import { remote } from "../../services/remoteCalls.ts"
import { ConsoleHttp } from "./http/ConsoleHttp.ts"
import { StaffTokensApi } from "./http/StaffTokensApi.ts"
import { StaffTokensHttp } from "./http/StaffTokensHttp.ts"
import { SignInLive } from "./layers/SignInLive.ts"
import sessions from "./migrations/0001.sql" with { type: "text" }
import { SignIn } from "./services/SignIn.ts"
import { StaffTokens } from "./services/StaffTokens.ts"

export const consoleCapability = capability({
  name: "console",
  migrations: [{ name: "console/0001", text: sessions }],
  services: Layer.merge(remote(SignIn, SignInLive), StaffTokens.Default),
  api: StaffTokensApi,
  http: Layer.merge(ConsoleHttp, StaffTokensHttp),
  extension: Effect.map(StaffTokens, ({ claimsOf }) => extension({ staffOf: claimsOf }))
})
