/** Puts PDFs into the stores and takes them out again. What lies there is told of by a row; a file without one is nothing. */
import { Effect, Option } from "effect"
import type { PrescriptionRef, StoredFile } from "../../schemas/prescriptions/Prescription.ts"
import { type Area, FileMissing, FileStore } from "./FileStore.ts"

/** A name of our own making: uids are the caller's text, and the same prescription always has the same name. */
export const fileName = ({ organisation_uid, prescription_uid }: PrescriptionRef) =>
  `${new Bun.CryptoHasher("sha256").update(JSON.stringify([organisation_uid, prescription_uid])).digest("hex")}.pdf`

const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex")

export class PrescriptionFiles extends Effect.Service<PrescriptionFiles>()("prescriptions/PrescriptionFiles", {
  effect: Effect.gen(function* () {
    const store = yield* FileStore

    /** Stores a PDF; doing it again does no harm. Not for transactions: the store may be far away. */
    const put = Effect.fn("PrescriptionFiles.put")(function* (
      area: Area,
      prescription: PrescriptionRef,
      bytes: Uint8Array
    ): Effect.fn.Return<StoredFile> {
      const name = fileName(prescription)
      yield* Effect.orDie(store.put({ area, name }, bytes))
      return { area, name, sha256: sha256(bytes), size: bytes.length }
    })

    /** The rendered PDF once more, among the signed ones. */
    const copyToSigned = Effect.fn("PrescriptionFiles.copyToSigned")(function* (file: StoredFile) {
      const { name } = file
      yield* Effect.orDie(store.copy({ area: "unsigned", name }, { area: "signed", name }))
      return { ...file, area: "signed" as const }
    })

    /** Takes a PDF out of the store for good; one that is not there is taken out already. No row may tell of it. */
    const remove = Effect.fn("PrescriptionFiles.remove")((area: Area, prescription: PrescriptionRef) =>
      Effect.orDie(store.delete({ area, name: fileName(prescription) }))
    )

    /** The bytes in pieces; a row whose file is gone is a defect. */
    const read = Effect.fn("PrescriptionFiles.read")(function* (file: StoredFile) {
      const found = yield* Effect.orDie(store.stat(file))
      if (Option.isNone(found)) return yield* Effect.die(new FileMissing({ place: file }))
      return store.read(file)
    })

    return { put, copyToSigned, remove, read } as const
  })
}) {}
