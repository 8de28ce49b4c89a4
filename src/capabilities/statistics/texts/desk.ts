/** Texts of the console about statistics. */
import { deskTexts } from "../../shared/texts/own.ts"

export const deskTextsOf = deskTexts({
  de: {
    title: "Auswertung",
    empty: {
      text: "Zahlen gibt es, sobald Termine stattgefunden haben.",
      action: "Zum Kalender"
    },
    use: { title: "Nutzung der Räume und Geräte nach Wochen", minutes: { one: "{n} Minute", other: "{n} Minuten" } },
    csv: "Als CSV",
    by: "Schritt",
    steps: { week: "Wochen", month: "Monate" },
    byWeek: "Nach Wochen",
    byMonth: "Nach Monaten",
    weeksOfMonth: "Eine Woche zählt zu dem Monat, in dem ihr Donnerstag liegt.",
    total: "Summe",
    byDoctor: "Nach Ärztin oder Arzt",
    figures: {
      booked: "gebucht",
      kept: "wahrgenommen oder geplant",
      completed: "stattgefunden",
      cancelled: "abgesagt",
      noShow: "nicht erschienen",
      lead: "Vorlauf (Tage)",
      utilisation: "Auslastung"
    },
    waitlist: {
      refilled: "Wieder vergebene Termine nach Wochen",
      figures: { offers: "Angebote", refilled: "wieder vergeben", minutes: "Minuten" }
    }
  },
  en: {
    title: "Statistics",
    empty: { text: "There are figures as soon as appointments have taken place.", action: "To the calendar" },
    use: { title: "Use of rooms and devices by week", minutes: { one: "{n} minute", other: "{n} minutes" } },
    csv: "As CSV",
    by: "Step",
    steps: { week: "Weeks", month: "Months" },
    byWeek: "By week",
    byMonth: "By month",
    weeksOfMonth: "A week counts for the month of its Thursday.",
    total: "Total",
    byDoctor: "By doctor",
    figures: {
      booked: "booked",
      kept: "kept or to come",
      completed: "took place",
      cancelled: "cancelled",
      noShow: "did not come",
      lead: "lead time (days)",
      utilisation: "utilisation"
    },
    waitlist: {
      refilled: "Times given again, by week",
      figures: { offers: "Offers", refilled: "given again", minutes: "minutes saved" }
    }
  }
})
