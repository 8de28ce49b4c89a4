/** Reads JWK sets over HTTP, from public addresses alone. */
import { HttpClientResponse } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { ClientKeySets, KeySetUnavailable } from "../../services/fhir/ClientKeySets.ts"
import { outgoing } from "../../services/outgoing.ts"
import { examineAddress } from "../outgoing/addresses.ts"
import { guardedClient } from "../outgoing/guardedClient.ts"

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

export const ClientKeySetsLive = Layer.effect(
  ClientKeySets,
  Effect.map(Settings, ({ webhookAllowPrivate }) => {
    const client = guardedClient({ allowPrivate: webhookAllowPrivate })
    return ClientKeySets.of({
      examine: examineAddress({ allowPrivate: webhookAllowPrivate }),
      read: Effect.fn("ClientKeySets.read")((url: string) =>
        client.get(url, { headers: { accept: "application/json" } }).pipe(
          Effect.flatMap(HttpClientResponse.filterStatusOk),
          Effect.flatMap(({ json }) => json),
          Effect.mapError(({ reason }) => unavailable(reason)),
          call(() => unavailable("too slow"), { address: url })
        )
      )
    })
  })
)
