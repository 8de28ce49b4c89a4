/** Texts of the message about a series. */
import { notice } from "../../../texts/notices.ts"

export const noticeTexts = {
  series: notice({
    name: { de: "Serie", en: "Series" },
    de: {
      subject: "Ihre {count} Termine",
      opening: "Ihre {count} Termine mit {doctor} sind bestätigt.",
      sms: "Ihre {count} Termine mit {doctor} sind bestätigt.",
      one: "Termin {number} von {count}"
    },
    en: {
      subject: "Your {count} appointments",
      opening: "Your {count} appointments with {doctor} are confirmed.",
      sms: "Your {count} appointments with {doctor} are confirmed.",
      one: "Appointment {number} of {count}"
    },
    tr: {
      subject: "{count} randevunuz",
      opening: "{doctor} ile {count} randevunuz onaylandı.",
      sms: "{doctor} ile {count} randevunuz onaylandı.",
      one: "Randevu {number} / {count}"
    },
    ar: {
      subject: "مواعيدكم: {count}",
      opening: "تم تأكيد مواعيدكم لدى {doctor}: {count}.",
      sms: "تم تأكيد مواعيدكم لدى {doctor}: {count}.",
      one: "الموعد {number} من {count}"
    },
    uk: {
      subject: "Ваші прийоми: {count}",
      opening: "Ваші прийоми у {doctor} підтверджено: {count}.",
      sms: "Ваші прийоми у {doctor} підтверджено: {count}.",
      one: "Прийом {number} з {count}"
    },
    ru: {
      subject: "Ваши приёмы: {count}",
      opening: "Ваши приёмы у {doctor} подтверждены: {count}.",
      sms: "Ваши приёмы у {doctor} подтверждены: {count}.",
      one: "Приём {number} из {count}"
    }
  })
}

type Own = typeof noticeTexts
declare module "../../../texts/notices.ts" {
  interface NoticeTexts extends Own {}
}
