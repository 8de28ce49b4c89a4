/** The entry for a web calendar. It goes to a third party, so it contains no action link. */
export interface WebCalendarEntry {
  readonly summary: string
  readonly location: string
  readonly start_date: number
  readonly end_date: number
}

const iso = (instant: number) => new Date(instant * 1000).toISOString().replace(".000", "")

/** URLs that open a new entry, filled in, in a web calendar. */
export const calendarLinks = ({ summary, location, start_date, end_date }: WebCalendarEntry) => {
  const [start, end] = [iso(start_date), iso(end_date)]
  const compact = (text: string) => text.replace(/[-:]/g, "")
  const google = new URLSearchParams({
    action: "TEMPLATE",
    text: summary,
    dates: `${compact(start)}/${compact(end)}`,
    location
  })
  const outlook = new URLSearchParams({
    path: "/calendar/action/compose",
    rru: "addevent",
    subject: summary,
    startdt: start,
    enddt: end,
    location
  })
  return {
    google: `https://calendar.google.com/calendar/render?${google}`,
    outlook: `https://outlook.live.com/calendar/0/deeplink/compose?${outlook}`
  }
}
