/** The console: pages for doctors, practices, pharmacies and operators, and their sign-in by browser. Section 17. */
import { Layer } from "effect"
import { capability } from "../../capability.ts"
import { fileForm } from "../../http/admission/bodyLimits.ts"
import { remote } from "../../services/remoteCalls.ts"
import { ConsoleHttp } from "./http/ConsoleHttp.ts"
import { StaffInvitationsApi } from "./http/StaffInvitationsApi.ts"
import { StaffInvitationsHttp } from "./http/StaffInvitationsHttp.ts"
import { SignInLive } from "./layers/SignInLive.ts"
import sessions from "./migrations/0001.sql" with { type: "text" }
import { SignIn } from "./services/SignIn.ts"

export const consoleCapability = capability({
  name: "console",
  migrations: [{ name: "console/0001", text: sessions }],
  services: remote(SignIn, SignInLive),
  api: StaffInvitationsApi,
  http: Layer.merge(ConsoleHttp, StaffInvitationsHttp),
  startPages: { Console: "/console" },
  bodies: Object.fromEntries(["operator", "pharmacy", "doctor"].map((one) => [`POST /console/${one}/`, fileForm])),
  staffPages: { ofAppointment: (uid) => `/console/doctor/appointments/${uid}` }
})
