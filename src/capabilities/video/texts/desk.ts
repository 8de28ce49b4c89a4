/** Texts of the console about guests. */
import { deskTexts } from "../../shared/texts/own.ts"

export const deskTextsOf = deskTexts({
  de: {
    title: "Gäste des Videogesprächs",
    help: "Höchstens zwei. Der Gast bekommt einen Link, verpflichtet sich zur Verschwiegenheit und wartet, bis Sie ihn hereinbitten und die Patientin oder der Patient zustimmt.",
    role: "Nimmt teil als",
    name: "Name",
    email: "E-Mail",
    phone: "Telefon, falls ohne E-Mail",
    language: "Sprache",
    invite: "Einladen",
    remove: "Entfernen",
    kind: "Gäste von Videogesprächen",
    actions: {
      "management.guests.list": "Gäste angesehen",
      "management.guests.invite": "Gast eingeladen",
      "management.guests.remove": "Gast entfernt",
      "doctor.guests.list": "Gäste angesehen",
      "doctor.guests.invite": "Gast eingeladen",
      "doctor.guests.remove": "Gast entfernt"
    }
  },
  en: {
    title: "Guests of the video call",
    help: "Two at most. The guest gets a link, agrees to secrecy, and waits until you admit them and the patient agrees.",
    role: "Takes part as",
    name: "Name",
    email: "E-mail",
    phone: "Phone, if without e-mail",
    language: "Language",
    invite: "Invite",
    remove: "Remove",
    kind: "guests of video calls",
    actions: {
      "management.guests.list": "guests looked at",
      "management.guests.invite": "guest invited",
      "management.guests.remove": "guest removed",
      "doctor.guests.list": "guests looked at",
      "doctor.guests.invite": "guest invited",
      "doctor.guests.remove": "guest removed"
    }
  }
})
