/** Exchange of the master key, or of what wraps the data keys: seals and wraps again what an earlier one did. */
import { Effect } from "effect"
import { DataKeys } from "../sealing/DataKeys.ts"
import { SecretBox } from "../sealing/SecretBox.ts"
import { Resealing } from "./Resealing.ts"

export class MasterKeyRotation extends Effect.Service<MasterKeyRotation>()("services/MasterKeyRotation", {
  effect: Effect.gen(function* () {
    const box = yield* SecretBox
    const { reseal } = yield* Resealing
    const keys = yield* DataKeys

    /**
     * Seals every secret in the database again under the current master key, and wraps the data keys anew. Needs the earlier
     * keys in `MASTER_KEY_PREVIOUS`; can be stopped and started again, and run while the service serves. Returns how many
     * secrets and keys that were.
     */
    const resealAll = Effect.fn("MasterKeyRotation.resealAll")(function* () {
      const rewrapped = yield* keys.rewrap()
      const resealed = yield* reseal({
        ending: "_sealed",
        key_id: box.key_id,
        again: ({ table, column, row }, sealed) => {
          const place = { table, column: column as `${string}_sealed`, row } // as: found by this ending
          return Effect.flatMap(box.open(place, sealed), (text) => box.seal(place, text))
        }
      })
      return rewrapped + resealed
    })

    return { resealAll } as const
  }),
  dependencies: [DataKeys.Default, Resealing.Default]
}) {}
