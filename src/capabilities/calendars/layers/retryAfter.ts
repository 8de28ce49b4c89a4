/** Seconds for which a server asks to be left alone, by `Retry-After` (RFC 9110, 10.2.3), else a minute; undefined: it does not ask. */
export const restOf = (
  { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string | undefined>> },
  isQuota = false
): number | undefined => {
  const header = headers["retry-after"]
  if (!isQuota && status !== 429 && (status !== 503 || header === undefined)) return undefined
  const seconds = Number(header ?? "60")
  const wanted = Number.isNaN(seconds) ? (Date.parse(header ?? "") - Date.now()) / 1000 : seconds
  return Number.isFinite(wanted) ? Math.min(Math.max(Math.ceil(wanted), 1), 86_400) : 60
}
