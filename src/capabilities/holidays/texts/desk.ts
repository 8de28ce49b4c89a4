/** Texts of staff's pages about holidays. */
import { deskTexts } from "../../shared/texts/own.ts"

export const deskTextsOf = deskTexts({
  de: {
    title: "Feiertage",
    empty: {
      text: "In diesem Jahr ist kein Feiertag eingetragen. Wählen Sie eine Region, oder tragen Sie eigene freie Tage ein.",
      action: "Region wählen"
    },
    region: "Gesetzliche Feiertage",
    noRegion: "keine",
    asPractice: "wie die Praxis",
    extra: "Weitere Tage, an denen geschlossen ist",
    day: "Tag",
    name: "Anlass",
    help: "An diesen Tagen werden keine Termine angeboten, außer bei Terminarten, die davon ausgenommen sind, und an Tagen, für die bei einer Ärztin oder einem Arzt besondere Zeiten eingetragen sind.",
    preview: "Betroffene Termine anzeigen",
    hitNone: "Kein gebuchter Termin fällt auf einen neuen Feiertag.",
    hit: {
      one: "{n} gebuchter Termin fällt dann auf einen Feiertag. Er bleibt bestehen, bis Sie ihn verschieben oder absagen.",
      other:
        "{n} gebuchte Termine fallen dann auf einen Feiertag. Sie bleiben bestehen, bis Sie sie verschieben oder absagen."
    },
    check: "Übernehmen …",
    question: "Diese Feiertage übernehmen?",
    save: "Feiertage übernehmen",
    listed: "Feiertage {year}",
    year: "Jahr {year}",
    closed: "geschlossen"
  },
  en: {
    title: "Holidays",
    empty: {
      text: "There is no holiday in this year. Choose a region, or enter days of your own.",
      action: "Choose a region"
    },
    region: "Public holidays",
    noRegion: "none",
    asPractice: "as the practice",
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
  }
})
