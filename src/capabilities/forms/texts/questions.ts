/** Texts of the pages on which patients answer forms and ask in writing. */
import type { Language } from "../../../texts/language.ts"

const de = {
  step: "Schritt {n} von {of}",
  optional: "(freiwillig)",
  yes: "Ja",
  no: "Nein",
  choose: "Bitte wählen",
  lines: "Mehrere Angaben: bitte eine je Zeile.",
  next: "Weiter",
  back: "Zurück",
  change: "Ändern",
  none: "keine Angabe",
  check: "Bitte prüfen Sie Ihre Angaben",
  answers: "Ihre Angaben",
  faults: {
    required: "Bitte beantworten Sie diese Frage.",
    invalid: "Diese Angabe passt hier nicht. Bitte prüfen Sie sie."
  },
  notices: {
    check: "Bitte prüfen Sie die markierten Fragen. Alles andere ist gespeichert.",
    more: "Zu Ihren Antworten gibt es noch Fragen.",
    rejected: "Diese Datei enthält Schadsoftware und wurde gelöscht.",
    kind: "Diese Datei können wir nicht annehmen. Möglich sind vollständige PDF-, JPEG- und PNG-Dateien.",
    tooLarge: "Diese Datei ist zu groß. Möglich sind 10 MB.",
    tooMany: "Mehr als zehn Dateien sind nicht möglich.",
    off: "Die Praxis nimmt zurzeit keine Dateien an.",
    restricted: "Online ist das zurzeit nicht möglich. Bitte wenden Sie sich an Ihre Praxis."
  },
  files: {
    add: "Datei hinzufügen",
    help: "PDF, JPEG oder PNG mit höchstens 10 MB. Aufnahmeort und andere Begleitdaten von Bildern werden entfernt.",
    remove: "{name} entfernen",
    scanning: "wird noch geprüft",
    rejected: "abgelehnt"
  },
  entry: {
    send: "Weiter zu den Terminen",
    refused: "Diesen Termin können Sie nicht online buchen",
    refusedText: "Nach Ihren Angaben ist dieser Termin nicht der richtige. Bitte wenden Sie sich an Ihre Praxis.",
    again: "Angaben ändern",
    led: "Für Sie passt: {type}",
    ledText: "Nach Ihren Angaben ist dieser Termin der richtige."
  },
  intake: {
    send: "Angaben absenden",
    help: "Sie können Ihre Angaben bis zum Beginn des Termins ändern.",
    done: "Danke, Ihre Angaben sind gespeichert",
    title: "Vor Ihrem Termin ausfüllen",
    missing: "fehlt noch",
    complete: "ausgefüllt",
    blocks: "Am Termin können Sie teilnehmen, sobald Sie das ausgefüllt haben: {forms}",
    reminder: "Bitte noch ausfüllen"
  },
  requests: {
    title: "Anfrage an Ihre Praxis",
    choose: "Worum geht es?",
    nothing: "Ihre Praxis nimmt hier zurzeit keine Anfragen an.",
    send: "Anfrage absenden",
    sent: "Ihre Anfrage ist in der Praxis",
    sentText: "Wir schicken Ihnen einen Link, sobald die Antwort da ist.",
    see: "Anfrage ansehen",
    instead: "Ohne Termin schriftlich anfragen"
  }
}
type Texts = typeof de
const en: Texts = {
  step: "Step {n} of {of}",
  optional: "(optional)",
  yes: "Yes",
  no: "No",
  choose: "Please choose",
  lines: "Several answers: one on each line, please.",
  next: "Continue",
  back: "Back",
  change: "Change",
  none: "no answer",
  check: "Please check your answers",
  answers: "Your answers",
  faults: { required: "Please answer this question.", invalid: "This answer does not fit here. Please check it." },
  notices: {
    check: "Please check the marked questions. Everything else has been saved.",
    more: "Your answers lead to further questions.",
    rejected: "This file contains malware and was deleted.",
    kind: "We cannot accept this file. Whole PDF, JPEG and PNG files are possible.",
    tooLarge: "This file is too large. Up to 10 MB are possible.",
    tooMany: "More than ten files are not possible.",
    off: "The practice accepts no files at the moment.",
    restricted: "This is not possible online at the moment. Please contact your practice."
  },
  files: {
    add: "Add file",
    help: "PDF, JPEG or PNG of at most 10 MB. The place where a picture was taken and its other metadata are removed.",
    remove: "Remove {name}",
    scanning: "is being checked",
    rejected: "rejected"
  },
  entry: {
    send: "Continue to the times",
    refused: "You cannot book this appointment online",
    refusedText: "By your answers this is not the right appointment. Please contact your practice.",
    again: "Change answers",
    led: "The right appointment for you: {type}",
    ledText: "By your answers this is the right appointment."
  },
  intake: {
    send: "Send answers",
    help: "You can change your answers until the appointment starts.",
    done: "Thank you, your answers are saved",
    title: "To fill in before your appointment",
    missing: "still missing",
    complete: "filled in",
    blocks: "You can join the appointment as soon as you have filled this in: {forms}",
    reminder: "Please still fill in"
  },
  requests: {
    title: "Ask your practice",
    choose: "What is it about?",
    nothing: "Your practice takes no requests here at the moment.",
    send: "Send request",
    sent: "Your practice has your request",
    sentText: "We will send you a link as soon as the answer is there.",
    see: "See the request",
    instead: "Ask in writing, without an appointment"
  }
}
const texts: Readonly<Record<Language, Texts>> = {
  de,
  en,
  "en-US": en,
  tr: {
    step: "Adım {n}/{of}",
    optional: "(isteğe bağlı)",
    yes: "Evet",
    no: "Hayır",
    choose: "Lütfen seçin",
    lines: "Birden fazla yanıt: lütfen her satıra bir tane yazın.",
    next: "Devam",
    back: "Geri",
    change: "Değiştir",
    none: "yanıt yok",
    check: "Lütfen yanıtlarınızı kontrol edin",
    answers: "Yanıtlarınız",
    faults: { required: "Lütfen bu soruyu yanıtlayın.", invalid: "Bu yanıt buraya uymuyor. Lütfen kontrol edin." },
    notices: {
      check: "Lütfen işaretli soruları kontrol edin. Diğer her şey kaydedildi.",
      more: "Yanıtlarınıza göre başka sorular var.",
      rejected: "Bu dosya zararlı yazılım içeriyordu ve silindi.",
      kind: "Bu dosyayı kabul edemiyoruz. Eksiksiz PDF, JPEG ve PNG dosyaları mümkündür.",
      tooLarge: "Bu dosya çok büyük. En fazla 10 MB olabilir.",
      tooMany: "Ondan fazla dosya mümkün değildir.",
      off: "Muayenehane şu anda dosya kabul etmiyor.",
      restricted: "Bu şu anda çevrimiçi mümkün değil. Lütfen muayenehanenize başvurun."
    },
    files: {
      add: "Dosya ekle",
      help: "En fazla 10 MB boyutunda PDF, JPEG veya PNG. Fotoğrafın çekildiği yer ve diğer meta veriler silinir.",
      remove: "{name} dosyasını kaldır",
      scanning: "kontrol ediliyor",
      rejected: "reddedildi"
    },
    entry: {
      send: "Randevulara devam",
      refused: "Bu randevuyu çevrimiçi alamazsınız",
      refusedText: "Yanıtlarınıza göre bu doğru randevu değil. Lütfen muayenehanenize başvurun.",
      again: "Yanıtları değiştir",
      led: "Size uygun randevu: {type}",
      ledText: "Yanıtlarınıza göre doğru randevu budur."
    },
    intake: {
      send: "Yanıtları gönder",
      help: "Yanıtlarınızı randevu başlayana kadar değiştirebilirsiniz.",
      done: "Teşekkürler, yanıtlarınız kaydedildi",
      title: "Randevunuzdan önce doldurun",
      missing: "henüz eksik",
      complete: "dolduruldu",
      blocks: "Bunu doldurduğunuzda randevuya katılabilirsiniz: {forms}",
      reminder: "Lütfen doldurun"
    },
    requests: {
      title: "Muayenehanenize talep",
      choose: "Konu nedir?",
      nothing: "Muayenehaneniz şu anda burada talep kabul etmiyor.",
      send: "Talebi gönder",
      sent: "Talebiniz muayenehaneye ulaştı",
      sentText: "Yanıt gelince size bir bağlantı göndereceğiz.",
      see: "Talebi gör",
      instead: "Randevusuz, yazılı olarak sor"
    }
  },
  ar: {
    step: "الخطوة {n} من {of}",
    optional: "(اختياري)",
    yes: "نعم",
    no: "لا",
    choose: "يرجى الاختيار",
    lines: "عدة إجابات: يرجى كتابة واحدة في كل سطر.",
    next: "متابعة",
    back: "رجوع",
    change: "تغيير",
    none: "لا توجد إجابة",
    check: "يرجى مراجعة إجاباتكم",
    answers: "إجاباتكم",
    faults: { required: "يرجى الإجابة عن هذا السؤال.", invalid: "هذه الإجابة غير مناسبة هنا. يرجى مراجعتها." },
    notices: {
      check: "يرجى مراجعة الأسئلة المحددة. حُفظ كل ما عداها.",
      more: "هناك أسئلة أخرى بناءً على إجاباتكم.",
      rejected: "كان هذا الملف يحتوي على برنامج ضار وتم حذفه.",
      kind: "لا يمكننا قبول هذا الملف. الملفات الممكنة هي PDF وJPEG وPNG كاملة.",
      tooLarge: "هذا الملف كبير جدًا. الحد الأقصى 10 ميغابايت.",
      tooMany: "لا يمكن إضافة أكثر من عشرة ملفات.",
      off: "لا تقبل العيادة ملفات في الوقت الحالي.",
      restricted: "هذا غير ممكن عبر الإنترنت حاليًا. يرجى التواصل مع عيادتكم."
    },
    files: {
      add: "إضافة ملف",
      help: "ملف PDF أو JPEG أو PNG بحجم 10 ميغابايت كحد أقصى. يُحذف مكان التقاط الصورة وسائر بياناتها الوصفية.",
      remove: "إزالة {name}",
      scanning: "قيد الفحص",
      rejected: "مرفوض"
    },
    entry: {
      send: "المتابعة إلى المواعيد",
      refused: "لا يمكنكم حجز هذا الموعد عبر الإنترنت",
      refusedText: "بناءً على إجاباتكم، هذا ليس الموعد المناسب. يرجى التواصل مع عيادتكم.",
      again: "تغيير الإجابات",
      led: "الموعد المناسب لكم: {type}",
      ledText: "بناءً على إجاباتكم، هذا هو الموعد المناسب."
    },
    intake: {
      send: "إرسال الإجابات",
      help: "يمكنكم تغيير إجاباتكم حتى بداية الموعد.",
      done: "شكرًا، تم حفظ إجاباتكم",
      title: "يرجى التعبئة قبل موعدكم",
      missing: "لم يُعبّأ بعد",
      complete: "تمت التعبئة",
      blocks: "يمكنكم حضور الموعد بعد تعبئة ما يلي: {forms}",
      reminder: "يرجى تعبئة"
    },
    requests: {
      title: "طلب إلى عيادتكم",
      choose: "ما موضوع الطلب؟",
      nothing: "لا تستقبل عيادتكم طلبات هنا في الوقت الحالي.",
      send: "إرسال الطلب",
      sent: "وصل طلبكم إلى العيادة",
      sentText: "سنرسل إليكم رابطًا فور وصول الإجابة.",
      see: "عرض الطلب",
      instead: "طلب كتابي من دون موعد"
    }
  },
  uk: {
    step: "Крок {n} з {of}",
    optional: "(за бажанням)",
    yes: "Так",
    no: "Ні",
    choose: "Будь ласка, оберіть",
    lines: "Кілька відповідей: по одній у рядку.",
    next: "Далі",
    back: "Назад",
    change: "Змінити",
    none: "немає відповіді",
    check: "Будь ласка, перевірте свої відповіді",
    answers: "Ваші відповіді",
    faults: {
      required: "Будь ласка, дайте відповідь на це запитання.",
      invalid: "Ця відповідь тут не підходить. Будь ласка, перевірте її."
    },
    notices: {
      check: "Будь ласка, перевірте позначені запитання. Усе інше збережено.",
      more: "За вашими відповідями є ще запитання.",
      rejected: "Цей файл містив шкідливу програму і був видалений.",
      kind: "Ми не можемо прийняти цей файл. Можливі цілі файли PDF, JPEG і PNG.",
      tooLarge: "Цей файл завеликий. Можливо до 10 МБ.",
      tooMany: "Більше десяти файлів додати не можна.",
      off: "Клініка наразі не приймає файлів.",
      restricted: "Зараз це неможливо онлайн. Будь ласка, зверніться до своєї клініки."
    },
    files: {
      add: "Додати файл",
      help: "PDF, JPEG або PNG до 10 МБ. Місце зйомки та інші метадані зображень видаляються.",
      remove: "Видалити {name}",
      scanning: "перевіряється",
      rejected: "відхилено"
    },
    entry: {
      send: "Далі до вільного часу",
      refused: "Цей прийом не можна записати онлайн",
      refusedText: "За вашими відповідями цей прийом вам не підходить. Будь ласка, зверніться до своєї клініки.",
      again: "Змінити відповіді",
      led: "Вам підходить: {type}",
      ledText: "За вашими відповідями вам потрібен саме цей прийом."
    },
    intake: {
      send: "Надіслати відповіді",
      help: "Ви можете змінювати відповіді до початку прийому.",
      done: "Дякуємо, ваші відповіді збережено",
      title: "Заповніть перед прийомом",
      missing: "ще не заповнено",
      complete: "заповнено",
      blocks: "Ви зможете приєднатися до прийому, щойно заповните: {forms}",
      reminder: "Будь ласка, заповніть"
    },
    requests: {
      title: "Запит до вашої клініки",
      choose: "Про що йдеться?",
      nothing: "Ваша клініка наразі не приймає тут запитів.",
      send: "Надіслати запит",
      sent: "Клініка отримала ваш запит",
      sentText: "Ми надішлемо вам посилання, щойно з’явиться відповідь.",
      see: "Переглянути запит",
      instead: "Запитати письмово, без прийому"
    }
  },
  ru: {
    step: "Шаг {n} из {of}",
    optional: "(по желанию)",
    yes: "Да",
    no: "Нет",
    choose: "Пожалуйста, выберите",
    lines: "Несколько ответов: по одному в строке.",
    next: "Далее",
    back: "Назад",
    change: "Изменить",
    none: "нет ответа",
    check: "Пожалуйста, проверьте свои ответы",
    answers: "Ваши ответы",
    faults: {
      required: "Пожалуйста, ответьте на этот вопрос.",
      invalid: "Этот ответ здесь не подходит. Пожалуйста, проверьте его."
    },
    notices: {
      check: "Пожалуйста, проверьте отмеченные вопросы. Всё остальное сохранено.",
      more: "По вашим ответам есть ещё вопросы.",
      rejected: "Этот файл содержал вредоносную программу и был удалён.",
      kind: "Мы не можем принять этот файл. Возможны целые файлы PDF, JPEG и PNG.",
      tooLarge: "Этот файл слишком большой. Возможно до 10 МБ.",
      tooMany: "Больше десяти файлов добавить нельзя.",
      off: "Практика сейчас не принимает файлы.",
      restricted: "Сейчас это невозможно онлайн. Пожалуйста, обратитесь в свою практику."
    },
    files: {
      add: "Добавить файл",
      help: "PDF, JPEG или PNG до 10 МБ. Место съёмки и другие метаданные изображений удаляются.",
      remove: "Удалить {name}",
      scanning: "проверяется",
      rejected: "отклонён"
    },
    entry: {
      send: "Далее к свободному времени",
      refused: "На этот приём нельзя записаться онлайн",
      refusedText: "По вашим ответам этот приём вам не подходит. Пожалуйста, обратитесь в свою практику.",
      again: "Изменить ответы",
      led: "Вам подходит: {type}",
      ledText: "По вашим ответам вам нужен именно этот приём."
    },
    intake: {
      send: "Отправить ответы",
      help: "Вы можете менять ответы до начала приёма.",
      done: "Спасибо, ваши ответы сохранены",
      title: "Заполните перед приёмом",
      missing: "ещё не заполнено",
      complete: "заполнено",
      blocks: "Вы сможете присоединиться к приёму, как только заполните: {forms}",
      reminder: "Пожалуйста, заполните"
    },
    requests: {
      title: "Запрос в вашу практику",
      choose: "О чём идёт речь?",
      nothing: "Ваша практика сейчас не принимает здесь запросы.",
      send: "Отправить запрос",
      sent: "Практика получила ваш запрос",
      sentText: "Мы пришлём вам ссылку, как только появится ответ.",
      see: "Посмотреть запрос",
      instead: "Спросить письменно, без приёма"
    }
  }
}
export const questionTexts = (language: Language) => texts[language]
