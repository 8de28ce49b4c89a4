/** The port that examines PDFs from outside (Rule 9.5): rejects dangerous ones, and reads their signatures. */
import { Context, Data, type Effect } from "effect"
import type { Signature } from "../../../schemas/prescriptions/Signature.ts"
import type { CurrentTenant } from "../../../services/tenancy/Tenancy.ts"

/** Content that no prescription may have. */
export type Danger = "encrypted" | "javascript" | "launch"

/** What stands in the way of an examination, by the names that a client reads (Rule 9.5.3). */
export const limits = {
  time: "its examination takes too long",
  memory: "its examination takes too much memory",
  structure: "its objects cannot be read",
  signature_size: "a signature's value has more than 1 MiB",
  signature_elements: "a signature's value has more than 10,000 elements of DER, or nests them more than 100 deep",
  signature_form: "a signature is of another form than detached CMS",
  signature_certificate: "a signature does not contain its signer's certificate",
  signature_algorithm: "a signature uses an algorithm or a key that is not supported"
} as const
export type ExaminationLimit = keyof typeof limits

const refusals: Readonly<Record<Danger, string>> = {
  encrypted: "must not be encrypted",
  javascript: "must not contain JavaScript",
  launch: "must not contain launch actions"
}

/** The file has forbidden content. The message is the reason, phrased to follow a field's name. */
export class PdfRefused extends Data.TaggedError("PdfRefused")<{ readonly danger: Danger }> {
  override get message() {
    return refusals[this.danger]
  }
}

/** The file cannot be examined, which says nothing about its signatures. The message follows a field's name. */
export class PdfNotExaminable extends Data.TaggedError("PdfNotExaminable")<{ readonly limit: ExaminationLimit }> {
  override get message() {
    return `cannot be examined: not_examinable (${this.limit}): ${limits[this.limit]}`
  }
}

export class SignatureExaminer extends Context.Tag("prescriptions/SignatureExaminer")<
  SignatureExaminer,
  {
    /**
     * The file's signatures. One file is examined at a time, and organisations take turns. Dies with `Overloaded` if it is queued for
     * over 20 seconds, or behind 100 files of its organisation.
     */
    readonly examine: (pdf: Uint8Array) => Effect.Effect<Signature, PdfRefused | PdfNotExaminable, CurrentTenant>
  }
>() {}
