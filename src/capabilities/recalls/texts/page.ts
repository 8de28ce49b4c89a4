/** Texts of the page behind the link of a recall. */
import { pageTexts } from "../../shared/texts/own.ts"

export const textsOf = pageTexts({
  de: {
    title: "Zeit für Ihren nächsten Termin",
    text: "Sie können jetzt einen Termin buchen: {type}.",
    book: "Termin wählen",
    stop: "Nicht mehr daran erinnern",
    booked: { title: "Ihr Termin ist gebucht", text: "Hier ist nichts mehr zu tun." },
    cancelled: {
      title: "Wir erinnern Sie nicht mehr",
      text: "Möchten Sie doch einen Termin, wenden Sie sich bitte an Ihre Praxis."
    }
  },
  en: {
    title: "Time for your next appointment",
    text: "You can book an appointment now: {type}.",
    book: "Choose a time",
    stop: "Do not remind me again",
    booked: { title: "Your appointment is booked", text: "There is nothing more to do here." },
    cancelled: {
      title: "We will not remind you again",
      text: "If you would like an appointment after all, please contact your practice."
    }
  },
  tr: {
    title: "Bir sonraki randevunuzun zamanı geldi",
    text: "Şimdi randevu alabilirsiniz: {type}.",
    book: "Randevu seç",
    stop: "Bir daha hatırlatma",
    booked: { title: "Randevunuz alındı", text: "Burada yapmanız gereken başka bir şey yok." },
    cancelled: {
      title: "Size bir daha hatırlatmayacağız",
      text: "Yine de randevu isterseniz lütfen muayenehanenize başvurun."
    }
  },
  ar: {
    title: "حان وقت موعدكم القادم",
    text: "يمكنكم الآن حجز موعد: {type}.",
    book: "اختيار موعد",
    stop: "عدم التذكير بعد الآن",
    booked: { title: "تم حجز موعدكم", text: "لا حاجة إلى أي إجراء آخر هنا." },
    cancelled: { title: "لن نذكّركم بعد الآن", text: "إذا رغبتم في موعد رغم ذلك، فيرجى الاتصال بعيادتكم." }
  },
  uk: {
    title: "Час записатися на наступний прийом",
    text: "Зараз можна записатися на прийом: {type}.",
    book: "Обрати час",
    stop: "Більше не нагадувати",
    booked: { title: "Вас записано на прийом", text: "Більше нічого робити не потрібно." },
    cancelled: {
      title: "Ми більше не нагадуватимемо",
      text: "Якщо вам усе ж потрібен прийом, зверніться до клініки."
    }
  },
  ru: {
    title: "Пора записаться на следующий приём",
    text: "Сейчас можно записаться на приём: {type}.",
    book: "Выбрать время",
    stop: "Больше не напоминать",
    booked: { title: "Вы записаны на приём", text: "Больше ничего делать не нужно." },
    cancelled: {
      title: "Мы больше не будем напоминать",
      text: "Если вам всё же нужен приём, обратитесь в клинику."
    }
  }
})
