/** Checks the signed PDFs of a checkout before anything is stored. */
import { Effect, Either } from "effect"
import type { Signature } from "../../schemas/prescriptions/Signature.ts"
import type { Fault } from "../../schemas/problems.ts"
import { Extensions } from "../Extensions.ts"
import { decodePdf } from "../prescriptions/decodePdf.ts"

export interface SignedPdf {
  readonly id: string
  readonly bytes: Uint8Array
  readonly signature: Signature | null
}

export class SignedPdfs extends Effect.Service<SignedPdfs>()("checkout/SignedPdfs", {
  effect: Effect.gen(function* () {
    const { examined } = yield* Extensions

    const one = (base64: string) =>
      Effect.flatMap(decodePdf(base64), (bytes) => Effect.map(examined(bytes), (signature) => ({ bytes, signature })))

    /**
     * The acceptable PDFs, and the faults of the others. Files are examined one at a time, which bounds memory. Stops at a file that
     * cannot be examined, since it may have used up much time.
     */
    const examine = Effect.fn("SignedPdfs.examine")(function* (
      prescriptions: ReadonlyArray<{ readonly id: string; readonly pdf_base64: string }>
    ) {
      const faults: Array<Fault> = []
      const pdfs: Array<SignedPdf> = []
      for (const [i, { id, pdf_base64 }] of prescriptions.entries()) {
        const outcome = yield* Effect.either(one(pdf_base64))
        if (Either.isRight(outcome)) {
          pdfs.push({ id, ...outcome.right })
          continue
        }
        const fault = outcome.left
        faults.push({
          field: `prescriptions[${i}].pdf_base64`,
          message: typeof fault === "string" ? fault : fault.message
        })
        if (typeof fault !== "string" && fault._tag === "PdfNotExaminable") break
      }
      return { faults, pdfs }
    })
    return { examine } as const
  })
}) {}
