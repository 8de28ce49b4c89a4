/** PDFs of prescriptions in the file stores. Only a file with a row in the table `files` counts. */
import { Effect, Option } from "effect"
import type { PrescriptionRef, StoredFile } from "../../schemas/prescriptions/Prescription.ts"
import { type Area, FileMissing, FileStore } from "./FileStore.ts"

/** A hash, since uids are a caller's text. The same prescription always has the same name. */
export const fileName = ({ organisation_uid, prescription_uid }: PrescriptionRef) =>
  `${new Bun.CryptoHasher("sha256").update(JSON.stringify([organisation_uid, prescription_uid])).digest("hex")}.pdf`

const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex")

export class PrescriptionFiles extends Effect.Service<PrescriptionFiles>()("prescriptions/PrescriptionFiles", {
  effect: Effect.gen(function* () {
    const store = yield* FileStore

    /** Stores a PDF; a second time replaces it. Not for transactions: the store can be remote. */
    const put = Effect.fn("PrescriptionFiles.put")(function* (
      area: Area,
      prescription: PrescriptionRef,
      bytes: Uint8Array
    ): Effect.fn.Return<StoredFile> {
      const name = fileName(prescription)
      yield* Effect.orDie(store.put({ area, name }, bytes))
      return { area, name, sha256: sha256(bytes), size: bytes.length }
    })

    /** Copies the rendered PDF into the signed store. */
    const copyToSigned = Effect.fn("PrescriptionFiles.copyToSigned")(function* (file: StoredFile) {
      const { name } = file
      yield* Effect.orDie(store.copy({ area: "unsigned", name }, { area: "signed", name }))
      const copy: StoredFile = { ...file, area: "signed" }
      return copy
    })

    /** Deletes a PDF that has no row; one that does not exist counts as deleted. */
    const remove = Effect.fn("PrescriptionFiles.remove")((area: Area, prescription: PrescriptionRef) =>
      Effect.orDie(store.delete({ area, name: fileName(prescription) }))
    )

    /** The bytes in pieces. A missing file is a defect, since its row says that it exists. */
    const read = Effect.fn("PrescriptionFiles.read")(function* (file: StoredFile) {
      const found = yield* Effect.orDie(store.stat(file))
      if (Option.isNone(found)) return yield* Effect.die(new FileMissing({ place: file }))
      return store.read(file)
    })

    return { put, copyToSigned, remove, read } as const
  })
}) {}
