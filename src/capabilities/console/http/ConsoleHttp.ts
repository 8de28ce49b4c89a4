/** The console: workspaces for doctors, practices, pharmacies and operators, below `/console`. Section 17 of the specification. */
import { HttpApiBuilder } from "@effect/platform"
import { Layer } from "effect"
import { Staff } from "../../../services/access/Staff.ts"
import { AuditLog } from "../../../services/audit/AuditLog.ts"
import { Traffic } from "../../../services/operation/Traffic.ts"
import { InProcessApi } from "../../shared/http/InProcessApi.ts"
import { RecentChanges } from "../services/RecentChanges.ts"
import { StaffPeople } from "../services/staff/StaffPeople.ts"
import { DevelopmentSignInHttp } from "./DevelopmentSignInHttp.tsx"
import { DoctorWorkspace } from "./doctor/DoctorWorkspace.ts"
import { LiveHttp } from "./LiveHttp.ts"
import { MailSignInHttp } from "./MailSignInHttp.tsx"
import { OperatorWorkspace } from "./operator/OperatorWorkspace.tsx"
import { PerformHttp } from "./PerformHttp.ts"
import { PharmacyWorkspace } from "./pharmacy/PharmacyWorkspace.tsx"
import { PracticeWorkspace } from "./practice/PracticeWorkspace.ts"
import { SignInHttp } from "./SignInHttp.tsx"
import { Console } from "./serving/Console.tsx"
import { Sessions } from "./serving/session.ts"

export const ConsoleHttp = Layer.mergeAll(
  SignInHttp,
  MailSignInHttp,
  PerformHttp,
  LiveHttp,
  DoctorWorkspace,
  OperatorWorkspace,
  PharmacyWorkspace,
  PracticeWorkspace,
  DevelopmentSignInHttp
).pipe(
  Layer.provide([
    Console.Default,
    InProcessApi.Default,
    Sessions.Default,
    Staff.Default,
    StaffPeople.Default,
    AuditLog.Default,
    RecentChanges.Default,
    Traffic.Default
  ]),
  Layer.provide(HttpApiBuilder.Router.Live)
)
