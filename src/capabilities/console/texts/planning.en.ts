import type { Shape } from "../../../texts/shape.ts"
import type { planning as de } from "./planning.de.ts"

export const planning: Shape<typeof de> = {
  pages: {
    holidays: "Holidays",
    calendars: "Other calendars"
  },
  holidays: {
    region: "Public holidays",
    noRegion: "none",
    asPractice: "as the practice",
    regions: {
      "DE-BW": "Baden-Württemberg",
      "DE-BY": "Bavaria",
      "DE-BE": "Berlin",
      "DE-BB": "Brandenburg",
      "DE-HB": "Bremen",
      "DE-HH": "Hamburg",
      "DE-HE": "Hesse",
      "DE-MV": "Mecklenburg-Western Pomerania",
      "DE-NI": "Lower Saxony",
      "DE-NW": "North Rhine-Westphalia",
      "DE-RP": "Rhineland-Palatinate",
      "DE-SL": "Saarland",
      "DE-SN": "Saxony",
      "DE-ST": "Saxony-Anhalt",
      "DE-SH": "Schleswig-Holstein",
      "DE-TH": "Thuringia"
    },
    extra: "Further days on which the practice is closed",
    day: "Day",
    name: "Occasion",
    help: "No appointments are offered on these days, except of types that are exempt, and on days for which a doctor has special hours.",
    preview: "Show the appointments concerned",
    hitNone: "No booked appointment is on a new holiday.",
    hit: {
      one: "{n} booked appointment would then be on a holiday. It stays until you move or cancel it.",
      other: "{n} booked appointments would then be on a holiday. They stay until you move or cancel them."
    },
    check: "Use these …",
    question: "Use these holidays?",
    save: "Save the holidays",
    listed: "Holidays of {year}",
    year: "Year {year}",
    closed: "closed"
  },
  calendars: {
    intro:
      "Times that another calendar named here has taken are no longer offered for booking. Only times are read, no titles and no names.",
    in: "Busy times from other calendars",
    new: "Add a calendar",
    kind: "Kind",
    kinds: { ics: "Calendar address (ICS)", caldav: "CalDAV with a user name" },
    name: "Name",
    nameExample: "for example hospital rota",
    url: "Address",
    urlHelp:
      "Google: the calendar's settings, “Secret address in iCal format”. Outlook: “Shared calendars”, “Publish a calendar”, ICS. Apple: share the calendar, “Public calendar”.",
    username: "User name",
    password: "Password",
    passwordKept: "Leave empty to keep the present one; it does not apply to another server",
    allDay: "All-day events close the day",
    stale: "If it could not be read for 24 hours",
    stales: { keep: "keep the times read last", close: "offer no more appointments" },
    active: "Is read",
    add: "Add and read",
    test: "Read now",
    statuses: { waiting: "is read in a moment", current: "up to date", failing: "cannot be read" },
    off: "switched off",
    read: "Last read {time}",
    never: "Not read yet",
    found: {
      one: "{n} event in the following four weeks, {days} of them all-day",
      other: "{n} events in the following four weeks, {days} of them all-day"
    },
    remove: "Remove the calendar",
    removeQuestion: "Remove “{name}”? Its times can then be booked again.",
    faults: {
      refused: "This address must not be read. Please use a public https address.",
      unreachable: "The server does not answer. Please check the address; it is tried again every ten minutes.",
      slow: "The server takes too long. It is tried again every ten minutes; if that does not help, share a smaller calendar.",
      unauthorised: "The user name or the password is wrong. Please enter them again.",
      not_found: "There is no calendar at this address. Please copy the address again.",
      redirected: "The address leads to another one. Please enter that one.",
      status: "The server reports an error. It is tried again every ten minutes.",
      too_large: "The calendar is too large. Please share a smaller one.",
      not_a_calendar:
        "The address leads to a web page, not to a calendar. Please enter the address in iCal (ICS) format.",
      cut_short: "The calendar arrived incomplete. It is tried again.",
      sign_in:
        "The server wants another sign-in than a user name and a password. Please share the calendar by a secret address.",
      encoding: "The server sends the calendar compressed in an unknown way. Please enter another address."
    },
    notices: {
      skipped: {
        one: "{n} event could not be read and may still be bookable: please check it in that calendar. {detail}",
        other:
          "{n} events could not be read and may still be bookable: please check them in that calendar. The first: {detail}"
      },
      zone: "A time zone in it is not known and is taken for the doctor's own: {detail}"
    },
    faultUnknown: "The calendar could not be read.",
    out: "These appointments in your own calendar",
    outOfDoctor:
      "The other way, seeing this practice's appointments in a calendar of one's own, is set up by the doctor in the doctor's workspace under “Other calendars”: the address is secret."
  }
}
