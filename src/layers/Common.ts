import { Layer } from "effect"
import { DomainClock } from "../services/DomainClock.ts"
import { Database } from "../services/database/Database.ts"
import { Leases } from "../services/queue/Leases.ts"
import { Owners } from "../services/tenancy/Owners.ts"
import { DatabaseSessionsLive } from "./DatabaseSessions.ts"

/** What services of all domains use and none lists among its dependencies, as the ports. The database is migrated. */
export const CommonLive = Layer.mergeAll(
  Database.Default,
  DomainClock.Default,
  Owners.Default,
  Layer.provide(Leases.Default, DatabaseSessionsLive)
)
