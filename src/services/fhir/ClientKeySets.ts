/** The port for reading a client's public keys at an address that it was registered with. */
import { Context, Data, type Effect } from "effect"
import type { AddressRefused } from "../addresses.ts"

/** The keys cannot be read now. `reason` is for logs. */
export class KeySetUnavailable extends Data.TaggedError("KeySetUnavailable")<{ readonly reason: string }> {}

export class ClientKeySets extends Context.Tag("fhir/ClientKeySets")<
  ClientKeySets,
  {
    /** Whether keys may be read there: not in a private network unless allowed. `unresolved`: also if its name does not resolve now. */
    readonly examine: (url: string, unresolved?: boolean) => Effect.Effect<void, AddressRefused>
    /** The JWK set, as sent. */
    readonly read: (url: string) => Effect.Effect<unknown, KeySetUnavailable>
  }
>() {}
