/** Work that is due by domain time and otherwise done by periodic jobs. */
import { Context, type Effect } from "effect"
import type { CurrentTenant } from "../tenancy/Tenancy.ts"

/**
 * All effects of domain time: expiring holds, reminders, completions, webhook retries. The periodic jobs run them separately; moving the
 * sandbox clock runs all of them at once, in this process, whatever its role.
 */
export class DueWork extends Context.Tag("services/DueWork")<
  DueWork,
  { readonly run: Effect.Effect<void, never, CurrentTenant> }
>() {}
