/** The console: rooms for doctors, practices, pharmacies and operators, below `/console`. Section 17 of the specification. */
import { HttpApiBuilder } from "@effect/platform"
import { Layer } from "effect"
import { Staff } from "../../services/access/Staff.ts"
import { AuditLog } from "../../services/audit/AuditLog.ts"
import { RecentChanges } from "../../services/events/RecentChanges.ts"
import { WaitingRooms } from "../../services/meetings/WaitingRooms.ts"
import { Traffic } from "../../services/operation/Traffic.ts"
import { DoctorRoom } from "./doctor/DoctorRoom.ts"
import { LiveHttp } from "./LiveHttp.ts"
import { OperatorRoom } from "./operator/OperatorRoom.tsx"
import { PerformHttp } from "./PerformHttp.ts"
import { PharmacyRoom } from "./pharmacy/PharmacyRoom.tsx"
import { PracticeRoom } from "./practice/PracticeRoom.ts"
import { SignInHttp } from "./SignInHttp.tsx"
import { Console } from "./serving/Console.tsx"
import { Interface } from "./serving/Interface.ts"
import { Sessions } from "./serving/session.ts"

export const ConsoleHttp = Layer.mergeAll(
  SignInHttp,
  PerformHttp,
  LiveHttp,
  DoctorRoom,
  OperatorRoom,
  PharmacyRoom,
  PracticeRoom
).pipe(
  Layer.provide([
    Console.Default,
    Interface.Default,
    Sessions.Default,
    Staff.Default,
    AuditLog.Default,
    RecentChanges.Default,
    WaitingRooms.Default,
    Traffic.Default
  ]),
  Layer.provide(HttpApiBuilder.Router.Live)
)
