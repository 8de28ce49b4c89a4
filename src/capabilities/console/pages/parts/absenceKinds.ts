import type { AbsenceKind } from "../../../../schemas/scheduling/Absence.ts"
import { useTexts } from "../useTexts.ts"

export const absenceKinds = ["vacation", "illness", "training", "other"] as const satisfies ReadonlyArray<AbsenceKind>

/** The word for a kind of absence. */
export const useKindText = () => {
  const { absences: texts } = useTexts()
  return (kind: AbsenceKind) => (kind === "other" ? texts.otherKind : texts.kinds[kind])
}
