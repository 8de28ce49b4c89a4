/** The console: pages for doctors, practices, pharmacies and operators, and their sign-in by browser. Section 17. */
import { Effect, Layer, Option } from "effect"
import { capability } from "../../capability.ts"
import { fileForm } from "../../http/admission/bodyLimits.ts"
import { extension } from "../../services/Extensions.ts"
import { remote } from "../../services/remoteCalls.ts"
import { ConsoleApi } from "./http/ConsoleApi.ts"
import { ConsoleHttp } from "./http/ConsoleHttp.ts"
import { StaffInvitationsHttp } from "./http/StaffInvitationsHttp.ts"
import { StaffTokensHttp } from "./http/StaffTokensHttp.ts"
import { Sessions } from "./http/serving/session.ts"
import { SignInLive } from "./layers/SignInLive.ts"
import sessions from "./migrations/0001.sql" with { type: "text" }
import { staffCommand } from "./services/inviteCommand.ts"
import { SignIn } from "./services/SignIn.ts"
import { StaffTokens } from "./services/StaffTokens.ts"

export const consoleCapability = capability({
  name: "console",
  migrations: [{ name: "console/0001", text: sessions }],
  services: Layer.mergeAll(Sessions.Default, StaffTokens.Default).pipe(Layer.provideMerge(remote(SignIn, SignInLive))),
  extension: Effect.zipWith(StaffTokens, Sessions, ({ claimsOf }, { current }) =>
    extension({
      staffOf: claimsOf,
      signedInDoctor: Effect.map(current, (found) =>
        Option.getOrUndefined(found)?.members.find(({ role }) => role === "doctor")
      )
    })
  ),
  commands: [staffCommand],
  api: ConsoleApi,
  http: Layer.mergeAll(ConsoleHttp, StaffInvitationsHttp, StaffTokensHttp),
  startPages: { Console: "/console" },
  bodies: Object.fromEntries(["operator", "pharmacy", "doctor"].map((one) => [`POST /console/${one}/`, fileForm])),
  staffPages: { ofAppointment: (uid) => `/console/doctor/appointments/${uid}` }
})
