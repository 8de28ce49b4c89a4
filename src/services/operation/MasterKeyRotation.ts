/** Exchange of the master key: seals again, under the current one, what was sealed under an earlier one. */
import { Effect } from "effect"
import { SecretBox } from "../SecretBox.ts"
import { Resealing } from "./Resealing.ts"

export class MasterKeyRotation extends Effect.Service<MasterKeyRotation>()("services/MasterKeyRotation", {
  effect: Effect.gen(function* () {
    const box = yield* SecretBox
    const { reseal } = yield* Resealing

    /**
     * Seals every secret in the database again under the current master key, the data keys among them. Needs the earlier
     * keys in `MASTER_KEY_PREVIOUS`; can be stopped and started again, and run while the service serves. Returns how many
     * secrets were sealed again.
     */
    const resealAll = Effect.fn("MasterKeyRotation.resealAll")(() =>
      reseal({
        ending: "_sealed",
        key_id: box.key_id,
        again: ({ table, column, row }, sealed) => {
          const place = { table, column: column as `${string}_sealed`, row } // as: found by this ending
          return Effect.flatMap(box.open(place, sealed), (text) => box.seal(place, text))
        }
      })
    )

    return { resealAll } as const
  }),
  dependencies: [Resealing.Default]
}) {}
