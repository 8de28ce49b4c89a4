/** Wraps data keys with the master key, or by the key service that the settings select. */
import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { Capabilities } from "../../declarations.ts"
import { outsideTransactions } from "../../services/remoteCalls.ts"
import { type KeyService, KeyServiceFailed, KeyWrapping, type WrappedFor } from "../../services/sealing/KeyWrapping.ts"
import { type Place, SecretBox } from "../../services/sealing/SecretBox.ts"
import { unserved } from "../unserved.ts"

const placeOf = ({ owner, id }: WrappedFor): Place => ({ table: "data_keys", column: "key_sealed", row: [owner, id] })

const isVaults = (wrapped: string) => wrapped.startsWith("vault:")

const wrapping = (service?: KeyService) =>
  Effect.map(SecretBox, (box) => {
    const opened = (place: WrappedFor, wrapped: string) =>
      Effect.map(box.open(placeOf(place), wrapped), (text) => Buffer.from(text, "base64"))
    const sealed = (place: WrappedFor, key: Uint8Array) => box.seal(placeOf(place), Buffer.from(key).toString("base64"))
    const absent = Effect.die(new KeyServiceFailed({ operation: "decrypt", reason: "VAULT_TRANSIT_KEY is not set" }))
    return KeyWrapping.of({
      wrap: service?.wrap ?? sealed,
      unwrap: (place, wrapped) => {
        if (!isVaults(wrapped)) return opened(place, wrapped)
        return service === undefined ? absent : service.unwrap(place, wrapped)
      },
      isRemote: service !== undefined,
      // We do not know the newest version of its key
      isCurrent: (wrapped) => service === undefined && wrapped.startsWith(`${box.key_id}.`)
    })
  })

export const UnderMasterKey = Layer.effect(KeyWrapping, wrapping())

export const KeyWrappingLive = Layer.unwrapEffect(
  Effect.gen(function* () {
    const settings = yield* Settings
    const [service] = (yield* Capabilities).on.flatMap(({ keyService }) => keyService(settings) ?? [])
    if (service === undefined)
      return settings.vault === undefined ? UnderMasterKey : yield* unserved("VAULT_TRANSIT_KEY")
    return Layer.effect(
      KeyWrapping,
      Effect.flatMap(service, (found) => wrapping(outsideTransactions("KeyService", found)))
    )
  })
)
