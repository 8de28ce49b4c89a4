/** The port for readiness: whether this process can serve. Implemented in the layers. */
import { Context, type Effect } from "effect"

export class Readiness extends Context.Tag("services/Readiness")<
  Readiness,
  {
    /** Succeeds if the database answers and its schema is current; fails with the reason in a sentence. */
    readonly check: Effect.Effect<void, string>
  }
>() {}
