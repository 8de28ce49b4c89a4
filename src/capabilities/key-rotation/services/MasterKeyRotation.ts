/** Rotation of the master key, or of the key that wraps data keys: re-encrypts and rewraps values of earlier keys. */
import { Effect } from "effect"
import { Service } from "../../../services/Service.ts"
import { DataKeys } from "../../../services/sealing/DataKeys.ts"
import { SecretBox } from "../../../services/sealing/SecretBox.ts"
import { Resealing } from "./Resealing.ts"

export class MasterKeyRotation extends Service<MasterKeyRotation>()("services/MasterKeyRotation", {
  effect: Effect.gen(function* () {
    const box = yield* SecretBox
    const { reseal } = yield* Resealing
    const keys = yield* DataKeys

    /**
     * Re-encrypts every secret in the database with the current master key, and rewraps the data keys. Needs the earlier keys in
     * `MASTER_KEY_PREVIOUS`; can be interrupted and run again, and run while the service serves. Returns the number of secrets and keys.
     */
    const resealAll = Effect.fn("MasterKeyRotation.resealAll")(function* () {
      const rewrapped = yield* keys.rewrap()
      const resealed = yield* reseal({
        ending: "_sealed",
        key_id: box.key_id,
        encryptAgain: ({ table, column, row }, sealed) => {
          const place = { table, column: column as `${string}_sealed`, row } // as: found by this suffix
          return Effect.flatMap(box.open(place, sealed), (text) => box.seal(place, text))
        }
      })
      return rewrapped + resealed
    })

    return { resealAll } as const
  }),
  dependencies: [DataKeys.Default, Resealing.Default]
}) {}
