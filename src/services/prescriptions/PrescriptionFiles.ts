/** PDFs of prescriptions in the file stores, encrypted. Only files with a row in the table `files` are valid. */
import { Effect, Option, Stream } from "effect"
import type { PrescriptionRef, StoredFile } from "../../schemas/prescriptions/Prescription.ts"
import { Service } from "../Service.ts"
import { DataKeys } from "../sealing/DataKeys.ts"
import type { SealedPlace } from "../sealing/Envelope.ts"
import { type CurrentTenant, streamOf } from "../tenancy/Tenancy.ts"
import { FileMissing, FileStore, type PrescriptionArea } from "./FileStore.ts"
import { openFile, sealFile } from "./sealedFile.ts"

const sha256 = (content: Uint8Array | string) => new Bun.CryptoHasher("sha256").update(content).digest("hex")

/** A hash, since uids are callers' texts. The same prescription always has the same name. */
export const fileName = ({ organisation_uid, prescription_uid }: PrescriptionRef) =>
  `${sha256(JSON.stringify([organisation_uid, prescription_uid]))}.pdf`

const placeOf = ({ organisation_uid, prescription_uid }: PrescriptionRef, area: PrescriptionArea): SealedPlace => ({
  table: "files",
  column: "content_encrypted",
  row: [organisation_uid, prescription_uid, area]
})

export class PrescriptionFiles extends Service<PrescriptionFiles>()("prescriptions/PrescriptionFiles", {
  effect: Effect.gen(function* () {
    const store = yield* FileStore
    const keys = yield* DataKeys

    /** Stores or replaces a PDF. Not within a transaction: the store can be remote. */
    const put = Effect.fn("PrescriptionFiles.put")(function* (
      area: PrescriptionArea,
      prescription: PrescriptionRef,
      bytes: Uint8Array
    ): Effect.fn.Return<StoredFile, never, CurrentTenant> {
      const name = fileName(prescription)
      const key = yield* keys.current(prescription.organisation_uid)
      yield* Effect.orDie(store.put({ area, name }, sealFile(key, placeOf(prescription, area), bytes)))
      return { area, name, sha256: sha256(bytes), size: bytes.length, data_key: key.id }
    })

    /** Streams the bytes. A missing file is a defect, since it has a row. */
    const read = Effect.fn("PrescriptionFiles.read")(function* (prescription: PrescriptionRef, file: StoredFile) {
      const found = yield* Effect.orDie(store.stat(file))
      if (Option.isNone(found)) return yield* Effect.die(new FileMissing({ place: file }))
      const { organisation_uid } = prescription
      const find = (id: string) => keys.find(organisation_uid, id)
      return streamOf({ organisation_uid })(openFile(find, placeOf(prescription, file.area))(store.read(file)))
    })

    const readAll = Effect.fnUntraced(function* (prescription: PrescriptionRef, file: StoredFile) {
      const bytes = Buffer.alloc(file.size)
      yield* Stream.runFold(yield* read(prescription, file), 0, (at, piece) => {
        bytes.set(piece, at)
        return at + piece.length
      })
      return bytes
    }, Effect.orDie)

    /** Copies a PDF into an area, or encrypts it again in its own, with the current key. */
    const copyTo = Effect.fn("PrescriptionFiles.copyTo")(
      (area: PrescriptionArea, prescription: PrescriptionRef, file: StoredFile) =>
        Effect.flatMap(readAll(prescription, file), (bytes) => put(area, prescription, bytes))
    )

    /** Deletes a PDF that has no row, if it exists. */
    const remove = Effect.fn("PrescriptionFiles.remove")((area: PrescriptionArea, prescription: PrescriptionRef) =>
      Effect.orDie(store.delete({ area, name: fileName(prescription) }))
    )

    /** Deletes both PDFs of a prescription that has no file rows. */
    const forget = Effect.fn("PrescriptionFiles.forget")((prescription: PrescriptionRef) =>
      Effect.all([remove("unsigned", prescription), remove("signed", prescription)], { discard: true })
    )

    return { put, copyTo, remove, forget, read } as const
  }),
  dependencies: [DataKeys.Default]
}) {}
