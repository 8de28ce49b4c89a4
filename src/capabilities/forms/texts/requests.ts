/** Texts of the messages about a request. They never say what was asked or answered. */
import { notice } from "../../../texts/notices.ts"

const made = (
  name: { readonly de: string; readonly en: string },
  what: Readonly<Record<"de" | "en" | "tr" | "ar" | "uk" | "ru", readonly [subject: string, read: string]>>
) => {
  const one = ([subject, read]: readonly [string, string]) => ({
    subject,
    opening: `${subject}.`,
    read,
    sms: `${subject}: {url}`
  })
  return notice({
    name,
    de: one(what.de),
    en: one(what.en),
    tr: one(what.tr),
    ar: one(what.ar),
    uk: one(what.uk),
    ru: one(what.ru)
  })
}

export const requestTexts = {
  request_answered: made(
    { de: "Anfrage beantwortet", en: "Request answered" },
    {
      de: ["Ihre Praxis hat Ihre Anfrage beantwortet", "Antwort lesen"],
      en: ["Your practice has answered your request", "Read the answer"],
      tr: ["Muayenehaneniz talebinizi yanıtladı", "Yanıtı oku"],
      ar: ["أجابت عيادتكم عن طلبكم", "قراءة الإجابة"],
      uk: ["Ваша клініка відповіла на ваш запит", "Прочитати відповідь"],
      ru: ["Ваша практика ответила на ваш запрос", "Прочитать ответ"]
    }
  ),
  request_running_out: made(
    { de: "Anfrage läuft ab", en: "Request runs out" },
    {
      de: ["Eine Anfrage wartet nicht mehr lange auf Ihre Antwort", "Anfrage öffnen"],
      en: ["A request waits for your answer, and its time runs out", "Open the request"],
      tr: ["Bir talebin yanıt süresi dolmak üzere", "Talebi aç"],
      ar: ["مهلة الرد على طلب توشك أن تنتهي", "فتح الطلب"],
      uk: ["Час на відповідь на запит спливає", "Відкрити запит"],
      ru: ["Время на ответ на запрос истекает", "Открыть запрос"]
    }
  ),
  request_closed: made(
    { de: "Anfrage abgeschlossen", en: "Request closed" },
    {
      de: ["Ihre Anfrage ist abgeschlossen", "Anfrage ansehen"],
      en: ["Your request is closed", "See the request"],
      tr: ["Talebiniz tamamlandı", "Talebi gör"],
      ar: ["تم إنهاء طلبكم", "عرض الطلب"],
      uk: ["Ваш запит завершено", "Переглянути запит"],
      ru: ["Ваш запрос завершён", "Посмотреть запрос"]
    }
  )
}
type Own = typeof requestTexts
declare module "../../../texts/notices.ts" {
  interface NoticeTexts extends Own {}
}
