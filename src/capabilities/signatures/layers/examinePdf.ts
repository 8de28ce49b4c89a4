import type { Signature } from "../../../schemas/prescriptions/Signature.ts"
import type { Danger, ExaminationLimit } from "../services/SignatureExaminer.ts"
import { type Covered, verify } from "./cms.ts"
import type { MuPdf } from "./mupdf.ts"
import { NotExaminable } from "./NotExaminable.ts"
import { readPdf, type StatedSignature } from "./readPdf.ts"

const unsigned: Signature = {
  present: false,
  intact: false,
  covers_whole_file: false,
  signer: null,
  trust: "unchecked"
}

/** The file's signatures, or why it is refused. */
export type Examination =
  | { readonly signature: Signature }
  | { readonly danger: Danger }
  | { readonly limit: ExaminationLimit }

/**
 * The covered bytes; undefined if the range does not start at 0, does not end within the file, or leaves out anything but one
 * hexadecimal string, the value of `/Contents`: other bytes could be changed without detection.
 */
const coveredBy = ({ range, contents }: StatedSignature, pdf: Uint8Array): Covered | undefined => {
  const [start, length = 0, resume = 0, rest = 0] = range
  const end = resume + rest
  const isInFile = range.every((part) => Number.isSafeInteger(part) && part >= 0) && end <= pdf.length
  if (range.length !== 4 || start !== 0 || !isInFile || length >= resume) return undefined
  const gap = Buffer.from(pdf.buffer, pdf.byteOffset + length, resume - length).toString("latin1")
  const digits = /^<([0-9A-Fa-f\s]*)>$/.exec(gap)?.[1]?.replace(/\s/g, "")
  if (digits === undefined || !Buffer.from(digits, "hex").equals(contents)) return undefined
  return [pdf.subarray(0, length), pdf.subarray(resume, end)]
}

const endOf = ({ range: [, , resume = 0, rest = 0] }: StatedSignature) => resume + rest

const signatureOf = (pdf: Uint8Array, stated: ReadonlyArray<StatedSignature>): Signature => {
  if (stated.length === 0) return unsigned
  const distinct = new Map(stated.map((one) => [String(one.range), one]))
  let intact = true
  let signer: string | null = null
  let covers = false
  // A later signature covers more, so the order of their ends is that of signing
  for (const one of [...distinct.values()].sort((a, b) => endOf(a) - endOf(b))) {
    const covered = coveredBy(one, pdf)
    const verdict = covered === undefined ? { intact: false, signer: null } : verify(one.contents, covered)
    if (verdict === null) continue
    intact = intact && verdict.intact
    signer = verdict.signer ?? signer
    covers = covered !== undefined && endOf(one) === pdf.length
  }
  return { present: true, intact, covers_whole_file: covers, signer, trust: "unchecked" }
}

export const examinePdf = (pdf: Uint8Array, muPdf: MuPdf): Examination => {
  try {
    const { danger, signatures } = readPdf(pdf, muPdf)
    return danger === undefined ? { signature: signatureOf(pdf, signatures) } : { danger }
  } catch (error) {
    if (error instanceof NotExaminable) return { limit: error.limit }
    throw error
  }
}
