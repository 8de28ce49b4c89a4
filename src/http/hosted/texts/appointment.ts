import type { InLanguages } from "./language.ts"

/** The page behind a link in a reminder: join, move or cancel one appointment. */
export interface AppointmentTexts {
  readonly title: string
  readonly joinTitle: string
  readonly joinOpen: string
  readonly joinEarly: string
  readonly joinEarlyHelp: string
  readonly joinLate: string
  readonly join: string
  readonly opensIn: string
  readonly opensAt: string
  readonly cancelTitle: string
  readonly cancelText: string
  readonly cancelReason: string
  readonly cancel: string
  readonly cancelled: string
  readonly cancelledText: string
  readonly cancelBlocked: string
  readonly rebookTitle: string
  readonly rebookText: string
  readonly rebook: string
  readonly rebooked: string
  readonly rebookedText: string
  readonly rebookBlocked: string
  readonly noLonger: string
  readonly callPractice: string
  readonly when: string
  readonly who: string
  readonly what: string
  readonly days: (count: number) => string
}

export const appointmentTexts: InLanguages<AppointmentTexts> = {
  de: {
    title: "Ihr Termin",
    joinTitle: "Zum Videogespräch",
    joinOpen: "Das Wartezimmer ist offen. Kamera und Mikrofon prüfen Sie im nächsten Schritt.",
    joinEarly: "Das Wartezimmer öffnet 10 Minuten vor Beginn.",
    joinEarlyHelp: "Sie können diese Seite offen lassen.",
    joinLate: "Dieser Termin ist vorbei.",
    join: "Wartezimmer betreten",
    opensIn: "Öffnet in",
    opensAt: "Öffnet um",
    cancelTitle: "Termin absagen",
    cancelText: "Die Zeit wird frei für jemanden, der sie braucht.",
    cancelReason: "Grund (freiwillig)",
    cancel: "Termin absagen",
    cancelled: "Ihr Termin ist abgesagt",
    cancelledText: "Danke, dass Sie Bescheid gegeben haben.",
    cancelBlocked: "Dieser Termin lässt sich hier nicht mehr absagen.",
    rebookTitle: "Termin verschieben",
    rebookText: "Sie wählen im nächsten Schritt eine neue Zeit. Bis dahin bleibt dieser Termin bestehen.",
    rebook: "Neue Zeit wählen",
    rebooked: "Dieser Termin wurde verschoben",
    rebookedText: "Es gilt die neue Zeit aus Ihrer Bestätigung.",
    rebookBlocked: "Dieser Termin lässt sich hier nicht mehr verschieben.",
    noLonger: "Das ist jetzt nicht möglich. Unten steht der heutige Stand.",
    callPractice: "Bitte wenden Sie sich an Ihre Praxis.",
    when: "Wann",
    who: "Bei",
    what: "Was",
    days: (count) => (count === 1 ? "1 Tag" : `${count} Tagen`)
  },
  en: {
    title: "Your appointment",
    joinTitle: "Join the video call",
    joinOpen: "The waiting room is open. You check camera and microphone in the next step.",
    joinEarly: "The waiting room opens 10 minutes before the start.",
    joinEarlyHelp: "You can leave this page open.",
    joinLate: "This appointment is over.",
    join: "Enter the waiting room",
    opensIn: "Opens in",
    opensAt: "Opens at",
    cancelTitle: "Cancel the appointment",
    cancelText: "The time becomes free for someone who needs it.",
    cancelReason: "Reason (optional)",
    cancel: "Cancel the appointment",
    cancelled: "Your appointment is cancelled",
    cancelledText: "Thank you for letting us know.",
    cancelBlocked: "This appointment can no longer be cancelled here.",
    rebookTitle: "Move the appointment",
    rebookText: "You choose a new time in the next step. Until then this appointment stands.",
    rebook: "Choose a new time",
    rebooked: "This appointment has been moved",
    rebookedText: "The new time in your confirmation holds.",
    rebookBlocked: "This appointment can no longer be moved here.",
    noLonger: "That is not possible now. Below is how things stand.",
    callPractice: "Please get in touch with your practice.",
    when: "When",
    who: "With",
    what: "What",
    days: (count) => (count === 1 ? "1 day" : `${count} days`)
  }
}
