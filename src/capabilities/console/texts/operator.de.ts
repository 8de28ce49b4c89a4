/** Der Raum der Betreibenden. */
export const operator = {
  pages: {
    overview: "Übersicht",
    jobs: "Hintergrundaufgaben",
    backlog: "Offene Vorgänge",
    provisioning: "Konfigurationsdatei"
  },
  organisation: {
    list: "Organisationen",
    find: "Name, Kennung oder Shop",
    found: { one: "{n} Organisation", other: "{n} Organisationen" },
    doctors: { one: "{n} Ärztin oder Arzt", other: "{n} Ärztinnen und Ärzte" },
    since: "angelegt {date}",
    title: "Neue Organisation",
    made: "{name} ist angelegt",
    signIn:
      "Die Praxisleitung meldet sich mit ihrer E-Mail-Adresse an. Danach lädt sie auf der Seite „Team“ alle anderen ein und legt Ärztinnen, Ärzte und Terminarten an.",
    next: "Beim Anmeldedienst braucht die Praxisleitung die Rolle admin und die organisation_uid {uid}.",
    name: "Name, wie Patienten ihn lesen",
    zone: "Zeitzone",
    shop: "Kennung des Shops (in Adressen)",
    shopHelp: "Kleinbuchstaben, Ziffern und Bindestriche, zum Beispiel praxis-am-markt",
    admin: "Praxisleitung (Name)",
    email: "E-Mail der Praxisleitung",
    emailHelp: "Mit ihr meldet sie sich an und bekommt Erinnerungen.",
    create: "Organisation anlegen",
    shopMade: "Buchungsseite angelegt",
    booked: "Erste Buchung",
    lastUse: "zuletzt benutzt {time}",
    members: "Mitglieder und Schlüssel",
    key: "API-Schlüssel",
    person: "Person"
  },
  find: "Suchen",
  log: "Protokoll",
  health: "Zustand",
  mails: {
    title: "Nachrichten",
    sentBy: {
      smtp: "E-Mails gehen über den Mailserver hinaus.",
      folder: "E-Mails liegen im Ordner outbox: Diese Installation verschickt keine.",
      nothing: "Es geht keine E-Mail hinaus: SMTP_URL setzen."
    },
    waiting: "wartend",
    failed: "fehlgeschlagen (24 Stunden)",
    last: "zuletzt gesendet"
  },
  disk: {
    title: "Speicherplatz",
    database: "Datenbank",
    free: "frei für Dateien",
    freeOf: "{free} von {total}",
    bucket: "Dateien liegen in einem Bucket.",
    low: "Weniger als ein Zehntel ist frei."
  },
  backup: {
    title: "Sicherung der Datenbank",
    archive: "Das Protokoll der Datenbank wird archiviert.",
    stream: "Das Protokoll der Datenbank wird laufend übertragen.",
    nothing: "Das Protokoll der Datenbank wird nirgends aufbewahrt: Sicherung einrichten.",
    working: "läuft",
    broken: "läuft nicht",
    last: "zuletzt {time}"
  },
  errors: {
    title: "Fehler",
    none: "Seit {time} hat dieser Prozess jede von {n} Anfragen beantwortet.",
    some: "Seit {time} sind {failed} von {n} Anfragen dieses Prozesses gescheitert."
  },
  ready: "bereit",
  notReady: "nicht bereit",
  versions: "Versionen",
  replicas: "Prozesse",
  host: "Rechner",
  role: "Rolle",
  version: "Version",
  started: "Gestartet",
  seen: "Zuletzt gemeldet",
  masterKey: "Hauptschlüssel",
  opens: "öffnet die Datenbank",
  opensNot: "öffnet die Datenbank nicht: MASTER_KEY prüfen",
  dataKeys: { one: "{n} Datenschlüssel unter {key}", other: "{n} Datenschlüssel unter {key}" },
  rotating: "Der Wechsel ist nicht abgeschlossen: `cli secrets rotate-master-key` weiterlaufen lassen.",
  todo: "Zu tun",
  queues: "Warteschlangen",
  queue: "Warteschlange",
  waitingNow: "bereit",
  later: "später",
  active: "in Arbeit",
  failed: "fehlgeschlagen",
  deadLetters: "Endgültig fehlgeschlagene Aufgaben",
  deadLettersHelp:
    "Alle Versuche sind fehlgeschlagen. Erst die Ursache beheben, dann erneut versuchen. Sie bleiben 30 Tage.",
  retry: "Erneut versuchen",
  discard: "Verwerfen",
  attempts: "{n} Wiederholungen, aufgegeben {time}",
  webhooks: "Webhooks nach Empfänger",
  webhooksHelp: "Der Empfänger antwortet nicht oder mit einem Fehler. Die Zustellung wird automatisch wiederholt.",
  owner: "Eigentümer",
  address: "Adresse",
  pending: "wartend",
  givenUp: "aufgegeben",
  replay: "Erneut senden",
  oldest: "ältestes",
  parked: "Angehaltene Auszahlungen",
  parkedHelp: "Den genannten Grund beheben, zum Beispiel das Zahlungskonto der Apotheke eintragen, dann weiterleiten.",
  resume: "Weiterleiten",
  pharmacy: "Apotheke",
  order: "Bestellung",
  amount: "Betrag",
  reason: "Grund",
  /** By the interface's text. */
  parkedReasons: {
    "the pharmacy has no payment account": "Die Apotheke hat kein Zahlungskonto",
    "the payouts are more than the patient paid, less refunds":
      "Die Auszahlungen sind höher als der bezahlte Betrag nach Erstattungen"
  },
  waitingOrders: "Wartende Bestellungen",
  retryAll: "Jetzt erneut versuchen",
  release: "Ohne Anamnese freigeben",
  shop: "Shop",
  since: "seit",
  reasons: {
    no_pharmacy:
      "Keine Apotheke führt alle Artikel: dem Shop eine Standardapotheke geben oder einer Apotheke alle Artikel.",
    prescription_not_usable:
      "Ein genanntes Rezept ist nicht unterschrieben, abgeschlossen oder enthält den Artikel nicht: beim Shop nachfragen.",
    anamnesis_required:
      "Der Shop verlangt für einen Artikel eine Anamnese, und sie fehlt: Bestellung im Shop stornieren oder ohne Anamnese freigeben."
  },
  file: "Datei",
  fileText: "Konfigurationsdatei (JSON)",
  fileHelp: "Zuerst werden die Unterschiede gezeigt; geändert wird dabei nichts.",
  reset: "Auch Einträge schreiben, die in der Datei unverändert sind",
  compare: "Unterschiede zeigen",
  differences: "Unterschiede",
  noDifferences: "Die Datei würde nichts ändern.",
  apply: { one: "{n} Eintrag anwenden", other: "{n} Einträge anwenden" },
  entry: "Eintrag",
  field: "Feld",
  before: "bisher",
  after: "danach",
  outcomes: { created: "neu", changed: "geändert", kept: "bleibt, wie seither geändert" },
  hidden: "wird nicht gezeigt"
}
