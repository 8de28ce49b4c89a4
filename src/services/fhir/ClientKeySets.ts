/** The port for reading a client's public keys at an address that it was registered with. */
import { Context, Data, type Effect } from "effect"

/** The keys cannot be read now. `reason` is for logs. */
export class KeySetUnavailable extends Data.TaggedError("KeySetUnavailable")<{ readonly reason: string }> {}

export class ClientKeySets extends Context.Tag("fhir/ClientKeySets")<
  ClientKeySets,
  {
    /** The JWK set, as sent. */
    readonly read: (url: string) => Effect.Effect<unknown, KeySetUnavailable>
  }
>() {}
