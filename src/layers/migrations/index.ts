/** Every change of the schema, in order. A migration that has landed is never edited. */
import { tenants } from "./0001_tenants.ts"
import { scheduling } from "./0002_scheduling.ts"
import { events } from "./0003_events.ts"
import { management } from "./0010_management.ts"
import { rateLimits } from "./0070_rate_limits.ts"

export const migrations = {
  "0001_tenants": tenants,
  "0002_scheduling": scheduling,
  "0003_events": events,
  "0010_management": management,
  "0070_rate_limits": rateLimits
}
