/** Retry schedule of webhooks that were not accepted. All durations are seconds. */
import { HOUR, MINUTE } from "../../schemas/seconds.ts"

/** The delays before the second and each further attempt. */
export const RETRY_DELAYS: ReadonlyArray<number> = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR
]

const LONGEST_DELAY = 24 * HOUR

/** Delay after the given number of failed attempts, at least the receiver's `retry-after` (up to a day); null after the last attempt. */
export const retryDelay = (failedAttempts: number, retryAfter: number | null): number | null => {
  const delay = RETRY_DELAYS[failedAttempts - 1]
  return delay === undefined ? null : Math.max(delay, Math.min(retryAfter ?? 0, LONGEST_DELAY))
}

/** A receiver that answers 410 has ended its subscription. */
export const isGone = (statusCode: number | null): boolean => statusCode === 410

export const isAccepted = (statusCode: number | null): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode < 300

/** `retry-after` as seconds from now, given as seconds or as an HTTP date; anything else counts as absent. */
export const retryAfterSeconds = (header: string | undefined, nowMillis: number): number | null => {
  if (header === undefined) return null
  if (/^\d{1,10}$/.test(header.trim())) return Number(header.trim())
  // Date.parse accepts far more than HTTP dates, for example "-5".
  const date = /^[A-Z][a-z]{2,8}, .*GMT$/.test(header.trim()) ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - nowMillis) / 1000))
}
