/** Calendar dates as days since 1970-01-01. */
import { DAY } from "../../../schemas/seconds.ts"

export const dayOf = (year: number, month: number, day: number) => Date.UTC(year, month - 1, day) / (DAY * 1000)

/** `YYYY-MM-DD`. */
export const isoDateOf = (day: number) => new Date(day * DAY * 1000).toISOString().slice(0, 10)

export const yearOf = (day: number) => new Date(day * DAY * 1000).getUTCFullYear()
