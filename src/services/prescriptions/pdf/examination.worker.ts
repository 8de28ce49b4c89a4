/** The worker of `SignatureExaminer`: says that it is ready, then answers every PDF with its examination. */
import type { Allowance } from "./allowance.ts"
import { type Examination, examine } from "./examine.ts"

/** A PDF, and what it may cost. */
export interface Asked {
  readonly pdf: Uint8Array
  readonly left: Allowance
}

export interface Answered {
  readonly examination: Examination
  /** What others of the request may cost after it. */
  readonly left: Allowance
}

// this file runs as a worker, whose global object no library of the server declares
declare const self: Worker

self.onmessage = async ({ data: { pdf, left } }: MessageEvent<Asked>) => {
  const examination = await examine(pdf, left)
  self.postMessage({ examination, left } satisfies Answered)
}

self.postMessage("ready")
