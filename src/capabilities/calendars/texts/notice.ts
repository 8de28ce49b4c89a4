/** Texts of the message to a doctor whose calendar no longer gives access. */
import type { Language } from "../../../texts/language.ts"
import { notice, noticeText } from "../../../texts/notices.ts"

export const noticeTexts = {
  calendar_lost: notice({
    name: { de: "Kalender getrennt", en: "Calendar disconnected" },
    de: {
      subject: "Ihr Kalender ist nicht mehr verbunden",
      opening:
        "Ihr Kalender erlaubt den Zugriff nicht mehr: Termine werden dort nicht eingetragen, belegte Zeiten nicht gelesen. Bitte verbinden Sie ihn neu.",
      connect: "Kalender verbinden",
      sms: "Ihr Kalender ist nicht mehr verbunden, bitte neu verbinden: {url}"
    },
    en: {
      subject: "Your calendar is no longer connected",
      opening:
        "Your calendar no longer gives access: appointments are not written there, busy times are not read. Please connect it again.",
      connect: "Connect the calendar",
      sms: "Your calendar is no longer connected, please connect it again: {url}"
    },
    tr: {
      subject: "Takviminiz artık bağlı değil",
      opening:
        "Takviminiz artık erişime izin vermiyor: randevular oraya yazılmıyor, dolu saatler okunmuyor. Lütfen yeniden bağlayın.",
      connect: "Takvimi bağla",
      sms: "Takviminiz artık bağlı değil, lütfen yeniden bağlayın: {url}"
    },
    ar: {
      subject: "لم يعد تقويمكم متصلاً",
      opening: "لم يعد تقويمكم يسمح بالوصول: لا تُكتب المواعيد فيه ولا تُقرأ الأوقات المشغولة. يُرجى ربطه من جديد.",
      connect: "ربط التقويم",
      sms: "لم يعد تقويمكم متصلاً، يُرجى ربطه من جديد: {url}"
    },
    uk: {
      subject: "Ваш календар більше не підключено",
      opening:
        "Ваш календар більше не надає доступу: прийоми туди не записуються, зайнятий час не читається. Підключіть його знову.",
      connect: "Підключити календар",
      sms: "Ваш календар більше не підключено, підключіть його знову: {url}"
    },
    ru: {
      subject: "Ваш календарь больше не подключён",
      opening:
        "Ваш календарь больше не даёт доступа: приёмы туда не записываются, занятое время не читается. Подключите его снова.",
      connect: "Подключить календарь",
      sms: "Ваш календарь больше не подключён, подключите его снова: {url}"
    }
  })
}

type Own = typeof noticeTexts
declare module "../../../texts/notices.ts" {
  interface NoticeTexts extends Own {}
}

export const lostNotice = (url: string, language: Language) => ({
  values: { url },
  facts: [],
  links: [[noticeText("calendar_lost", language).connect, url] as const]
})
