/**
 * Messages by kind: what staff call them, and their own texts in every language (what all of them share is in the catalogue). In
 * `en-US` only what is written in another way.
 */
import type { Language } from "./language.ts"

type Own = Exclude<Language, "en-US">
type Notice<T> = { readonly name: Readonly<Record<"de" | "en", string>>; readonly "en-US"?: Partial<T> } & Readonly<
  Record<Own, T>
>

/** The texts of one kind in every language. */
export const notice = <const K extends string>(texts: Notice<Readonly<Record<K, string>>>) => texts

const core = {
  reminder: notice({
    name: { de: "Erinnerung", en: "Reminder" },
    de: {
      subject: "Erinnerung: Termin am {when}",
      opening: "wir erinnern Sie an Ihren Termin mit {counterpart}.",
      sms: "Erinnerung: Ihr Termin mit {counterpart} am {when}."
    },
    en: {
      subject: "Reminder: appointment on {when}",
      opening: "This is a reminder of your appointment with {counterpart}.",
      sms: "Reminder: your appointment with {counterpart} on {when}."
    },
    tr: {
      subject: "Hatırlatma: randevu {when}",
      opening: "{counterpart} ile randevunuzu hatırlatırız.",
      sms: "Hatırlatma: {counterpart} ile randevunuz: {when}."
    },
    ar: {
      subject: "تذكير: موعد {when}",
      opening: "نذكّركم بموعدكم مع {counterpart}.",
      sms: "تذكير: موعدكم مع {counterpart} يوم {when}."
    },
    uk: {
      subject: "Нагадування: прийом {when}",
      opening: "Нагадуємо вам про прийом ({counterpart}).",
      sms: "Нагадування: ваш прийом ({counterpart}) {when}."
    },
    ru: {
      subject: "Напоминание: приём {when}",
      opening: "Напоминаем вам о приёме ({counterpart}).",
      sms: "Напоминание: ваш приём ({counterpart}) {when}."
    }
  }),
  confirmation: notice({
    name: { de: "Bestätigung", en: "Confirmation" },
    de: {
      subject: "Terminbestätigung: {when}",
      opening: "Ihr Termin mit {counterpart} ist bestätigt.",
      sms: "Ihr Termin mit {counterpart} am {when} ist bestätigt."
    },
    en: {
      subject: "Appointment confirmed: {when}",
      opening: "Your appointment with {counterpart} is confirmed.",
      sms: "Your appointment with {counterpart} on {when} is confirmed."
    },
    tr: {
      subject: "Randevu onayı: {when}",
      opening: "{counterpart} ile randevunuz onaylandı.",
      sms: "{counterpart} ile randevunuz onaylandı: {when}."
    },
    ar: {
      subject: "تأكيد الموعد: {when}",
      opening: "تم تأكيد موعدكم مع {counterpart}.",
      sms: "تم تأكيد موعدكم مع {counterpart} يوم {when}."
    },
    uk: {
      subject: "Запис підтверджено: {when}",
      opening: "Ваш прийом ({counterpart}) підтверджено.",
      sms: "Ваш прийом ({counterpart}) {when} підтверджено."
    },
    ru: {
      subject: "Запись подтверждена: {when}",
      opening: "Ваш приём ({counterpart}) подтверждён.",
      sms: "Ваш приём ({counterpart}) {when} подтверждён."
    }
  }),
  cancellation: notice({
    name: { de: "Absage", en: "Cancellation" },
    de: {
      subject: "Termin abgesagt: {when}",
      opening: "Ihr Termin mit {counterpart} wurde abgesagt.",
      sms: "Ihr Termin mit {counterpart} am {when} wurde abgesagt."
    },
    en: {
      subject: "Appointment cancelled: {when}",
      opening: "Your appointment with {counterpart} has been cancelled.",
      sms: "Your appointment with {counterpart} on {when} has been cancelled."
    },
    "en-US": {
      subject: "Appointment canceled: {when}",
      opening: "Your appointment with {counterpart} has been canceled.",
      sms: "Your appointment with {counterpart} on {when} has been canceled."
    },
    tr: {
      subject: "Randevu iptal edildi: {when}",
      opening: "{counterpart} ile randevunuz iptal edildi.",
      sms: "{counterpart} ile randevunuz iptal edildi: {when}."
    },
    ar: {
      subject: "أُلغي الموعد: {when}",
      opening: "أُلغي موعدكم مع {counterpart}.",
      sms: "أُلغي موعدكم مع {counterpart} يوم {when}."
    },
    uk: {
      subject: "Прийом скасовано: {when}",
      opening: "Ваш прийом ({counterpart}) скасовано.",
      sms: "Ваш прийом ({counterpart}) {when} скасовано."
    },
    ru: {
      subject: "Приём отменён: {when}",
      opening: "Ваш приём ({counterpart}) отменён.",
      sms: "Ваш приём ({counterpart}) {when} отменён."
    }
  }),
  rebooking: notice({
    name: { de: "Verschiebung", en: "Move" },
    de: {
      subject: "Termin verschoben auf {when}",
      opening: "Ihr Termin mit {before} wurde verschoben, von {from} auf {to}.",
      sms: "Ihr Termin mit {before} wurde verschoben auf {to}."
    },
    en: {
      subject: "Appointment moved to {when}",
      opening: "Your appointment with {before} was moved from {from} to {to}.",
      sms: "Your appointment with {before} has been moved to {to}."
    },
    tr: {
      subject: "Randevunun yeni zamanı: {when}",
      opening: "{before} ile randevunuzun zamanı değişti; eski: {from}, yeni: {to}.",
      sms: "{before} ile randevunuzun yeni zamanı: {to}."
    },
    ar: {
      subject: "تغيّر الموعد إلى {when}",
      opening: "تغيّر موعدكم مع {before} من {from} إلى {to}.",
      sms: "تغيّر موعدكم مع {before} إلى {to}."
    },
    uk: {
      subject: "Прийом перенесено на {when}",
      opening: "Ваш прийом ({before}) перенесено. Було: {from}. Стало: {to}.",
      sms: "Ваш прийом ({before}) перенесено на {to}."
    },
    ru: {
      subject: "Приём перенесён на {when}",
      opening: "Ваш приём ({before}) перенесён. Было: {from}. Стало: {to}.",
      sms: "Ваш приём ({before}) перенесён на {to}."
    }
  }),
  times_offered: notice({
    name: { de: "Bitte um einen anderen Termin", en: "Request to choose another time" },
    de: {
      subject: "Bitte wählen Sie einen anderen Termin als {when}",
      opening:
        "Ihr Termin mit {counterpart} kann leider nicht wie geplant stattfinden. Bitte wählen Sie einen anderen, oder sagen Sie den Termin ab.",
      sms: "Ihr Termin mit {counterpart} am {when} kann leider nicht stattfinden. Bitte wählen Sie einen anderen."
    },
    en: {
      subject: "Please choose another time than {when}",
      opening:
        "Unfortunately your appointment with {counterpart} cannot take place as planned. Please choose another time, or cancel the appointment.",
      sms: "Your appointment with {counterpart} on {when} cannot take place. Please choose another time."
    },
    tr: {
      subject: "Lütfen başka bir randevu seçin ({when} yerine)",
      opening:
        "{counterpart} ile randevunuz maalesef planlandığı gibi gerçekleşemiyor. Lütfen başka bir randevu seçin ya da randevuyu iptal edin.",
      sms: "{counterpart} ile randevunuz ({when}) maalesef gerçekleşemiyor. Lütfen başka bir randevu seçin."
    },
    ar: {
      subject: "يرجى اختيار موعد آخر بدلاً من {when}",
      opening: "نأسف، لا يمكن أن يتم موعدكم مع {counterpart} كما كان مقرراً. يرجى اختيار موعد آخر أو إلغاء الموعد.",
      sms: "نأسف، لا يمكن أن يتم موعدكم مع {counterpart} يوم {when}. يرجى اختيار موعد آخر."
    },
    uk: {
      subject: "Будь ласка, оберіть інший час замість {when}",
      opening:
        "На жаль, ваш прийом ({counterpart}) не може відбутися, як заплановано. Оберіть, будь ласка, інший час або скасуйте прийом.",
      sms: "На жаль, ваш прийом ({counterpart}) {when} не відбудеться. Оберіть, будь ласка, інший час."
    },
    ru: {
      subject: "Пожалуйста, выберите другое время вместо {when}",
      opening:
        "К сожалению, ваш приём ({counterpart}) не может состояться, как запланировано. Пожалуйста, выберите другое время или отмените приём.",
      sms: "К сожалению, ваш приём ({counterpart}) {when} не состоится. Пожалуйста, выберите другое время."
    }
  }),
  doctor_late: notice({
    name: { de: "Verspätung", en: "Delay" },
    de: {
      subject: "Ihr Termin beginnt etwa {minutes} Minuten später",
      opening:
        "Ihr Termin mit {counterpart} am {when} beginnt leider etwa {minutes} Minuten später. Sie müssen nichts tun: Der Termin bleibt bestehen.",
      sms: "Ihr Termin mit {counterpart} am {when} beginnt leider etwa {minutes} Minuten später."
    },
    en: {
      subject: "Your appointment begins about {minutes} minutes later",
      opening:
        "Unfortunately your appointment with {counterpart} on {when} begins about {minutes} minutes later. You need not do anything: the appointment stands.",
      sms: "Your appointment with {counterpart} on {when} begins about {minutes} minutes later."
    },
    tr: {
      subject: "Randevunuz yaklaşık {minutes} dakika geç başlıyor",
      opening:
        "{counterpart} ile randevunuz ({when}) maalesef yaklaşık {minutes} dakika geç başlıyor. Bir şey yapmanız gerekmez: Randevunuz geçerli.",
      sms: "{counterpart} ile randevunuz ({when}) yaklaşık {minutes} dakika geç başlıyor."
    },
    ar: {
      subject: "يبدأ موعدكم متأخراً نحو {minutes} دقيقة",
      opening:
        "نأسف، يبدأ موعدكم مع {counterpart} يوم {when} متأخراً نحو {minutes} دقيقة. لا يلزمكم فعل أي شيء، فالموعد قائم.",
      sms: "يبدأ موعدكم مع {counterpart} يوم {when} متأخراً نحو {minutes} دقيقة."
    },
    uk: {
      subject: "Ваш прийом почнеться приблизно на {minutes} хв пізніше",
      opening:
        "На жаль, ваш прийом ({counterpart}) {when} почнеться приблизно на {minutes} хв пізніше. Вам не потрібно нічого робити: прийом відбудеться.",
      sms: "Ваш прийом ({counterpart}) {when} почнеться приблизно на {minutes} хв пізніше."
    },
    ru: {
      subject: "Ваш приём начнётся примерно на {minutes} мин позже",
      opening:
        "К сожалению, ваш приём ({counterpart}) {when} начнётся примерно на {minutes} мин позже. Вам ничего не нужно делать: приём состоится.",
      sms: "Ваш приём ({counterpart}) {when} начнётся примерно на {minutes} мин позже."
    }
  })
}
type Core = typeof core
/** The texts by kind. A capability declares those of its kinds here, too: `declare module`. */
export interface NoticeTexts extends Core {}
type Kind = keyof NoticeTexts
type TextsOf<One extends Kind> = NoticeTexts[One]["de"]

const notices = { ...core } as NoticeTexts // capabilities add the rest

/** Adds the texts of a capability's kinds. Called at start. */
export const addNoticeTexts = (added: Partial<NoticeTexts>) => {
  Object.assign(notices, added)
}

const inLanguage = <T>(texts: Notice<T>, language: Language): T =>
  language === "en-US" ? { ...texts.en, ...texts["en-US"] } : texts[language]

/** The texts of a kind in a language. */
export const noticeText = <One extends Kind>(kind: One, language: Language): TextsOf<One> =>
  inLanguage(notices[kind] as Notice<TextsOf<One>>, language) // as: `notice` has checked it

/** What staff call a kind. */
export const noticeName = (kind: Kind, language: Language): string =>
  notices[kind].name[language === "de" ? "de" : "en"]

/** Every kind's texts in a language. */
export const allNoticeTexts = (language: Language) =>
  Object.fromEntries(Object.keys(notices).map((kind) => [kind, noticeText(kind as Kind, language)])) // its keys
