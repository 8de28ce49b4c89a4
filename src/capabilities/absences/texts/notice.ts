/** Texts of the message that asks a patient to choose another time. */
import { notice } from "../../../texts/notices.ts"

export const noticeTexts = {
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
  })
}

type Own = typeof noticeTexts
declare module "../../../texts/notices.ts" {
  interface NoticeTexts extends Own {}
}
