/** The whole service, put together once. Tests build the same and only give it other settings. */
import { FetchHttpClient } from "@effect/platform"
import { BunContext } from "@effect/platform-bun"
import { Layer } from "effect"
import { ServerLive } from "../http/Server.ts"
import { ApiKeys } from "../services/access/ApiKeys.ts"
import { Patients } from "../services/access/Patients.ts"
import { DomainClock } from "../services/DomainClock.ts"
import { Jobs } from "../services/Jobs.ts"
import { Provisioning } from "../services/provisioning/Provisioning.ts"
import { AppointmentLists } from "../services/scheduling/AppointmentLists.ts"
import { AppointmentTypes } from "../services/scheduling/AppointmentTypes.ts"
import { AvailabilityRules } from "../services/scheduling/AvailabilityRules.ts"
import { Bookings } from "../services/scheduling/Bookings.ts"
import { DateOverrides } from "../services/scheduling/DateOverrides.ts"
import { DoctorSettings } from "../services/scheduling/DoctorSettings.ts"
import { Doctors } from "../services/scheduling/Doctors.ts"
import { Reminders } from "../services/scheduling/Reminders.ts"
import { SlotEngine } from "../services/scheduling/SlotEngine.ts"
import { BannerLive } from "./Banner.ts"
import { BossLive } from "./Boss.ts"
import { DatabaseLive } from "./Database.ts"
import { ProvisionedLive } from "./demo/Provisioned.ts"
import { RateLimiterLive } from "./limits/RateLimiterLive.ts"
import { SecretBoxLive } from "./MasterKey.ts"
import { MigratedLive } from "./Migrate.ts"
import { ReadinessLive } from "./Readiness.ts"
import { SqlLive } from "./Sql.ts"
import { TelemetryLive } from "./Telemetry.ts"

/** What is done, whoever asks: every use-case of every domain. */
export const Services = Layer.mergeAll(
  DomainClock.Default,
  ApiKeys.Default,
  Patients.Default,
  AppointmentTypes.Default,
  AppointmentLists.Default,
  AvailabilityRules.Default,
  DateOverrides.Default,
  DoctorSettings.Default,
  Doctors.Default,
  Reminders.Default,
  SlotEngine.Default,
  Bookings.Default,
  Provisioning.Default,
  Jobs.Default
)

/** What the use-cases stand on, chosen by the settings. */
export const Ports = Layer.mergeAll(SecretBoxLive, ReadinessLive, BossLive, RateLimiterLive)

/** Everything but the server: for the command line as well. `database` says whose the embedded database is. */
export const backstage = (database: typeof DatabaseLive) =>
  Services.pipe(
    Layer.provideMerge(Ports),
    Layer.provideMerge(MigratedLive),
    Layer.provideMerge(SqlLive),
    Layer.provideMerge(database),
    Layer.provideMerge(Layer.mergeAll(BunContext.layer, FetchHttpClient.layer)),
    Layer.provideMerge(TelemetryLive)
  )

/** The service: provisioned, then serving. Needs only its settings; gives every use-case, which tests ask directly. */
export const App = BannerLive.pipe(
  Layer.provideMerge(ServerLive),
  Layer.provideMerge(ProvisionedLive),
  Layer.provideMerge(backstage(DatabaseLive))
)
