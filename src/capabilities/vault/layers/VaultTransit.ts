/**
 * The transit engine of HashiCorp Vault and OpenBao: `POST {VAULT_ADDR}/v1/{mount}/encrypt/{key}` and `…/decrypt/{key}`. The key
 * never leaves it. Its type must support associated data: aes256-gcm96 (the default) or chacha20-poly1305.
 */
import { HttpClient, HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { Effect, Redacted, Schedule, Schema } from "effect"
import { outgoing } from "../../../services/outgoing.ts"
import { KeyServiceFailed, type WrappedFor } from "../../../services/sealing/KeyWrapping.ts"

export interface VaultSettings {
  /** Without a slash at the end. */
  readonly address: string
  /** Undefined if a sidecar agent adds its own token. */
  readonly token: Redacted.Redacted | undefined
  readonly namespace: string | undefined
  /** `mount/key`. */
  readonly key: string
}

const Encrypted = Schema.Struct({ data: Schema.Struct({ ciphertext: Schema.String }) })
const Decrypted = Schema.Struct({ data: Schema.Struct({ plaintext: Schema.Uint8ArrayFromBase64 }) })

const calling = outgoing({ to: "key service, for a data key", seconds: 5, bytes: 65_536, atOnce: 16, ofOwner: 2 })
const retrySchedule = Schedule.exponential("100 millis").pipe(Schedule.intersect(Schedule.recurs(2)))

const associatedData = ({ owner, id }: WrappedFor) =>
  Buffer.from(JSON.stringify(["data_keys", owner, id])).toString("base64")

export const vaultTransit = ({ address, token, namespace, key }: VaultSettings) =>
  Effect.map(HttpClient.HttpClient, (client) => {
    const [mount = "", name = ""] = key.split("/")
    const headers = {
      ...(token !== undefined && { "x-vault-token": Redacted.value(token) }),
      ...(namespace !== undefined && { "x-vault-namespace": namespace }),
      "x-vault-request": "true"
    }
    const call = <A, I>(operation: KeyServiceFailed["operation"], answer: Schema.Schema<A, I>, body: object) => {
      const request = HttpClientRequest.post(`${address}/v1/${mount}/${operation}/${name}`, { headers })
      return client.execute(HttpClientRequest.bodyUnsafeJson(request, body)).pipe(
        Effect.flatMap(HttpClientResponse.filterStatusOk),
        Effect.flatMap(HttpClientResponse.schemaBodyJson(answer)),
        Effect.scoped,
        Effect.retry({ schedule: retrySchedule, while: ({ _tag }) => _tag === "RequestError" }),
        Effect.catchTags({
          RequestError: ({ reason }) => new KeyServiceFailed({ operation, reason }),
          ResponseError: ({ response }) =>
            new KeyServiceFailed({ operation, reason: `it answered ${response.status}` }),
          ParseError: () => new KeyServiceFailed({ operation, reason: "its answer is not one of the transit engine" })
        }),
        calling(() => new KeyServiceFailed({ operation, reason: "no answer within 5 seconds" })),
        Effect.orDie,
        Effect.withSpan(`KeyService.${operation}`, { kind: "client" })
      )
    }
    return {
      wrap: (place: WrappedFor, bytes: Uint8Array) =>
        Effect.map(
          call("encrypt", Encrypted, {
            plaintext: Buffer.from(bytes).toString("base64"),
            associated_data: associatedData(place)
          }),
          ({ data }) => data.ciphertext
        ),
      unwrap: (place: WrappedFor, ciphertext: string) =>
        Effect.map(
          call("decrypt", Decrypted, { ciphertext, associated_data: associatedData(place) }),
          ({ data }) => data.plaintext
        )
    }
  })
