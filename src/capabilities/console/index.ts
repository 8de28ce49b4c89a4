/** The console: pages for doctors, practices, pharmacies and operators, and their sign-in by browser. Section 17. */
import { capability } from "../../capability.ts"
import { remote } from "../../services/remoteCalls.ts"
import { ConsoleHttp } from "./http/ConsoleHttp.ts"
import { SignInLive } from "./layers/SignInLive.ts"
import sessions from "./migrations/0001.sql" with { type: "text" }
import { SignIn } from "./services/SignIn.ts"

export const consoleCapability = capability({
  name: "console",
  migrations: [{ name: "console/0001", text: sessions }],
  services: remote(SignIn, SignInLive),
  http: ConsoleHttp
})
