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
    intro:
      "Zeiten, die hier in einem anderen Kalender belegt sind, werden nicht mehr zum Buchen angeboten. Gelesen werden nur Zeiten, keine Titel und keine Namen.",
    in: "Belegte Zeiten aus anderen Kalendern",
    new: "Kalender hinzufügen",
    kind: "Art",
    kinds: { ics: "Kalenderadresse (ICS)", caldav: "CalDAV mit Benutzername" },
    name: "Name",
    nameExample: "z. B. Dienstplan der Klinik",
    url: "Adresse",
    urlHelp:
      "Google: Einstellungen des Kalenders, „Privatadresse im iCal-Format“. Outlook: „Kalender freigeben“, „Kalender veröffentlichen“, ICS. Apple: Kalender freigeben, „Öffentlicher Kalender“.",
    username: "Benutzername",
    password: "Passwort",
    passwordKept: "Leer lassen, um das bisherige zu behalten; an einem anderen Server gilt es nicht",
    allDay: "Ganztägige Termine sperren den Tag",
    stale: "Wenn er 24 Stunden nicht gelesen werden konnte",
    stales: { keep: "die zuletzt gelesenen Zeiten behalten", close: "keine Termine mehr anbieten" },
    active: "Wird gelesen",
    add: "Hinzufügen und lesen",
    test: "Jetzt lesen",
    statuses: { waiting: "wird gleich gelesen", current: "aktuell", failing: "kann nicht gelesen werden" },
    off: "abgeschaltet",
    read: "Zuletzt gelesen {time}",
    never: "Noch nicht gelesen",
    found: {
      one: "{n} Eintrag in den folgenden vier Wochen, davon {days} ganztägig",
      other: "{n} Einträge in den folgenden vier Wochen, davon {days} ganztägig"
    },
    remove: "Kalender entfernen",
    removeQuestion: "„{name}“ entfernen? Die dort belegten Zeiten sind dann wieder buchbar.",
    faults: {
      refused: "Diese Adresse darf nicht gelesen werden. Bitte eine öffentliche Adresse mit https verwenden.",
      unreachable: "Der Server antwortet nicht. Bitte die Adresse prüfen; es wird alle zehn Minuten erneut versucht.",
      slow: "Der Server braucht zu lange. Es wird alle zehn Minuten erneut versucht; hilft das nicht, einen kleineren Kalender freigeben.",
      unauthorised: "Benutzername oder Passwort stimmen nicht. Bitte neu eintragen.",
      not_found: "Unter dieser Adresse gibt es keinen Kalender. Bitte die Adresse noch einmal kopieren.",
      redirected: "Die Adresse leitet auf eine andere weiter. Bitte diese eintragen.",
      status: "Der Server meldet einen Fehler. Es wird alle zehn Minuten erneut versucht.",
      too_large: "Der Kalender ist zu groß. Bitte einen kleineren freigeben.",
      not_a_calendar:
        "Die Adresse führt zu einer Webseite statt zu einem Kalender. Bitte die Adresse im iCal-Format (ICS) eintragen.",
      cut_short: "Der Kalender kam unvollständig an. Es wird erneut versucht.",
      sign_in:
        "Der Server verlangt eine andere Anmeldung als Benutzername und Passwort. Bitte den Kalender über eine geheime Adresse freigeben.",
      encoding: "Der Server sendet den Kalender auf unbekannte Weise komprimiert. Bitte eine andere Adresse eintragen."
    },
    notices: {
      skipped: {
        one: "{n} Eintrag war nicht lesbar, seine Zeit kann noch buchbar sein: bitte in jenem Kalender prüfen. {detail}",
        other:
          "{n} Einträge waren nicht lesbar, ihre Zeiten können noch buchbar sein: bitte in jenem Kalender prüfen. Der erste: {detail}"
      },
      zone: "Eine Zeitzone darin ist unbekannt und gilt als die des Arztes: {detail}"
    },
    faultUnknown: "Der Kalender konnte nicht gelesen werden.",
    out: "Diese Termine im eigenen Kalender",
    outOfDoctor:
      "Den umgekehrten Weg, Termine dieser Praxis im eigenen Kalender zu sehen, richtet die Ärztin oder der Arzt selbst im eigenen Arbeitsbereich unter „Andere Kalender“ ein: Die Adresse ist geheim."
  }
}
