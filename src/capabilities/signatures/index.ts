/** Examination of PDFs from outside: forbidden content, and the signatures that they carry. Rule 9.5. */
import { Effect } from "effect"
import { capability } from "../../capability.ts"
import { extension } from "../../services/Extensions.ts"
import { SignatureExaminerLive } from "./layers/SignatureExaminerLive.ts"
import { SignatureExaminer } from "./services/SignatureExaminer.ts"

export const signaturesCapability = capability({
  name: "signatures",
  switched: false,
  services: SignatureExaminerLive,
  extension: Effect.map(SignatureExaminer, ({ examine }) => extension({ examined: examine }))
})
