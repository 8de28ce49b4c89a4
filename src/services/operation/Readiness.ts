/** Whether this process can do its work: a port, since only the outside knows what it stands on. */
import { Context, type Effect } from "effect"

export class Readiness extends Context.Tag("services/Readiness")<
  Readiness,
  {
    /** Succeeds when the database answers and its schema is current; fails with the reason in a sentence. */
    readonly check: Effect.Effect<void, string>
  }
>() {}
