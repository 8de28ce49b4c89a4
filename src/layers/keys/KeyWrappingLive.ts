/** Wraps data keys with the master key, or with VAULT_TRANSIT_KEY in the transit engine of Vault or OpenBao. */
import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { outsideTransactions } from "../../services/remoteCalls.ts"
import { KeyServiceFailed, KeyWrapping, type WrappedFor } from "../../services/sealing/KeyWrapping.ts"
import { type Place, SecretBox } from "../../services/sealing/SecretBox.ts"
import { vaultTransit } from "./VaultTransit.ts"

const placeOf = ({ owner, id }: WrappedFor): Place => ({ table: "data_keys", column: "key_sealed", row: [owner, id] })

const isVaults = (wrapped: string) => wrapped.startsWith("vault:")

const wrapping = (transit?: Effect.Effect.Success<ReturnType<typeof vaultTransit>>) =>
  Effect.map(SecretBox, (box) => {
    const opened = (place: WrappedFor, wrapped: string) =>
      Effect.map(box.open(placeOf(place), wrapped), (text) => Buffer.from(text, "base64"))
    const sealed = (place: WrappedFor, key: Uint8Array) => box.seal(placeOf(place), Buffer.from(key).toString("base64"))
    const absent = Effect.die(new KeyServiceFailed({ operation: "decrypt", reason: "VAULT_TRANSIT_KEY is not set" }))
    return KeyWrapping.of({
      wrap: transit?.wrap ?? sealed,
      unwrap: (place, wrapped) => {
        if (!isVaults(wrapped)) return opened(place, wrapped)
        return transit === undefined ? absent : transit.unwrap(place, wrapped)
      },
      isRemote: transit !== undefined,
      // The service does not know the newest version of a transit key
      isCurrent: (wrapped) => transit === undefined && wrapped.startsWith(`${box.key_id}.`)
    })
  })

export const UnderMasterKey = Layer.effect(KeyWrapping, wrapping())

export const KeyWrappingLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ vault }) =>
    vault === undefined
      ? UnderMasterKey
      : Layer.effect(
          KeyWrapping,
          Effect.flatMap(vaultTransit(vault), (transit) => wrapping(outsideTransactions("KeyService", transit)))
        )
  )
)
