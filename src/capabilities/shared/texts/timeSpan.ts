import { type Language, localeOf } from "../../../texts/language.ts"

const units = [
  ["day", 1_440],
  ["hour", 60],
  ["minute", 1]
] as const

/** Minutes in the largest units that fit: `1 Tag 2 Stunden`. */
export const timeSpan = (language: Language, minutes: number) => {
  let rest = minutes
  const parts = units.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count === 0 && !(unit === "minute" && minutes === 0)) return []
    return [new Intl.NumberFormat(localeOf(language), { style: "unit", unit, unitDisplay: "long" }).format(count)]
  })
  return parts.join(" ")
}
