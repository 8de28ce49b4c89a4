/** Rotation of an owner's data key without downtime: `begin`, wait until every process has reloaded the keys, `finish`. */
import { Duration, Effect } from "effect"
import { OrganisationUid } from "../../../schemas/ids.ts"
import { PrescriptionFiles } from "../../../services/prescriptions/PrescriptionFiles.ts"
import { PrescriptionsRepo } from "../../../services/prescriptions/PrescriptionsRepo.ts"
import { Service } from "../../../services/Service.ts"
import { DataKeys, KEYS_CACHED_MILLIS } from "../../../services/sealing/DataKeys.ts"
import { Envelope, isSealedColumn } from "../../../services/sealing/Envelope.ts"
import { Resealing } from "./Resealing.ts"

/** Time after which no process encrypts with an earlier key: caches have expired, and earlier transactions have ended. */
export const PROPAGATION = Duration.millis(2 * KEYS_CACHED_MILLIS)

export class DataKeyRotation extends Service<DataKeyRotation>()("services/DataKeyRotation", {
  effect: Effect.gen(function* () {
    const keys = yield* DataKeys
    const envelope = yield* Envelope
    const { reseal } = yield* Resealing
    const files = yield* PrescriptionFiles
    const prescriptions = yield* PrescriptionsRepo

    const resealFiles = Effect.fnUntraced(function* (owner: OrganisationUid, key_id: string) {
      let resealed = 0
      for (;;) {
        const found = yield* prescriptions.filesNotUnder(owner, key_id)
        if (found.length === 0) return resealed
        for (const { ref, file } of found)
          if (!(yield* prescriptions.fileResealed(ref, yield* files.copyTo(file.area, ref, file))))
            yield* files.remove(file.area, ref)
        resealed += found.length
      }
    })

    const resealAll = Effect.fnUntraced(function* (owner: string, key_id: string) {
      const values = yield* reseal({
        ending: "_encrypted",
        key_id,
        owner,
        encryptAgain: ({ table, column, row }, sealed) => {
          if (!isSealedColumn(column)) return Effect.dieMessage("found by its ending")
          const place = { table, column, row }
          return Effect.flatMap(envelope.open(place, sealed), (text) => envelope.sealed(place, text))
        }
      })
      return { values, files: yield* resealFiles(OrganisationUid.make(owner), key_id) }
    })

    /**
     * Creates a new key and re-encrypts everything of the owner. Values that other processes still encrypt with the old key are left to
     * `finish`.
     */
    const begin = Effect.fn("DataKeyRotation.begin")(function* (owner: string) {
      const { id } = yield* keys.make(owner)
      return yield* resealAll(owner, id)
    })

    /** Re-encrypts the rest, and deletes the earlier keys. Not before `PROPAGATION` has passed. */
    const finish = Effect.fn("DataKeyRotation.finish")(function* (owner: string) {
      const { id } = yield* keys.current(owner)
      const resealed = yield* resealAll(owner, id)
      return { ...resealed, deleted: yield* keys.forget(owner, [id]) }
    })

    return { begin, finish } as const
  }),
  dependencies: [DataKeys.Default, PrescriptionFiles.Default, PrescriptionsRepo.Default, Resealing.Default]
}) {}
