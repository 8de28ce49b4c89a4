/** Looks at PDFs that come from outside: refuses dangerous ones, and says what their signatures are worth on their face. */
import { Data, Effect } from "effect"
import { type Signature, unsigned } from "../../schemas/prescriptions/Signature.ts"
import { findSignatures } from "./pdf/byteRanges.ts"
import { verify } from "./pdf/cms.ts"
import { type Danger, findDanger } from "./pdf/dangers.ts"

const refusals: Readonly<Record<Danger, string>> = {
  encrypted: "must not be encrypted",
  javascript: "must not contain JavaScript",
  launch: "must not contain launch actions",
  too_large_unpacked: "unpacks to more than can be examined"
}

/** The file will not be taken; the message says why, in words that follow a field's name. */
export class PdfRefused extends Data.TaggedError("PdfRefused")<{ readonly danger: Danger }> {
  override get message() {
    return refusals[this.danger]
  }
}

const joined = ([head, tail]: readonly [Uint8Array, Uint8Array]): ArrayBuffer => {
  const data = new Uint8Array(head.length + tail.length)
  data.set(head)
  data.set(tail, head.length)
  return data.buffer
}

const examineSignatures = async (pdf: Uint8Array): Promise<Signature> => {
  const found = findSignatures(pdf)
  let intact = true
  let signer: string | null = null
  let covers = false
  for (const { covered, message, wholeFile } of found) {
    const verdict = covered === null ? { intact: false, signer: null } : await verify(message, joined(covered))
    if (verdict === null) continue
    intact = intact && verdict.intact
    signer = verdict.signer ?? signer
    covers = wholeFile
  }
  if (found.length === 0) return unsigned
  return { present: true, intact, covers_whole_file: covers, signer, trust: "unchecked" }
}

export class SignatureExaminer extends Effect.Service<SignatureExaminer>()("prescriptions/SignatureExaminer", {
  effect: Effect.sync(() => {
    /** What the file's signatures are; fails for an encrypted file and for one that would act when opened. */
    const examine = Effect.fn("SignatureExaminer.examine")(function* (pdf: Uint8Array) {
      const danger = yield* Effect.promise(() => findDanger(pdf))
      if (danger !== undefined) return yield* new PdfRefused({ danger })
      return yield* Effect.promise(() => examineSignatures(pdf))
    })
    return { examine } as const
  })
}) {}
