/** Texts of the console about series. */
import { deskTexts } from "../../shared/texts/own.ts"

export const deskTextsOf = deskTexts({
  de: {
    title: "Terminserie",
    plan: "Serie planen",
    planFor: "Terminserie für {name}",
    count: "Anzahl der Termine",
    interval: "Alle … Wochen",
    day: "Tag",
    time: "Uhrzeit",
    conflict: "Wenn ein Termin nicht frei ist",
    conflicts: { skip: "auslassen", shift: "nächste freie Zeit innerhalb von drei Tagen" },
    show: "Termine prüfen",
    planned: "Geplante Termine",
    choose: "Angekreuzte Termine werden ausgelassen.",
    leaveOut: "auslassen",
    moved: "statt {time}",
    taken: "schon vergeben",
    notOffered: "außerhalb der Sprechzeiten",
    bookAll: { one: "{n} Termin buchen", other: "{n} Termine buchen" },
    none: "Keiner dieser Termine ist frei.",
    members: "Termine der Serie",
    cancelFrom: "Ab hier absagen",
    cancelQuestion: {
      one: "{n} Termin ab dem {day} absagen und die Patientin oder den Patienten benachrichtigen? Das lässt sich nicht zurücknehmen.",
      other:
        "{n} Termine ab dem {day} absagen und die Patientin oder den Patienten benachrichtigen? Das lässt sich nicht zurücknehmen."
    },
    cancelNow: { one: "{n} Termin absagen", other: "{n} Termine absagen" },
    toSeries: "Zur Serie"
  },
  en: {
    title: "Series",
    plan: "Plan a series",
    planFor: "Series of appointments for {name}",
    count: "Number of appointments",
    interval: "Every … weeks",
    day: "Day",
    time: "Time",
    conflict: "If an appointment is not free",
    conflicts: { skip: "leave it out", shift: "the nearest free time within three days" },
    show: "Check the appointments",
    planned: "Planned appointments",
    choose: "Appointments that are ticked are left out.",
    leaveOut: "leave out",
    moved: "instead of {time}",
    taken: "already taken",
    notOffered: "outside of the hours",
    bookAll: { one: "Book {n} appointment", other: "Book {n} appointments" },
    none: "None of these appointments is free.",
    members: "Appointments of the series",
    cancelFrom: "Cancel from here on",
    cancelQuestion: {
      one: "Cancel {n} appointment from {day} on and notify the patient? This cannot be undone.",
      other: "Cancel {n} appointments from {day} on and notify the patient? This cannot be undone."
    },
    cancelNow: { one: "Cancel {n} appointment", other: "Cancel {n} appointments" },
    toSeries: "To the series"
  }
})
