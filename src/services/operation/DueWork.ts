/** What is due by domain time and is otherwise done by periodic jobs. */
import { Context, type Effect } from "effect"

/**
 * Everything that domain time alone brings about: lapsing holds, reminders, completions, webhook retries. The periodic
 * jobs do it piece by piece; moving the sandbox clock does all of it at once, in this process, whatever its role.
 */
export class DueWork extends Context.Tag("services/DueWork")<DueWork, { readonly run: Effect.Effect<void> }>() {}
