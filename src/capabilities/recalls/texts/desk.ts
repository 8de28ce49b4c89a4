/** Texts of the console about recalls. */
import { deskTexts } from "../../shared/texts/own.ts"

export const deskTextsOf = deskTexts({
  de: {
    title: "Wiedervorstellung",
    kind: "Wiedervorstellungen",
    empty: {
      text: "Hier stehen alle, die wiederkommen sollen, zum Beispiel zur Kontrolle in einem halben Jahr. Eingetragen wird das bei einem Termin.",
      action: "Zum Kalender"
    },
    own: {
      title: "Wiedervorstellung",
      help: "Die Patientin oder der Patient bekommt zwei Wochen vorher eine Nachricht mit einem Link zum Buchen.",
      in: "Wiedervorstellung {when}",
      months: { one: "in {n} Monat", other: "in {n} Monaten" }
    },
    actions: {
      "management.recalls.list": "Wiedervorstellungen angesehen",
      "management.recalls.create": "Wiedervorstellung eingetragen",
      "doctor.recalls.create": "Wiedervorstellung eingetragen"
    },
    filter: "Status",
    all: "alle",
    statuses: { waiting: "vorgemerkt", sent: "angeschrieben", booked: "gebucht", cancelled: "beendet" },
    due: "fällig am {day}",
    asked: "wird {n} Tage vorher angeschrieben",
    sentAt: "angeschrieben {time}",
    toAppointment: "Zum Termin",
    end: "Beenden",
    again: "Wiedervorstellung",
    againHelp:
      "Zwei Wochen vor dem Tag bekommt die Patientin oder der Patient eine Nachricht mit einem Link zum Buchen.",
    in: "Wiedervorstellung in",
    inMonths: { one: "{n} Monat", other: "{n} Monaten" },
    note: "Zusatz in der Nachricht (freiwillig)",
    setFor: "Vormerken zum {day}",
    figures: { sent: "angeschrieben", booked: "gebucht", lost: "nicht gebucht" },
    statistics: "Wiedervorstellungen nach Wochen",
    lostHelp: "Nicht gebucht: widersprochen, beendet, oder der Tag ist ohne Buchung vergangen."
  },
  en: {
    title: "Recalls",
    kind: "reminders to come again",
    empty: {
      text: "Here is everybody who is to come again, for example for a check in half a year. That is entered at an appointment.",
      action: "To the calendar"
    },
    own: {
      title: "Reminder to come again",
      help: "Two weeks before, the patient gets a message with a link that books.",
      in: "Come again {when}",
      months: { one: "in {n} month", other: "in {n} months" }
    },
    actions: {
      "management.recalls.list": "recalls looked at",
      "management.recalls.create": "recall set",
      "doctor.recalls.create": "recall set"
    },
    filter: "Status",
    all: "all",
    statuses: { waiting: "planned", sent: "asked", booked: "booked", cancelled: "ended" },
    due: "due on {day}",
    asked: "is asked {n} days before",
    sentAt: "asked {time}",
    toAppointment: "To the appointment",
    end: "End",
    again: "Recall",
    againHelp: "Two weeks before the day the patient gets a message with a link that books.",
    in: "Come again in",
    inMonths: { one: "{n} month", other: "{n} months" },
    note: "A sentence of the practice in the message (optional)",
    setFor: "Set the recall for {day}",
    figures: { sent: "asked", booked: "booked", lost: "not booked" },
    statistics: "Recalls by week",
    lostHelp: "Not booked: objected to, ended, or the day has passed without a booking."
  }
})
