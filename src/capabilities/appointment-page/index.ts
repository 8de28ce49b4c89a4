/** The page of an appointment, where the codes of messages lead: what its patient may do there. Rules 5.4 and 5.5. */
import { capability } from "../../capability.ts"
import { AppointmentPagesHttp } from "./http/AppointmentPagesHttp.tsx"

export const appointmentPageCapability = capability({
  name: "appointment-page",
  switched: false,
  http: AppointmentPagesHttp,
  codePages: ["/appointment/:code"]
})
