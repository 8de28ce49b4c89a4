import { type Signature, unsigned } from "../../../schemas/prescriptions/Signature.ts"
import type { Allowance } from "./allowance.ts"
import { findSignedRanges, readSignature } from "./byteRanges.ts"
import { verify } from "./cms.ts"
import { type Danger, findDanger } from "./dangers.ts"

/** A rejection, or the file's signature. */
export type Examination =
  | { readonly danger: Danger; readonly signature?: undefined }
  | { readonly danger?: undefined; readonly signature: Signature }

const notExaminable: Examination = { danger: "not_examinable" }

const examineSignatures = async (pdf: Uint8Array, left: Allowance): Promise<Examination> => {
  const found = findSignedRanges(pdf, left)
  if (found === undefined) return notExaminable
  if (found.length === 0) return { signature: unsigned }
  let intact = true
  let signer: string | null = null
  let covers = false
  for (const range of found) {
    const read = readSignature(pdf, range, left)
    if (read === undefined) return notExaminable
    const { covered, message, wholeFile } = read
    const verdict = covered === null ? { intact: false, signer: null } : await verify(message, covered, left)
    if (verdict === "too_large") return notExaminable
    if (verdict === null) continue
    intact = intact && verdict.intact
    signer = verdict.signer ?? signer
    covers = wholeFile
  }
  return { signature: { present: true, intact, covers_whole_file: covers, signer, trust: "unchecked" } }
}

export const examine = async (pdf: Uint8Array, left: Allowance): Promise<Examination> => {
  const danger = await findDanger(pdf, left)
  return danger === undefined ? examineSignatures(pdf, left) : { danger }
}
