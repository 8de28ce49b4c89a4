/** Reads JWK sets over HTTP, from public addresses alone. */
import { HttpClientResponse } from "@effect/platform"
import { Effect, Layer, Stream } from "effect"
import { Settings } from "../../config.ts"
import { ClientKeySets, KeySetUnavailable } from "../../services/fhir/ClientKeySets.ts"
import { examineAddress } from "../outgoing/addresses.ts"
import { guardedClient } from "../outgoing/guardedClient.ts"

export const MAX_BYTES = 65_536
const TIMEOUT = "5 seconds"

const unavailable = (reason: string) => new KeySetUnavailable({ reason })

export const ClientKeySetsLive = Layer.effect(
  ClientKeySets,
  Effect.map(Settings, ({ webhookAllowPrivate }) => {
    const client = guardedClient({ allowPrivate: webhookAllowPrivate })
    const bytesOf = (response: HttpClientResponse.HttpClientResponse) =>
      Stream.runFoldEffect(response.stream, Buffer.alloc(0), (all, chunk) =>
        all.length + chunk.length > MAX_BYTES
          ? Effect.fail(unavailable("too large"))
          : Effect.succeed(Buffer.concat([all, chunk]))
      )
    return ClientKeySets.of({
      examine: examineAddress({ allowPrivate: webhookAllowPrivate }),
      read: Effect.fn("ClientKeySets.read")((url: string) =>
        client.get(url, { headers: { accept: "application/json" } }).pipe(
          Effect.flatMap(HttpClientResponse.filterStatusOk),
          Effect.flatMap(bytesOf),
          Effect.flatMap((bytes) =>
            Effect.try({ try: (): unknown => JSON.parse(bytes.toString("utf8")), catch: () => unavailable("no JSON") })
          ),
          Effect.mapError((error) => (error instanceof KeySetUnavailable ? error : unavailable(error._tag))),
          Effect.timeoutFail({ duration: TIMEOUT, onTimeout: () => unavailable("too slow") })
        )
      )
    })
  })
)
