/** Texts of what every page of staff is made of, and words that several of them use. */
import { deskTexts } from "./own.ts"

export const deskTextsOf = deskTexts({
  de: {
    frame: {
      save: "Speichern",
      remove: "Löschen",
      lost: "{what}? Das lässt sich nicht zurücknehmen.",
      yes: "Ja",
      no: "Nein",
      earlier: "Zurück",
      later: "Weiter"
    },
    problems: {
      meanwhile: "Jetzt gespeichert: {value}",
      nothing: "(leer)"
    },
    words: {
      name: "Name",
      create: "Anlegen",
      apply: "Anzeigen",
      type: "Terminart",
      doctor: "Ärztin oder Arzt",
      everybody: "Alle",
      from: "Erster Tag",
      until: "Letzter Tag",
      reason: "Grund",
      details: "Angaben",
      parts: { morning: "vormittags", afternoon: "nachmittags", evening: "abends ab 17 Uhr" },
      atTheSameTime: "zugleich: {others}"
    },
    empty: { filtered: { text: "Mit dieser Auswahl wurde nichts gefunden.", action: "Alles zeigen" } },
    statuses: {
      held: "reserviert",
      confirmed: "bestätigt",
      cancelled: "abgesagt",
      expired: "verfallen",
      completed: "stattgefunden",
      no_show: "nicht erschienen"
    }
  },
  en: {
    frame: {
      save: "Save",
      remove: "Delete",
      lost: "{what}? This cannot be undone.",
      yes: "Yes",
      no: "No",
      earlier: "Back",
      later: "Next"
    },
    problems: {
      meanwhile: "Stored now: {value}",
      nothing: "(empty)"
    },
    words: {
      name: "Name",
      create: "Create",
      apply: "Show",
      type: "Appointment type",
      doctor: "Doctor",
      everybody: "All",
      from: "First day",
      until: "Last day",
      reason: "Reason",
      details: "Details",
      parts: { morning: "in the morning", afternoon: "in the afternoon", evening: "in the evening, from 5 pm" },
      atTheSameTime: "at the same time: {others}"
    },
    empty: { filtered: { text: "Nothing matches this selection.", action: "Show all" } },
    statuses: {
      held: "held",
      confirmed: "confirmed",
      cancelled: "cancelled",
      expired: "expired",
      completed: "took place",
      no_show: "did not come"
    }
  }
})
