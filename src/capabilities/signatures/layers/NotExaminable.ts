import type { ExaminationLimit } from "../services/SignatureExaminer.ts"

/** Ends the examination of a file, in the worker. */
export class NotExaminable extends Error {
  constructor(readonly limit: ExaminationLimit) {
    super(limit)
  }
}
