/** Reads a client's public keys, JWK sets, at the address that it was registered with. */
import { HttpClientResponse } from "@effect/platform"
import { Data, Effect } from "effect"
import { ConfiguredAddresses } from "../../../services/addresses.ts"
import { outgoing } from "../../../services/outgoing.ts"

/** The keys cannot be read now. `reason` is for logs. */
export class KeySetUnavailable extends Data.TaggedError("KeySetUnavailable")<{ readonly reason: string }> {}

export const MAX_BYTES = 65_536
const call = outgoing({
  to: "address of a FHIR client's keys (`jwks_uri`)",
  seconds: 5,
  bytes: MAX_BYTES,
  atOnce: 32,
  ofOwner: 8,
  ofAddress: 2
})

const unavailable = (reason: string) => new KeySetUnavailable({ reason })

export class ClientKeySets extends Effect.Service<ClientKeySets>()("fhir/ClientKeySets", {
  effect: Effect.map(ConfiguredAddresses, ({ get }) => ({
    /** The JWK set, as sent. */
    read: Effect.fn("ClientKeySets.read")((url: string) =>
      get(url, { headers: { accept: "application/json" } }).pipe(
        Effect.flatMap(HttpClientResponse.filterStatusOk),
        Effect.flatMap(({ json }) => json),
        Effect.mapError(({ reason }) => unavailable(reason)),
        call(() => unavailable("too slow"), { address: url })
      )
    )
  }))
}) {}
