/** Checks the signed PDFs of a checkout before anything is stored. */
import { Effect, Either } from "effect"
import type { Signature } from "../../schemas/prescriptions/Signature.ts"
import type { Fault } from "../../schemas/problems.ts"
import { SignatureExaminer } from "../prescriptions/SignatureExaminer.ts"
import { decodePdf } from "./decodePdf.ts"

export interface SignedPdf {
  readonly id: string
  readonly bytes: Uint8Array
  readonly signature: Signature
}

export class SignedPdfs extends Effect.Service<SignedPdfs>()("checkout/SignedPdfs", {
  effect: Effect.gen(function* () {
    const examiner = yield* SignatureExaminer

    const one = (base64: string) =>
      Effect.gen(function* () {
        const bytes = yield* decodePdf(base64)
        const signature = yield* Effect.mapError(examiner.examine(bytes), ({ message }) => message)
        return { bytes, signature }
      })

    /** The PDFs that can be accepted, and the faults of the others. One at a time, which bounds memory. */
    const examine = Effect.fn("SignedPdfs.examine")(function* (
      prescriptions: ReadonlyArray<{ readonly id: string; readonly pdf_base64: string }>
    ) {
      const faults: Array<Fault> = []
      const pdfs: Array<SignedPdf> = []
      for (const [i, { id, pdf_base64 }] of prescriptions.entries()) {
        const outcome = yield* Effect.either(one(pdf_base64))
        if (Either.isRight(outcome)) pdfs.push({ id, ...outcome.right })
        else faults.push({ field: `prescriptions[${i}].pdf_base64`, message: outcome.left })
      }
      return { faults, pdfs }
    })
    return { examine } as const
  }),
  dependencies: [SignatureExaminer.Default]
}) {}
