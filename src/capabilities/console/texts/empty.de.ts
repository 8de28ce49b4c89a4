/** What belongs in a list that is empty, and how it gets there; `action` names the link that leads there. */
export const empty = {
  calendar: {
    text: "Hier steht der Tag jeder Ärztin und jedes Arztes. Noch ist niemand angelegt.",
    action: "Ärztin oder Arzt anlegen"
  },
  calendarTypes: { text: "Freie Termine erscheinen, sobald es eine Terminart gibt.", action: "Terminart anlegen" },
  day: {
    text: "An diesem Tag gibt es keine Termine. Sie erscheinen hier, sobald jemand online bucht oder Sie einen Termin eintragen.",
    action: "Freien Termin suchen"
  },
  patients: {
    text: "Hier stehen Ihre Patientinnen und Patienten. Wer online bucht, kommt von selbst dazu; andere legen Sie an.",
    action: "Anlegen"
  },
  history: { text: "Noch kein Termin. Buchen können Sie ihn auf dieser Seite.", action: "Termin buchen" },
  consents: {
    text: "Noch keine Einwilligung. Patienten geben sie bei der Buchung; was sie in der Praxis unterschreiben, tragen Sie hier ein."
  },
  doctors: {
    text: "Hier stehen die Ärztinnen und Ärzte, bei denen gebucht werden kann. Mit der ersten Person und ihren Sprechzeiten gibt es Termine.",
    action: "Anlegen"
  },
  admins: { text: "Noch bekommt niemand Erinnerungen für die Praxis." },
  ofDoctor: {
    text: "Das gehört zu einer Ärztin oder einem Arzt. Noch ist niemand angelegt.",
    action: "Ärztin oder Arzt anlegen"
  },
  hours: {
    text: "Noch keine Sprechzeiten. Termine werden nur innerhalb von Sprechzeiten angeboten.",
    action: "Sprechzeiten eintragen"
  },
  slots: {
    text: "Noch ist kein Termin frei. Dafür braucht es Sprechzeiten und eine Terminart.",
    action: "Zu den Terminarten"
  },
  overrides: { text: "Hier stehen einzelne Tage, an denen andere Zeiten gelten oder keine." },
  types: {
    text: "Eine Terminart ist, was man bucht: mit Namen, Dauer und Ort. Ohne sie werden keine Termine angeboten."
  },
  translations: {
    text: "Alle Patienten lesen Name und Texte, wie sie oben stehen. Wer die Seiten in einer anderen Sprache liest, sieht die Übersetzung."
  },
  reminders: {
    text: "Zu dieser Terminart wird niemand erinnert. Meist genügt eine E-Mail am Tag davor.",
    action: "Erinnerung einrichten"
  },
  resources: {
    text: "Hier stehen Räume, Geräte und Personen, die ein Termin belegt. Terminarten können sie verlangen."
  },
  week: { text: "In dieser Woche ist nichts gebucht." },
  limits: { text: "Es gibt keine Obergrenze." },
  messages: {
    text: "Hier steht jede E-Mail und SMS an Patienten und Ärzte. Die erste geht mit der ersten Buchung hinaus.",
    action: "Termin buchen"
  },
  calls: {
    text: "Alle sind benachrichtigt. Hier steht, wen keine Nachricht über einen Termin erreicht hat, mit Telefonnummer."
  },
  prescriptionsOfPractice: {
    text: "Hier stehen die Rezepte der Praxis. Mit dieser Auswahl gibt es keines; geschrieben werden sie von Ärztinnen und Ärzten auf der Seite der Patientin oder des Patienten."
  },
  ownPatients: { text: "Niemand gefunden. Hier steht, wer bei Ihnen einen Termin hatte oder hat." },
  shops: { text: "Ein Shop ist ein Ort, an dem gebucht wird, zum Beispiel Ihre Website. Jede Praxis braucht einen." },
  logo: { text: "Noch kein Logo. Es erscheint auf den Buchungsseiten und in E-Mails." },
  keys: {
    text: "Mit einem Schlüssel nutzt Ihre eigene Software die Schnittstelle. Noch gibt es keinen.",
    action: "Anlegen"
  },
  secrets: { text: "Damit unterschreibt Ihre Software, wer bucht. Noch gibt es keinen." },
  subscriptions: {
    text: "Hier stehen die Adressen, an die jedes Ereignis gemeldet wird, zum Beispiel eine Buchung.",
    action: "Anlegen"
  },
  deliveries: { text: "Noch wurde nichts zugestellt. Mit „Testen“ schicken Sie ein Ereignis zur Probe." },
  team: {
    text: "Hier stehen alle, die sich für die Praxis anmelden dürfen. Laden Sie jemanden ein.",
    action: "Einladen"
  },
  nobodyWaits: { text: "Niemand wartet. Wer das Wartezimmer betritt, erscheint hier von selbst." },
  nothingToday: { text: "Heute ist nichts mehr gebucht.", action: "Zur Woche" },
  nothingElse: {
    text: "Sonst steht heute nichts an. Neue Buchungen erscheinen hier von selbst.",
    action: "Sprechzeiten ansehen"
  },
  prescribed: { text: "Noch kein Rezept.", action: "Rezept schreiben" },
  ownPrescriptions: {
    text: "Kein Rezept wartet auf Sie. Ein neues schreiben Sie auf der Seite eines Patienten.",
    action: "Zu den heutigen Patienten"
  },
  orders: {
    text: "Hier erscheinen die Bestellungen aus den Shops, sobald dort eine bezahlt wird. Sie kommen von selbst."
  },
  column: { text: "Keine Bestellung." },
  stock: {
    text: "Hier steht Ihr Bestand. Der Betreiber ordnet Ihrer Apotheke Artikel zu; Bestand und Preise lesen Sie danach als Datei ein.",
    action: "Datei einlesen"
  },
  payouts: {
    text: "Auszahlungen entstehen mit jeder Bestellung und werden fällig, wenn sie abgeschlossen ist.",
    action: "Zu den Bestellungen"
  },
  todo: {
    text: "Nichts zu tun. Hier erscheint, worum sich jemand kümmern muss: fehlgeschlagene Aufgaben, Auszahlungen, Bestellungen und Zustellungen."
  },
  parked: {
    text: "Keine Auszahlung wartet. Hier stehen Auszahlungen, die nicht ausgeführt werden können, zum Beispiel ohne Konto."
  },
  waitingOrders: {
    text: "Keine Bestellung wartet. Hier stehen Bestellungen, denen noch etwas fehlt, zum Beispiel ein Rezept."
  },
  webhooks: { text: "Alles ist zugestellt. Hier stehen Empfänger, die Ereignisse nicht annehmen." },
  deadLetters: {
    text: "Keine Aufgabe ist endgültig fehlgeschlagen. Was nach allen Versuchen fehlschlägt, steht hier und kann wiederholt werden."
  }
}
