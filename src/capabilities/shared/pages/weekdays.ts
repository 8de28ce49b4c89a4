import { localeOf } from "../../../texts/language.ts"
import { useDesk } from "./Desk.tsx"

/** 1970-01-05 was a Monday. */
const MONDAY = 4 * 86_400_000

export const useWeekdays = (): ReadonlyArray<readonly [value: string, name: string]> => {
  const { language } = useDesk()
  const format = new Intl.DateTimeFormat(localeOf(language), { weekday: "long", timeZone: "UTC" })
  return [0, 1, 2, 3, 4, 5, 6].map((day) => [String(day), format.format(MONDAY + day * 86_400_000)])
}
