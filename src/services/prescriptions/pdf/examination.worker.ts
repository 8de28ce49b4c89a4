/** The worker of `SignatureExaminer`: reports that it is ready, then examines each PDF it receives. */
import type { Allowance } from "./allowance.ts"
import { type Examination, examine } from "./examine.ts"

/** A PDF, and the remaining allowance. */
export interface ExaminationRequest {
  readonly pdf: Uint8Array
  readonly left: Allowance
}

export interface ExaminationResult {
  readonly examination: Examination
  /** Remaining allowance for other files of the request. */
  readonly left: Allowance
}

// this file runs as a worker, whose global object is not in the server's type libraries
declare const self: Worker

self.onmessage = async ({ data: { pdf, left } }: MessageEvent<ExaminationRequest>) => {
  const examination = await examine(pdf, left)
  self.postMessage({ examination, left } satisfies ExaminationResult)
}

self.postMessage("ready")
