/** Texts of the message of a recall. */
import { notice } from "../../../texts/notices.ts"

export const noticeTexts = {
  recall: notice({
    name: { de: "Wiedervorstellung", en: "Recall" },
    de: {
      subject: "Zeit für Ihren nächsten Termin",
      opening: "es ist Zeit, Ihren nächsten Termin zu vereinbaren.",
      note: "Hinweis Ihrer Praxis",
      book: "Termin wählen",
      stop: "Nicht mehr erinnern",
      sms: "Zeit für Ihren nächsten Termin: {url}"
    },
    en: {
      subject: "Time for your next appointment",
      opening: "It is time to arrange your next appointment.",
      note: "Note from your practice",
      book: "Choose a time",
      stop: "Do not remind me again",
      sms: "Time for your next appointment: {url}"
    },
    tr: {
      subject: "Bir sonraki randevunuzun zamanı geldi",
      opening: "Bir sonraki randevunuzu alma zamanı geldi.",
      note: "Muayenehanenizin notu",
      book: "Randevu seç",
      stop: "Bir daha hatırlatma",
      sms: "Bir sonraki randevunuzun zamanı geldi: {url}"
    },
    ar: {
      subject: "حان وقت موعدكم القادم",
      opening: "حان الوقت لحجز موعدكم القادم.",
      note: "ملاحظة من عيادتكم",
      book: "اختيار موعد",
      stop: "عدم التذكير بعد الآن",
      sms: "حان وقت موعدكم القادم: {url}"
    },
    uk: {
      subject: "Час записатися на наступний прийом",
      opening: "Час записатися на наступний прийом.",
      note: "Примітка від вашої клініки",
      book: "Обрати час",
      stop: "Більше не нагадувати",
      sms: "Час записатися на наступний прийом: {url}"
    },
    ru: {
      subject: "Пора записаться на следующий приём",
      opening: "Пора записаться на следующий приём.",
      note: "Примечание от вашей практики",
      book: "Выбрать время",
      stop: "Больше не напоминать",
      sms: "Пора записаться на следующий приём: {url}"
    }
  })
}

type Own = typeof noticeTexts
declare module "../../../texts/notices.ts" {
  interface NoticeTexts extends Own {}
}
