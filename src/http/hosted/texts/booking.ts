import type { InLanguages } from "./language.ts"

interface Headings {
  readonly choose: string
  readonly details: string
  readonly done: string
}

/** The booking page, from the list of times to the confirmation. */
export interface BookingTexts {
  readonly title: string
  readonly titleRebooking: string
  readonly steps: { readonly label: string; readonly time: string; readonly details: string; readonly done: string }
  /** what each step is headed by */
  readonly headings: Headings
  readonly headingsRebooking: Headings
  readonly nextAvailable: string
  readonly take: string
  readonly minutes: (count: number) => string
  readonly video: string
  readonly onSite: string
  readonly currentTime: string
  readonly currentStays: string
  readonly doctor: string
  readonly anyDoctor: string
  readonly zone: string
  readonly apply: string
  readonly deviceZone: string
  readonly earlier: string
  readonly later: string
  readonly today: string
  readonly tomorrow: string
  readonly freeTimes: (count: number) => string
  readonly noneFree: string
  readonly noneFreeHelp: string
  readonly taken: string
  readonly takenKept: string
  readonly superseded: string
  readonly ruleBlocked: string
  readonly notMovable: string
  readonly heldFor: string
  readonly heldAlmostOver: string
  readonly heldOver: string
  readonly reasonLabel: string
  readonly reasonHelp: string
  readonly confirm: string
  readonly confirmRebooking: string
  readonly otherTime: string
  readonly replaces: string
  readonly doneText: string
  readonly doneTextVideo: string
  readonly doneTextRebooking: string
  readonly calendar: string
  readonly returnTo: (host: string) => string
  readonly closeHint: string
  readonly with: (doctor: string) => string
}

export const bookingTexts: InLanguages<BookingTexts> = {
  de: {
    title: "Termin buchen",
    titleRebooking: "Termin verschieben",
    steps: { label: "Fortschritt", time: "Zeit", details: "Angaben", done: "Fertig" },
    headings: { choose: "Wann passt es Ihnen?", details: "Noch ein Schritt", done: "Ihr Termin steht" },
    headingsRebooking: {
      choose: "Welche neue Zeit passt Ihnen?",
      details: "Neue Zeit bestätigen",
      done: "Ihr Termin ist verschoben"
    },
    nextAvailable: "Nächster freier Termin",
    take: "Diese Zeit nehmen",
    minutes: (count) => (count === 1 ? "1 Minute" : `${count} Minuten`),
    video: "Videosprechstunde",
    onSite: "Termin in der Praxis",
    currentTime: "Ihr bisheriger Termin",
    currentStays: "Er bleibt bestehen, bis Sie die neue Zeit bestätigen.",
    doctor: "Ärztin oder Arzt",
    anyDoctor: "Alle",
    zone: "Zeitzone",
    apply: "Anzeigen",
    deviceZone: "Ihr Gerät steht auf einer anderen Zeitzone. Zeiten anzeigen in:",
    earlier: "Frühere Tage",
    later: "Spätere Tage",
    today: "Heute",
    tomorrow: "Morgen",
    freeTimes: (count) => (count === 1 ? "1 freie Zeit" : `${count} freie Zeiten`),
    noneFree: "Zurzeit ist keine Zeit frei",
    noneFreeHelp: "Oft werden Termine kurzfristig wieder frei. Schauen Sie gern später noch einmal herein.",
    taken: "Diese Zeit hat gerade jemand anders genommen. Bitte wählen Sie eine andere.",
    takenKept: "Was Sie geschrieben haben, ist nicht verloren.",
    superseded: "Diese Reservierung gilt nicht mehr. Bitte wählen Sie noch einmal eine Zeit.",
    ruleBlocked: "Diese Zeit wird nicht mehr angeboten. Bitte wählen Sie eine andere.",
    notMovable: "Ihr bisheriger Termin lässt sich nicht mehr verschieben. Bitte wenden Sie sich an Ihre Praxis.",
    heldFor: "Für Sie reserviert, noch",
    heldAlmostOver: "Ihre Reservierung läuft in weniger als einer Minute ab.",
    heldOver:
      "Die Reservierung ist abgelaufen. Sie können trotzdem bestätigen, solange niemand anders die Zeit genommen hat.",
    reasonLabel: "Worum geht es? (freiwillig)",
    reasonHelp: "Nur Ihre Ärztin oder Ihr Arzt und die Praxisverwaltung lesen das. Es kann in Erinnerungen stehen.",
    confirm: "Termin verbindlich buchen",
    confirmRebooking: "Termin verschieben",
    otherTime: "Andere Zeit wählen",
    replaces: "Ersetzt Ihren Termin am",
    doneText: "Wir freuen uns auf Sie.",
    doneTextVideo: "Das Wartezimmer öffnet 10 Minuten vor Beginn.",
    doneTextRebooking: "Der bisherige Termin ist abgesagt, der neue gilt.",
    calendar: "In den Kalender",
    returnTo: (host) => `Weiter zu ${host}`,
    closeHint: "Sie können dieses Fenster jetzt schließen.",
    with: (doctor) => `mit ${doctor}`
  },
  en: {
    title: "Book an appointment",
    titleRebooking: "Move an appointment",
    steps: { label: "Progress", time: "Time", details: "Details", done: "Done" },
    headings: { choose: "When would suit you?", details: "One more step", done: "Your appointment is booked" },
    headingsRebooking: {
      choose: "Which new time would suit you?",
      details: "Confirm the new time",
      done: "Your appointment has been moved"
    },
    nextAvailable: "Next available",
    take: "Take this time",
    minutes: (count) => (count === 1 ? "1 minute" : `${count} minutes`),
    video: "Video consultation",
    onSite: "Appointment at the practice",
    currentTime: "Your present appointment",
    currentStays: "It stands until you confirm the new time.",
    doctor: "Doctor",
    anyDoctor: "All",
    zone: "Time zone",
    apply: "Show",
    deviceZone: "Your device is set to another time zone. Show times in:",
    earlier: "Earlier days",
    later: "Later days",
    today: "Today",
    tomorrow: "Tomorrow",
    freeTimes: (count) => (count === 1 ? "1 free time" : `${count} free times`),
    noneFree: "No time is free at present",
    noneFreeHelp: "Appointments often become free at short notice. Do look in again later.",
    taken: "Someone else has just taken this time. Please choose another.",
    takenKept: "What you wrote is not lost.",
    superseded: "This reservation no longer holds. Please choose a time once more.",
    ruleBlocked: "This time is no longer offered. Please choose another.",
    notMovable: "Your present appointment can no longer be moved. Please get in touch with your practice.",
    heldFor: "Reserved for you, for",
    heldAlmostOver: "Your reservation ends in less than a minute.",
    heldOver: "The reservation has ended. You may still confirm as long as nobody else has taken the time.",
    reasonLabel: "What is it about? (optional)",
    reasonHelp: "Only your doctor and the practice's staff read this. It may appear in reminders.",
    confirm: "Book this appointment",
    confirmRebooking: "Move the appointment",
    otherTime: "Choose another time",
    replaces: "Replaces your appointment on",
    doneText: "We look forward to seeing you.",
    doneTextVideo: "The waiting room opens 10 minutes before the start.",
    doneTextRebooking: "The former appointment is cancelled; the new one stands.",
    calendar: "Add to calendar",
    returnTo: (host) => `Continue to ${host}`,
    closeHint: "You may close this window now.",
    with: (doctor) => `with ${doctor}`
  }
}
