/** Calendar dates as days since 1970-01-01. */
import { DAY } from "../../../schemas/seconds.ts"

/** `YYYY-MM-DD`. */
export const isoDateOf = (day: number) => new Date(day * DAY * 1000).toISOString().slice(0, 10)

export const yearOf = (day: number) => new Date(day * DAY * 1000).getUTCFullYear()
