import type { InLanguages } from "./language.ts"

/** The page behind a link in a reminder: join, move or cancel one appointment. */
export interface AppointmentTexts {
  readonly title: string
  readonly joinTitle: string
  readonly joinOpen: string
  readonly joinEarlyTitle: string
  readonly joinEarly: string
  readonly joinEarlyHelp: string
  readonly over: string
  readonly join: string
  readonly opensAt: (time: string) => string
  readonly opensOn: (day: string, time: string) => string
  readonly in: string
  readonly minutes: string
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
  readonly days: (count: number) => string
  readonly hours: (count: number) => string
}

export const appointmentTexts: InLanguages<AppointmentTexts> = {
  de: {
    title: "Ihr Termin",
    joinTitle: "Zum Videogespräch",
    joinOpen: "Das Wartezimmer ist offen. Kamera und Mikrofon prüfen Sie im nächsten Schritt.",
    joinEarlyTitle: "Das Wartezimmer ist noch nicht offen",
    joinEarly: "Das Wartezimmer öffnet 10 Minuten vor Beginn.",
    joinEarlyHelp: "Sie können diese Seite offen lassen.",
    over: "Dieser Termin ist vorbei.",
    join: "Wartezimmer betreten",
    opensAt: (time) => `Es öffnet um ${time} Uhr`,
    opensOn: (day, time) => `Es öffnet am ${day}, um ${time} Uhr`,
    in: "in",
    minutes: "Minuten",
    cancelTitle: "Termin absagen",
    cancelText: "Die Zeit wird frei für jemanden, der sie braucht.",
    cancelReason: "Grund (freiwillig)",
    cancel: "Termin absagen",
    cancelled: "Ihr Termin ist abgesagt",
    cancelledText: "Er findet nicht statt. Einen neuen bekommen Sie über Ihre Praxis.",
    cancelBlocked: "Dieser Termin lässt sich hier nicht mehr absagen.",
    rebookTitle: "Termin verschieben",
    rebookText: "Sie wählen im nächsten Schritt eine neue Zeit. Bis dahin bleibt dieser Termin bestehen.",
    rebook: "Neue Zeit wählen",
    rebooked: "Dieser Termin wurde verschoben",
    rebookedText: "Es gilt die neue Zeit, die Sie bestätigt haben.",
    rebookBlocked: "Dieser Termin lässt sich hier nicht mehr verschieben.",
    noLonger: "Das ist jetzt nicht möglich. Unten steht der heutige Stand.",
    callPractice: "Bitte wenden Sie sich an Ihre Praxis.",
    days: (count) => (count === 1 ? "1 Tag" : `${count} Tagen`),
    hours: (count) => (count === 1 ? "1 Stunde" : `${count} Stunden`)
  },
  en: {
    title: "Your appointment",
    joinTitle: "Join the video call",
    joinOpen: "The waiting room is open. You check camera and microphone in the next step.",
    joinEarlyTitle: "The waiting room is not open yet",
    joinEarly: "The waiting room opens 10 minutes before the start.",
    joinEarlyHelp: "You can leave this page open.",
    over: "This appointment is over.",
    join: "Enter the waiting room",
    opensAt: (time) => `It opens at ${time}`,
    opensOn: (day, time) => `It opens on ${day} at ${time}`,
    in: "in",
    minutes: "minutes",
    cancelTitle: "Cancel the appointment",
    cancelText: "The time becomes free for someone who needs it.",
    cancelReason: "Reason (optional)",
    cancel: "Cancel the appointment",
    cancelled: "Your appointment is cancelled",
    cancelledText: "It will not take place. Your practice can give you a new one.",
    cancelBlocked: "This appointment can no longer be cancelled here.",
    rebookTitle: "Move the appointment",
    rebookText: "You choose a new time in the next step. Until then this appointment stands.",
    rebook: "Choose a new time",
    rebooked: "This appointment has been moved",
    rebookedText: "The new time that you confirmed holds.",
    rebookBlocked: "This appointment can no longer be moved here.",
    noLonger: "That is not possible now. Below is how things stand.",
    callPractice: "Please get in touch with your practice.",
    days: (count) => (count === 1 ? "1 day" : `${count} days`),
    hours: (count) => (count === 1 ? "1 hour" : `${count} hours`)
  }
}
