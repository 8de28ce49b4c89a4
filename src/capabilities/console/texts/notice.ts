/** Texts of the message that a doctor will be late. */
import { notice } from "../../../texts/notices.ts"

export const noticeTexts = {
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

type Own = typeof noticeTexts
declare module "../../../texts/notices.ts" {
  interface NoticeTexts extends Own {}
}
