import type { InLanguages } from "./language.ts"

/** What stands around every page, and the pages that only tell something. */
export interface FrameTexts {
  readonly skip: string
  readonly privacy: string
  readonly otherLanguage: string
  readonly notFoundTitle: string
  readonly notFoundBooking: string
  readonly notFoundAppointment: string
  readonly notFoundMeeting: string
  readonly notFoundHelp: string
  readonly failedTitle: string
  readonly failedText: string
  readonly scriptNeeded: string
  readonly attention: string
  readonly unreachable: string
}

export const frameTexts: InLanguages<FrameTexts> = {
  de: {
    skip: "Zum Inhalt springen",
    privacy: "Ohne Cookies, ohne Tracking, ohne Dritte.",
    otherLanguage: "English",
    notFoundTitle: "Dieser Link gilt nicht mehr",
    notFoundBooking:
      "Aus Sicherheitsgründen gilt ein Buchungslink nur für kurze Zeit. Ein bereits bestätigter Termin bleibt davon unberührt.",
    notFoundAppointment: "Der Link zu Ihrem Termin ist abgelaufen, oder die Adresse ist unvollständig.",
    notFoundMeeting: "Der Link in die Sprechstunde ist abgelaufen, oder die Adresse ist unvollständig.",
    notFoundHelp: "Bitte öffnen Sie den Link noch einmal dort, wo Sie ihn erhalten haben.",
    failedTitle: "Das hat gerade nicht geklappt",
    failedText: "Der Fehler liegt bei uns. Bitte versuchen Sie es in einem Augenblick noch einmal.",
    scriptNeeded: "Für das Videogespräch muss JavaScript in Ihrem Browser eingeschaltet sein.",
    attention: "Achtung",
    unreachable:
      "Keine Verbindung. Nichts ist verloren: Drücken Sie bitte noch einmal, sobald Sie wieder mit dem Internet verbunden sind."
  },
  en: {
    skip: "Skip to content",
    privacy: "No cookies, no tracking, no third parties.",
    otherLanguage: "Deutsch",
    notFoundTitle: "This link is no longer valid",
    notFoundBooking:
      "To keep you safe, a booking link works for a short time only. An appointment that is already confirmed is not affected.",
    notFoundAppointment: "The link to your appointment has expired, or its address is incomplete.",
    notFoundMeeting: "The link to your video call has expired, or its address is incomplete.",
    notFoundHelp: "Please open the link again from where you received it.",
    failedTitle: "That did not work",
    failedText: "The fault is ours. Please try again in a moment.",
    scriptNeeded: "The video call needs JavaScript to be switched on in your browser.",
    attention: "Attention",
    unreachable: "No connection. Nothing is lost: please press once more when you are back on the internet."
  }
}
