/** Feiertage und andere Kalender. */
export const planning = {
  pages: {
    holidays: "Feiertage",
    calendars: "Andere Kalender"
  },
  holidays: {
    region: "Gesetzliche Feiertage",
    noRegion: "keine",
    asPractice: "wie die Praxis",
    regions: {
      "DE-BW": "Baden-Württemberg",
      "DE-BY": "Bayern",
      "DE-BE": "Berlin",
      "DE-BB": "Brandenburg",
      "DE-HB": "Bremen",
      "DE-HH": "Hamburg",
      "DE-HE": "Hessen",
      "DE-MV": "Mecklenburg-Vorpommern",
      "DE-NI": "Niedersachsen",
      "DE-NW": "Nordrhein-Westfalen",
      "DE-RP": "Rheinland-Pfalz",
      "DE-SL": "Saarland",
      "DE-SN": "Sachsen",
      "DE-ST": "Sachsen-Anhalt",
      "DE-SH": "Schleswig-Holstein",
      "DE-TH": "Thüringen"
    },
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
  calendars: {
    out: "Diese Termine im eigenen Kalender"
  }
}
