/** Texts of a patient's page about the series of an appointment. */
import { pageTexts } from "../../shared/texts/own.ts"

export const pageTextsOf = pageTexts({
  de: {
    one: "Termin {number} von {count}",
    all: "Alle Termine dieser Reihe",
    cancelled: "abgesagt",
    current: "dieser Termin"
  },
  en: {
    one: "Appointment {number} of {count}",
    all: "All appointments of this series",
    cancelled: "cancelled",
    current: "this one"
  },
  tr: {
    one: "Randevu {number} / {count}",
    all: "Bu dizinin tüm randevuları",
    cancelled: "iptal edildi",
    current: "bu randevu"
  },
  ar: { one: "الموعد {number} من {count}", all: "كل مواعيد هذه السلسلة", cancelled: "ملغى", current: "هذا الموعد" },
  uk: {
    one: "Прийом {number} з {count}",
    all: "Усі прийоми цієї серії",
    cancelled: "скасовано",
    current: "цей прийом"
  },
  ru: { one: "Приём {number} из {count}", all: "Все приёмы этой серии", cancelled: "отменён", current: "этот приём" },
  "en-US": { cancelled: "canceled" }
})
