/** The fields of a form that asks for parts of the day. */
import type { Effect } from "effect"
import type { readForm } from "../../../http/hosted/serving/visit.ts"
import { minutesOfPart, partsOfDay } from "../../../pages/days.ts"

export type Form = Effect.Effect.Success<typeof readForm>

/** Parts of the day as times of a wish; all three are any. */
export const timesOfForm = (field: Form) => {
  const chosen = partsOfDay.filter((part) => field.all("part").includes(part))
  return chosen.length === partsOfDay.length ? [] : chosen.map((part) => minutesOfPart[part])
}
