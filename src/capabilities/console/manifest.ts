/** The console: pages for doctors, practices, pharmacies and operators, and their sign-in by browser. Section 17. */

import { Effect, Layer, Option } from "effect"
import { capability } from "../../capability.ts"
import { fileForm } from "../../http/admission/bodyLimits.ts"
import { extension } from "../../services/Extensions.ts"
import { remote } from "../../services/remoteCalls.ts"
import { addCalendarFields } from "../shared/schemas/Calendar.ts"
import { exampleUids } from "../shared/services/exampleUids.ts"
import { addedList } from "../shared/services/provisioning/entry.ts"
import { ConsoleApi } from "./http/ConsoleApi.ts"
import { ConsoleHttp } from "./http/ConsoleHttp.ts"
import { CalendarFeedsHttp, DoctorCalendarHttp } from "./http/doctor/DoctorCalendarHttp.ts"
import { DoctorDayHttp } from "./http/doctor/DoctorDayHttp.ts"
import { OperatorHttp } from "./http/operator/OperatorHttp.ts"
import { PracticeHttp } from "./http/practice/PracticeHttp.ts"
import { ReportsHttp } from "./http/practice/ReportsHttp.ts"
import { StaffHttp } from "./http/practice/StaffHttp.ts"
import { StaffInvitationsHttp } from "./http/StaffInvitationsHttp.ts"
import { StaffTokensHttp } from "./http/StaffTokensHttp.ts"
import { Sessions } from "./http/serving/session.ts"
import { SignInLive } from "./layers/SignInLive.ts"
import { latenessEvents, latenessNotices } from "./schemas/lateness.ts"
import { StaffEntry } from "./schemas/StaffPerson.ts"
import { staffCommand } from "./services/inviteCommand.ts"
import { SignIn } from "./services/SignIn.ts"
import { StaffTokens } from "./services/StaffTokens.ts"
import { StaffPeople } from "./services/staff/StaffPeople.ts"
import { noticeTexts } from "./texts/notice.ts"

export const manifest = capability({
  name: "console",
  declares: addCalendarFields,
  events: latenessEvents,
  notices: latenessNotices,
  noticeTexts,
  lists: {
    staff: {
      entry: StaffEntry,
      example: [
        {
          uid: "stf_example",
          organisation_uid: exampleUids.organisation_uid,
          display_name: "Kim Beispiel",
          email: "kim@example.org",
          role: "reception",
          subject: "3f6c1c9e-7a52-4b0e-9d43-1c0a2f8b7e55"
        }
      ]
    }
  },
  services: Layer.mergeAll(Sessions.Default, StaffPeople.Default, StaffTokens.Default).pipe(
    Layer.provideMerge(remote(SignIn, SignInLive))
  ),
  extension: Effect.gen(function* () {
    const { current } = yield* Sessions
    const people = yield* StaffPeople
    return extension({
      staffOf: (yield* StaffTokens).claimsOf,
      signedInDoctor: Effect.map(current, (found) =>
        Option.getOrUndefined(found)?.members.find(({ role }) => role === "doctor")
      ),
      provisioning: [
        addedList<StaffEntry>("staff", {
          key: ({ uid, organisation_uid }) => `${organisation_uid}/${uid}`,
          write: people.provision,
          rows: ({ uid, organisation_uid }) => [["staff_people", { organisation_uid, uid }]]
        })
      ]
    })
  }),
  commands: [staffCommand],
  deskOperations: ["management.practice.preview_override"],
  api: ConsoleApi,
  http: Layer.mergeAll(
    ConsoleHttp,
    PracticeHttp,
    ReportsHttp,
    DoctorDayHttp,
    DoctorCalendarHttp,
    CalendarFeedsHttp,
    OperatorHttp,
    StaffHttp,
    StaffInvitationsHttp,
    StaffTokensHttp
  ),
  startPages: { Console: "/console" },
  bodies: Object.fromEntries(["operator", "pharmacy", "doctor"].map((one) => [`POST /console/${one}/`, fileForm]))
})
