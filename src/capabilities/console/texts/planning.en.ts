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
    out: "These appointments in your own calendar"
  }
}
