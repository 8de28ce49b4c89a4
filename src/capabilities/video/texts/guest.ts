/** Texts of guests: their roles, their page and their message. */
import { pageTexts } from "../../shared/texts/own.ts"

export const guestTexts = pageTexts({
  de: {
    roles: {
      patient: "Patient/in",
      doctor: "Arzt/Ärztin",
      interpreter: "Dolmetscher/in",
      relative: "Angehörige/r",
      care: "Pflege"
    },
    subject: "Einladung zu einem Videogespräch: {organisation}, {when}",
    opening: "{organisation} bittet Sie am {when} zu einem Videogespräch dazu ({role}).",
    open: "Zur Einladung",
    title: "Einladung zu einem Videogespräch",
    text: "{organisation} bittet Sie dazu als: {role}.",
    secrecy: "Was Sie in dem Gespräch sehen und hören, müssen Sie für sich behalten, auch danach.",
    agree: "Ich behalte alles für mich und trete ein",
    early: "Der Raum öffnet am {when}. Öffnen Sie diese Seite dann noch einmal.",
    over: { title: "Diese Einladung gilt nicht mehr", text: "Bei Fragen wenden Sie sich bitte an die Praxis." }
  },
  en: {
    roles: { patient: "Patient", doctor: "Doctor", interpreter: "Interpreter", relative: "Relative", care: "Care" },
    subject: "Invitation to a video call: {organisation}, {when}",
    opening: "{organisation} asks you to take part in a video call on {when} ({role}).",
    open: "Open the invitation",
    title: "Invitation to a video call",
    text: "{organisation} asks you to take part as: {role}.",
    secrecy: "You must keep to yourself what you see and hear in the call, also afterwards.",
    agree: "I keep everything to myself and enter",
    early: "The room opens on {when}. Please open this page again then.",
    over: { title: "This invitation is no longer valid", text: "If you have questions, please contact the practice." }
  },
  tr: {
    roles: { patient: "Hasta", doctor: "Doktor", interpreter: "Tercüman", relative: "Yakını", care: "Bakım" },
    subject: "Görüntülü görüşme daveti: {organisation}, {when}",
    opening: "{organisation} sizi {when} tarihindeki görüntülü görüşmeye davet ediyor ({role}).",
    open: "Daveti aç",
    title: "Görüntülü görüşme daveti",
    text: "{organisation} sizi şu sıfatla davet ediyor: {role}.",
    secrecy: "Görüşmede gördüklerinizi ve duyduklarınızı, sonrasında da, kimseyle paylaşmamalısınız.",
    agree: "Hiçbir şeyi paylaşmayacağım, gir",
    early: "Oda {when} açılıyor. Lütfen bu sayfayı o zaman yeniden açın.",
    over: { title: "Bu davet artık geçerli değil", text: "Sorularınız için lütfen muayenehaneye başvurun." }
  },
  ar: {
    roles: { patient: "المريض", doctor: "الطبيب", interpreter: "مترجم", relative: "قريب", care: "رعاية" },
    subject: "دعوة إلى مكالمة فيديو: {organisation}، {when}",
    opening: "تدعوكم {organisation} إلى المشاركة في مكالمة فيديو يوم {when} ({role}).",
    open: "فتح الدعوة",
    title: "دعوة إلى مكالمة فيديو",
    text: "تدعوكم {organisation} إلى المشاركة بصفة: {role}.",
    secrecy: "يجب أن تحتفظوا لأنفسكم بكل ما ترونه وتسمعونه في المكالمة، وبعدها أيضاً.",
    agree: "سأحتفظ بكل شيء لنفسي، دخول",
    early: "تُفتح الغرفة يوم {when}. يرجى فتح هذه الصفحة مرة أخرى عندها.",
    over: { title: "هذه الدعوة لم تعد صالحة", text: "إذا كانت لديكم أسئلة فيرجى التواصل مع العيادة." }
  },
  uk: {
    roles: {
      patient: "Пацієнт/ка",
      doctor: "Лікар/ка",
      interpreter: "Перекладач/ка",
      relative: "Родич/ка",
      care: "Догляд"
    },
    subject: "Запрошення на відеодзвінок: {organisation}, {when}",
    opening: "{organisation} просить вас узяти участь у відеодзвінку {when} ({role}).",
    open: "Відкрити запрошення",
    title: "Запрошення на відеодзвінок",
    text: "{organisation} просить вас узяти участь як: {role}.",
    secrecy: "Усе, що ви побачите й почуєте під час розмови, ви маєте зберігати в таємниці, також і потім.",
    agree: "Зберігатиму все в таємниці, увійти",
    early: "Кімната відкриється {when}. Будь ласка, відкрийте тоді цю сторінку ще раз.",
    over: {
      title: "Це запрошення більше не дійсне",
      text: "Якщо у вас є запитання, зверніться, будь ласка, до практики."
    }
  },
  ru: {
    roles: {
      patient: "Пациент/ка",
      doctor: "Врач",
      interpreter: "Переводчик/ца",
      relative: "Родственник/ца",
      care: "Уход"
    },
    subject: "Приглашение на видеозвонок: {organisation}, {when}",
    opening: "{organisation} просит вас принять участие в видеозвонке {when} ({role}).",
    open: "Открыть приглашение",
    title: "Приглашение на видеозвонок",
    text: "{organisation} просит вас принять участие как: {role}.",
    secrecy: "Всё, что вы увидите и услышите во время разговора, вы должны хранить в тайне, также и потом.",
    agree: "Буду хранить всё в тайне, войти",
    early: "Комната откроется {when}. Пожалуйста, откройте тогда эту страницу ещё раз.",
    over: {
      title: "Это приглашение больше не действительно",
      text: "Если у вас есть вопросы, обратитесь, пожалуйста, в практику."
    }
  }
})
