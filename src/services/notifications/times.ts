/** Instants as people read them: in the recipient's zone, which is named, so that nobody has to guess. */

/** "Montag, 16. März 2026, 10:00–10:30 Uhr MEZ (Europe/Berlin)" */
export const longPeriod = (locale: string, timezone: string, start: number, end: number): string => {
  const day = new Intl.DateTimeFormat(locale, {
    timeZone: timezone,
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric"
  }).format(start * 1000)
  return `${day}, ${clock(locale, timezone, start)}–${clock(locale, timezone, end)}${oClock(locale)} ${zone(locale, timezone, start)}`
}

/** "16.03.2026, 10:00 Uhr MEZ (Europe/Berlin)" */
export const shortTime = (locale: string, timezone: string, instant: number): string => {
  const day = new Intl.DateTimeFormat(locale, {
    timeZone: timezone,
    day: "2-digit",
    month: locale.startsWith("de") ? "2-digit" : "short",
    year: "numeric"
  }).format(instant * 1000)
  return `${day}, ${clock(locale, timezone, instant)}${oClock(locale)} ${zone(locale, timezone, instant)}`
}

const clock = (locale: string, timezone: string, instant: number) =>
  new Intl.DateTimeFormat(locale, { timeZone: timezone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(
    instant * 1000
  )

const oClock = (locale: string) => (locale.startsWith("de") ? " Uhr" : "")

const zone = (locale: string, timezone: string, instant: number) => {
  const parts = new Intl.DateTimeFormat(locale, { timeZone: timezone, timeZoneName: "short" }).formatToParts(
    instant * 1000
  )
  const short = parts.find(({ type }) => type === "timeZoneName")?.value ?? ""
  return `${short} (${timezone})`.trim()
}
