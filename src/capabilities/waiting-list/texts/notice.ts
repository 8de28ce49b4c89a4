/** Texts of the messages of the waiting list. */
import { notice } from "../../../texts/notices.ts"

export const noticeTexts = {
  waitlist_offer: notice({
    name: { de: "Angebot der Warteliste", en: "Waiting-list offer" },
    de: {
      subject: "Ein Termin ist frei geworden: {when}",
      opening: "ein Termin, auf den Sie warten, ist frei geworden.",
      sms: "Ein Termin ist frei geworden: {when}. Antwort bis {until}: {url}"
    },
    en: {
      subject: "An appointment has become free: {when}",
      opening: "An appointment that you are waiting for has become free.",
      sms: "An appointment has become free: {when}. Please answer by {until}: {url}"
    },
    tr: {
      subject: "Bir randevu boşaldı: {when}",
      opening: "Beklediğiniz bir randevu boşaldı.",
      sms: "Bir randevu boşaldı: {when}. Son yanıt {until}: {url}"
    },
    ar: {
      subject: "توفّر موعد: {when}",
      opening: "توفّر موعد كنتم تنتظرونه.",
      sms: "توفّر موعد: {when}. الرجاء الرد حتى {until}: {url}"
    },
    uk: {
      subject: "Звільнився час: {when}",
      opening: "Звільнився час, на який ви чекаєте.",
      sms: "Звільнився час: {when}. Дайте відповідь до {until}: {url}"
    },
    ru: {
      subject: "Освободилось время: {when}",
      opening: "Освободилось время, которого вы ждёте.",
      sms: "Освободилось время: {when}. Ответьте до {until}: {url}"
    }
  }),
  waitlist_paused: notice({
    name: { de: "Warteliste pausiert", en: "Waiting list paused" },
    de: {
      subject: "Sie stehen noch auf der Warteliste: Sollen wir uns weiter melden?",
      opening:
        "auf unsere letzten drei Angebote haben Sie nicht geantwortet. Deshalb schicken wir Ihnen vorerst keine weiteren. Mit einem Klick geht es weiter.",
      sms: "Wir schicken vorerst keine Angebote der Warteliste mehr. Weiter geht es hier: {url}"
    },
    en: {
      subject: "You are still on the waiting list: should we keep writing?",
      opening:
        "You have not answered our last three offers, so we are not sending any more for now. One click and we go on.",
      sms: "We pause our offers from the waiting list. To go on: {url}"
    },
    tr: {
      subject: "Hâlâ bekleme listesindesiniz: devam edelim mi?",
      opening:
        "Son üç teklifimize yanıt vermediniz, bu yüzden şimdilik yeni teklif göndermiyoruz. Tek tıklamayla devam edebilirsiniz.",
      sms: "Bekleme listesi tekliflerine ara verdik. Devam etmek için: {url}"
    },
    ar: {
      subject: "ما زلتم على قائمة الانتظار: هل نتابع؟",
      opening: "لم تردوا على عروضنا الثلاثة الأخيرة، لذلك لن نرسل عروضاً أخرى حالياً. يمكنكم المتابعة بنقرة واحدة.",
      sms: "أوقفنا عروض قائمة الانتظار مؤقتاً. للمتابعة: {url}"
    },
    uk: {
      subject: "Ви ще у списку очікування: продовжувати?",
      opening:
        "Ви не відповіли на три наші останні пропозиції, тому поки що ми не надсилаємо нових. Продовжити можна одним натисканням.",
      sms: "Ми призупинили пропозиції зі списку очікування. Продовжити: {url}"
    },
    ru: {
      subject: "Вы всё ещё в листе ожидания: продолжать?",
      opening:
        "Вы не ответили на три наших последних предложения, поэтому пока мы не присылаем новых. Продолжить можно одним нажатием.",
      sms: "Мы приостановили предложения из листа ожидания. Продолжить: {url}"
    }
  })
}

type Own = typeof noticeTexts
declare module "../../../texts/notices.ts" {
  interface NoticeTexts extends Own {}
}
