/** Seconds for which a server asks to be left alone, by `Retry-After` (RFC 9110, 10.2.3), else a minute; undefined: it does not ask. */
import { DAY, MINUTE } from "../../../schemas/seconds.ts"
import { retryAfterSeconds } from "../../../services/events/retries.ts"

export const restOf = (
  { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string | undefined>> },
  isQuota = false
): number | undefined => {
  const header = headers["retry-after"]
  if (!isQuota && status !== 429 && (status !== 503 || header === undefined)) return undefined
  return Math.min(Math.max(retryAfterSeconds(header, Date.now()) ?? MINUTE, 1), DAY)
}
