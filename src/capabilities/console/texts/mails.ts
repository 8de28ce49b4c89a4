/** Mails to people who work here: invitations, and codes to sign in. */
import type { Language } from "../../../texts/language.ts"

const en = {
  closing: "This mail was sent by Sprechstunde.",
  invitation: {
    subject: "{practice} invites you",
    greeting: "Hello {name},",
    opening: "{practice} invites you to work together in Sprechstunde. The link works once, for seven days.",
    accept: "Accept the invitation",
    hint: "If you do not know the practice, ignore this mail."
  },
  code: {
    subject: "{code} is your code",
    greeting: "Hello,",
    opening: "Enter this code to sign in. It is valid for ten minutes.",
    label: "Code",
    hint: "If you did not want to sign in, ignore this mail. Tell nobody the code."
  }
}
const de: typeof en = {
  closing: "Diese E-Mail hat Sprechstunde versandt.",
  invitation: {
    subject: "{practice} lädt Sie ein",
    greeting: "Guten Tag {name},",
    opening:
      "{practice} lädt Sie zur gemeinsamen Arbeit in Sprechstunde ein. Der Link gilt einmal und sieben Tage lang.",
    accept: "Einladung annehmen",
    hint: "Wenn Sie die Praxis nicht kennen, können Sie diese E-Mail ignorieren."
  },
  code: {
    subject: "{code} ist Ihr Code",
    greeting: "Guten Tag,",
    opening: "Geben Sie diesen Code ein, um sich anzumelden. Er gilt zehn Minuten.",
    label: "Code",
    hint: "Wollten Sie sich nicht anmelden, können Sie diese E-Mail ignorieren. Geben Sie den Code niemandem weiter."
  }
}
export const staffMailTexts = (language: Language) => (language === "de" ? de : en)
