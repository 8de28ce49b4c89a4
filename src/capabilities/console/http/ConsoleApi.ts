/** Contract of what the console has in the interface. */
import { HttpApi } from "@effect/platform"
import { CalendarFeedsApi, DoctorCalendarApi } from "./doctor/DoctorCalendarApi.ts"
import { DoctorDayApi } from "./doctor/DoctorDayApi.ts"
import { OperatorApi } from "./operator/OperatorApi.ts"
import { PracticeApi } from "./practice/PracticeApi.ts"
import { ReportsApi } from "./practice/ReportsApi.ts"
import { StaffApi } from "./practice/StaffApi.ts"
import { StaffInvitations } from "./StaffInvitationsApi.ts"
import { StaffTokens } from "./StaffTokensApi.ts"

export class ConsoleApi extends HttpApi.make("sprechstunde")
  .add(StaffApi)
  .add(StaffInvitations)
  .add(StaffTokens)
  .add(PracticeApi)
  .add(ReportsApi)
  .add(DoctorDayApi)
  .add(DoctorCalendarApi)
  .add(CalendarFeedsApi)
  .add(OperatorApi) {}
