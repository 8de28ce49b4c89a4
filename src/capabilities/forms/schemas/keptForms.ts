/** How long answers are kept. */
import type { RetentionKind } from "../../../schemas/patients/retentionKinds.ts"
import { TEN_YEARS } from "../../shared/schemas/retention.ts"

export const keptForms: RetentionKind = {
  what: "Answers to forms and their files, and requests with what the practice has written, after their last change",
  days: TEN_YEARS,
  minimum: TEN_YEARS,
  reason: "§ 630f (3) BGB: as medical records"
}
