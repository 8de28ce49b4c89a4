/** Texts of the patient's page of a request. */
import type { Language } from "../../../texts/language.ts"

const de = {
  title: "Ihre Anfrage",
  open: "Ihre Praxis hat Ihre Anfrage erhalten. Die Antwort lesen Sie hier; wir schicken Ihnen einen Link, sobald sie da ist.",
  answered: "Die Antwort Ihrer Praxis",
  done: "Ihre Anfrage ist erledigt.",
  refused: "Ihre Praxis kann diese Anfrage nicht erfüllen.",
  appointment: "Ihre Praxis bittet Sie, einen Termin zu vereinbaren.",
  prescription: "Ihr Rezept ist ausgestellt."
}
type Texts = typeof de
const en: Texts = {
  title: "Your request",
  open: "Your practice has received your request. You can read the answer here; we will send you a link as soon as it is there.",
  answered: "Your practice's answer",
  done: "Your request is done.",
  refused: "Your practice cannot fulfil this request.",
  appointment: "Your practice asks you to make an appointment.",
  prescription: "Your prescription has been issued."
}
const texts: Readonly<Record<Language, Texts>> = {
  de,
  en,
  "en-US": en,
  tr: {
    title: "Talebiniz",
    open: "Muayenehaneniz talebinizi aldı. Yanıtı burada okuyabilirsiniz; yanıt geldiğinde size bir bağlantı göndereceğiz.",
    answered: "Muayenehanenizin yanıtı",
    done: "Talebiniz tamamlandı.",
    refused: "Muayenehaneniz bu talebi yerine getiremiyor.",
    appointment: "Muayenehaneniz sizden randevu almanızı rica ediyor.",
    prescription: "Reçeteniz düzenlendi."
  },
  ar: {
    title: "طلبكم",
    open: "تسلّمت عيادتكم طلبكم. يمكنكم قراءة الإجابة هنا، وسنرسل إليكم رابطًا فور وصولها.",
    answered: "إجابة عيادتكم",
    done: "تم إنجاز طلبكم.",
    refused: "لا تستطيع عيادتكم تلبية هذا الطلب.",
    appointment: "ترجو منكم عيادتكم حجز موعد.",
    prescription: "صدرت وصفتكم الطبية."
  },
  uk: {
    title: "Ваш запит",
    open: "Ваша клініка отримала ваш запит. Відповідь ви прочитаєте тут; ми надішлемо посилання, щойно вона з’явиться.",
    answered: "Відповідь вашої клініки",
    done: "Ваш запит виконано.",
    refused: "Ваша клініка не може виконати цей запит.",
    appointment: "Ваша клініка просить вас записатися на прийом.",
    prescription: "Ваш рецепт виписано."
  },
  ru: {
    title: "Ваш запрос",
    open: "Ваша практика получила ваш запрос. Ответ вы прочитаете здесь; мы пришлём ссылку, как только он появится.",
    answered: "Ответ вашей практики",
    done: "Ваш запрос выполнен.",
    refused: "Ваша практика не может выполнить этот запрос.",
    appointment: "Ваша практика просит вас записаться на приём.",
    prescription: "Ваш рецепт выписан."
  }
}
export const textsOf = (language: Language) => texts[language]
