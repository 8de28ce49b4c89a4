/** Checks the signed PDFs of a checkout before anything is stored. */
import { Duration, Effect, Either } from "effect"
import type { Signature } from "../../schemas/prescriptions/Signature.ts"
import type { Fault } from "../../schemas/problems.ts"
import { type Allowance, newAllowance } from "../prescriptions/pdf/allowance.ts"
import { NOT_EXAMINABLE, SignatureExaminer } from "../prescriptions/SignatureExaminer.ts"
import { decodePdf } from "./decodePdf.ts"

/** Time limit for examining all files of a request, without queueing. */
const TIME_LIMIT = Duration.seconds(10)

export interface SignedPdf {
  readonly id: string
  readonly bytes: Uint8Array
  readonly signature: Signature
}

export class SignedPdfs extends Effect.Service<SignedPdfs>()("checkout/SignedPdfs", {
  effect: Effect.gen(function* () {
    const examiner = yield* SignatureExaminer

    const one = (base64: string, left: Allowance, took: (time: Duration.Duration) => void) =>
      Effect.gen(function* () {
        const bytes = yield* decodePdf(base64)
        const signature = yield* Effect.mapError(examiner.examine(bytes, left, took), ({ message }) => message)
        return { bytes, signature }
      })

    /**
     * The acceptable PDFs, and the faults of the others. Files are examined one at a time, which bounds memory. Stops at a file that
     * cannot be examined, since it has used up enough time.
     */
    const examine = Effect.fn("SignedPdfs.examine")(function* (
      prescriptions: ReadonlyArray<{ readonly id: string; readonly pdf_base64: string }>
    ) {
      const faults: Array<Fault> = []
      const pdfs: Array<SignedPdf> = []
      let spent = Duration.zero
      const add = (time: Duration.Duration) => {
        spent = Duration.sum(spent, time)
      }
      const left = newAllowance()
      for (const [i, { id, pdf_base64 }] of prescriptions.entries()) {
        const isInTime = Duration.lessThan(spent, TIME_LIMIT)
        const outcome = yield* Effect.either(isInTime ? one(pdf_base64, left, add) : Effect.fail(NOT_EXAMINABLE))
        if (Either.isRight(outcome)) pdfs.push({ id, ...outcome.right })
        else faults.push({ field: `prescriptions[${i}].pdf_base64`, message: outcome.left })
        if (Either.isLeft(outcome) && outcome.left === NOT_EXAMINABLE) break
      }
      return { faults, pdfs }
    })
    return { examine } as const
  }),
  dependencies: [SignatureExaminer.Default]
}) {}
