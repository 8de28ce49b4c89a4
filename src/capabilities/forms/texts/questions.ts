/** Texts of the pages on which patients answer forms and ask in writing. */
import { pageTexts } from "../../shared/texts/own.ts"

export const questionTexts = pageTexts({
  de: {
    next: "Weiter",
    step: "Schritt {n} von {of}",
    lines: "Mehrere Angaben: bitte eine je Zeile.",
    check: "Bitte prüfen Sie Ihre Angaben",
    answers: "Ihre Angaben",
    words: { yes: "Ja", no: "Nein", choose: "Bitte wählen", change: "Ändern", none: "keine Angabe", back: "Zurück" },
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
      tooManyOpen:
        "Zehn Ihrer Anfragen sind noch nicht beantwortet. Bitte warten Sie auf eine Antwort, oder rufen Sie Ihre Praxis an.",
      impossible: "Online ist das zurzeit nicht möglich. Bitte wenden Sie sich an Ihre Praxis."
    },
    files: {
      add: "Datei hinzufügen",
      remove: "{name} entfernen",
      help: "PDF, JPEG oder PNG mit höchstens 10 MB. Aufnahmeort und andere Begleitdaten von Bildern werden entfernt."
    },
    ended: {
      title: "Hier geht es nur mit einem neuen Link weiter",
      text: "Sie hatten eine Zeit lang nichts abgeschickt. Was Sie eingegeben haben, ist einen Tag lang gespeichert und steht wieder da, wenn Sie noch einmal beginnen. Nichts wurde an die Praxis gesendet."
    },
    entry: {
      again: "Angaben ändern",
      send: "Weiter zu den Terminen",
      refused: "Diesen Termin können Sie nicht online buchen",
      refusedText: "Nach Ihren Angaben ist dieser Termin nicht der richtige. Bitte wenden Sie sich an Ihre Praxis.",
      led: "Für Sie passt: {type}"
    },
    intake: {
      help: "Sie können Ihre Angaben bis zum Beginn des Termins ändern.",
      done: "Danke, Ihre Angaben sind gespeichert",
      title: "Vor Ihrem Termin ausfüllen",
      blocks: "Am Termin können Sie teilnehmen, sobald Sie das ausgefüllt haben: {forms}",
      send: "Angaben absenden",
      reminder: "Bitte noch ausfüllen"
    },
    states: { missing: "fehlt noch", complete: "ausgefüllt", scanning: "wird noch geprüft", rejected: "abgelehnt" },
    requests: {
      title: "Anfrage an Ihre Praxis",
      choose: "Worum geht es?",
      nothing: "Ihre Praxis nimmt hier zurzeit keine Anfragen an.",
      send: "Anfrage absenden",
      sentText: "Wir schicken Ihnen einen Link, sobald die Antwort da ist.",
      instead: "Ohne Termin schriftlich anfragen"
    },
    request: {
      title: "Ihre Anfrage",
      open: "Ihre Praxis hat Ihre Anfrage erhalten. Die Antwort lesen Sie hier; wir schicken Ihnen einen Link, sobald sie da ist.",
      answered: "Die Antwort Ihrer Praxis",
      done: "Ihre Anfrage ist erledigt.",
      refused: "Ihre Praxis kann diese Anfrage nicht erfüllen.",
      appointment: "Ihre Praxis bittet Sie, einen Termin zu vereinbaren.",
      prescription: "Ihr Rezept ist ausgestellt."
    }
  },
  en: {
    next: "Continue",
    step: "Step {n} of {of}",
    lines: "Several answers: one on each line, please.",
    check: "Please check your answers",
    answers: "Your answers",
    words: { yes: "Yes", no: "No", choose: "Please choose", change: "Change", none: "no answer", back: "Back" },
    faults: { required: "Please answer this question.", invalid: "This answer does not fit here. Please check it." },
    notices: {
      check: "Please check the marked questions. Everything else has been saved.",
      more: "Your answers lead to further questions.",
      rejected: "This file contains malware and was deleted.",
      kind: "We cannot accept this file. Whole PDF, JPEG and PNG files are possible.",
      tooLarge: "This file is too large. Up to 10 MB are possible.",
      tooMany: "More than ten files are not possible.",
      tooManyOpen: "Ten of your requests have not been answered yet. Please wait for an answer, or call your practice.",
      impossible: "This is not possible online at the moment. Please contact your practice."
    },
    files: {
      add: "Add file",
      remove: "Remove {name}",
      help: "PDF, JPEG or PNG of at most 10 MB. The place where a picture was taken and its other metadata are removed."
    },
    ended: {
      title: "Please begin again to go on",
      text: "Nothing was sent for a while. What you have entered is kept for a day and will be there again when you begin again. Nothing was sent to the practice."
    },
    entry: {
      again: "Change answers",
      send: "Continue to the times",
      refused: "You cannot book this appointment online",
      refusedText: "By your answers this is not the right appointment. Please contact your practice.",
      led: "The right appointment for you: {type}"
    },
    intake: {
      help: "You can change your answers until the appointment starts.",
      done: "Thank you, your answers are saved",
      title: "To fill in before your appointment",
      blocks: "You can join the appointment as soon as you have filled this in: {forms}",
      send: "Send answers",
      reminder: "Please still fill in"
    },
    states: { missing: "still missing", complete: "filled in", scanning: "is being checked", rejected: "rejected" },
    requests: {
      title: "Ask your practice",
      choose: "What is it about?",
      nothing: "Your practice takes no requests here at the moment.",
      send: "Send request",
      sentText: "We will send you a link as soon as the answer is there.",
      instead: "Ask in writing, without an appointment"
    },
    request: {
      title: "Your request",
      open: "Your practice has received your request. You can read the answer here; we will send you a link as soon as it is there.",
      answered: "Your practice's answer",
      done: "Your request is done.",
      refused: "Your practice cannot fulfil this request.",
      appointment: "Your practice asks you to make an appointment.",
      prescription: "Your prescription has been issued."
    }
  },
  tr: {
    next: "Devam",
    step: "Adım {n}/{of}",
    lines: "Birden fazla yanıt: lütfen her satıra bir tane yazın.",
    check: "Lütfen yanıtlarınızı kontrol edin",
    answers: "Yanıtlarınız",
    words: { yes: "Evet", no: "Hayır", choose: "Lütfen seçin", change: "Değiştir", none: "yanıt yok", back: "Geri" },
    faults: { required: "Lütfen bu soruyu yanıtlayın.", invalid: "Bu yanıt buraya uymuyor. Lütfen kontrol edin." },
    notices: {
      check: "Lütfen işaretli soruları kontrol edin. Diğer her şey kaydedildi.",
      more: "Yanıtlarınıza göre başka sorular var.",
      rejected: "Bu dosya zararlı yazılım içeriyordu ve silindi.",
      kind: "Bu dosyayı kabul edemiyoruz. Eksiksiz PDF, JPEG ve PNG dosyaları mümkündür.",
      tooLarge: "Bu dosya çok büyük. En fazla 10 MB olabilir.",
      tooMany: "Ondan fazla dosya mümkün değildir.",
      tooManyOpen: "Taleplerinizden onu henüz yanıtlanmadı. Lütfen bir yanıt bekleyin veya muayenehanenizi arayın.",
      impossible: "Bu şu anda çevrimiçi mümkün değil. Lütfen muayenehanenize başvurun."
    },
    files: {
      add: "Dosya ekle",
      remove: "{name} dosyasını kaldır",
      help: "En fazla 10 MB boyutunda PDF, JPEG veya PNG. Fotoğrafın çekildiği yer ve diğer meta veriler silinir."
    },
    ended: {
      title: "Devam etmek için lütfen yeniden başlayın",
      text: "Bir süredir hiçbir şey göndermediniz. Yazdıklarınız bir gün saklanır ve yeniden başladığınızda yine görünür. Muayenehaneye hiçbir şey gönderilmedi."
    },
    entry: {
      again: "Yanıtları değiştir",
      send: "Randevulara devam",
      refused: "Bu randevuyu çevrimiçi alamazsınız",
      refusedText: "Yanıtlarınıza göre bu doğru randevu değil. Lütfen muayenehanenize başvurun.",
      led: "Size uygun randevu: {type}"
    },
    intake: {
      help: "Yanıtlarınızı randevu başlayana kadar değiştirebilirsiniz.",
      done: "Teşekkürler, yanıtlarınız kaydedildi",
      title: "Randevunuzdan önce doldurun",
      blocks: "Bunu doldurduğunuzda randevuya katılabilirsiniz: {forms}",
      send: "Yanıtları gönder",
      reminder: "Lütfen doldurun"
    },
    states: { missing: "henüz eksik", complete: "dolduruldu", scanning: "kontrol ediliyor", rejected: "reddedildi" },
    requests: {
      title: "Muayenehanenize talep",
      choose: "Konu nedir?",
      nothing: "Muayenehaneniz şu anda burada talep kabul etmiyor.",
      send: "Talebi gönder",
      sentText: "Yanıt gelince size bir bağlantı göndereceğiz.",
      instead: "Randevusuz, yazılı olarak sor"
    },
    request: {
      title: "Talebiniz",
      open: "Muayenehaneniz talebinizi aldı. Yanıtı burada okuyabilirsiniz; yanıt geldiğinde size bir bağlantı göndereceğiz.",
      answered: "Muayenehanenizin yanıtı",
      done: "Talebiniz tamamlandı.",
      refused: "Muayenehaneniz bu talebi yerine getiremiyor.",
      appointment: "Muayenehaneniz sizden randevu almanızı rica ediyor.",
      prescription: "Reçeteniz düzenlendi."
    }
  },
  ar: {
    next: "متابعة",
    step: "الخطوة {n} من {of}",
    lines: "عدة إجابات: يرجى كتابة واحدة في كل سطر.",
    check: "يرجى مراجعة إجاباتكم",
    answers: "إجاباتكم",
    words: { yes: "نعم", no: "لا", choose: "يرجى الاختيار", change: "تغيير", none: "لا توجد إجابة", back: "رجوع" },
    faults: { required: "يرجى الإجابة عن هذا السؤال.", invalid: "هذه الإجابة غير مناسبة هنا. يرجى مراجعتها." },
    notices: {
      check: "يرجى مراجعة الأسئلة المحددة. حُفظ كل ما عداها.",
      more: "هناك أسئلة أخرى بناءً على إجاباتكم.",
      rejected: "كان هذا الملف يحتوي على برنامج ضار وتم حذفه.",
      kind: "لا يمكننا قبول هذا الملف. الملفات الممكنة هي PDF وJPEG وPNG كاملة.",
      tooLarge: "هذا الملف كبير جدًا. الحد الأقصى 10 ميغابايت.",
      tooMany: "لا يمكن إضافة أكثر من عشرة ملفات.",
      tooManyOpen: "لم تتم الإجابة بعد عن عشرة من طلباتكم. يرجى انتظار الرد أو الاتصال بعيادتكم.",
      impossible: "هذا غير ممكن عبر الإنترنت حاليًا. يرجى التواصل مع عيادتكم."
    },
    files: {
      add: "إضافة ملف",
      remove: "إزالة {name}",
      help: "ملف PDF أو JPEG أو PNG بحجم 10 ميغابايت كحد أقصى. يُحذف مكان التقاط الصورة وسائر بياناتها الوصفية."
    },
    ended: {
      title: "للمتابعة يرجى البدء من جديد",
      text: "لم يُرسل شيء منذ مدة. ما أدخلتموه محفوظ لمدة يوم وسيظهر مجددًا عندما تبدؤون من جديد. لم يُرسل شيء إلى العيادة."
    },
    entry: {
      again: "تغيير الإجابات",
      send: "المتابعة إلى المواعيد",
      refused: "لا يمكنكم حجز هذا الموعد عبر الإنترنت",
      refusedText: "بناءً على إجاباتكم، هذا ليس الموعد المناسب. يرجى التواصل مع عيادتكم.",
      led: "الموعد المناسب لكم: {type}"
    },
    intake: {
      help: "يمكنكم تغيير إجاباتكم حتى بداية الموعد.",
      done: "شكرًا، تم حفظ إجاباتكم",
      title: "يرجى التعبئة قبل موعدكم",
      blocks: "يمكنكم حضور الموعد بعد تعبئة ما يلي: {forms}",
      send: "إرسال الإجابات",
      reminder: "يرجى تعبئة"
    },
    states: { missing: "لم يُعبّأ بعد", complete: "تمت التعبئة", scanning: "قيد الفحص", rejected: "مرفوض" },
    requests: {
      title: "طلب إلى عيادتكم",
      choose: "ما موضوع الطلب؟",
      nothing: "لا تستقبل عيادتكم طلبات هنا في الوقت الحالي.",
      send: "إرسال الطلب",
      sentText: "سنرسل إليكم رابطًا فور وصول الإجابة.",
      instead: "طلب كتابي من دون موعد"
    },
    request: {
      title: "طلبكم",
      open: "تسلّمت عيادتكم طلبكم. يمكنكم قراءة الإجابة هنا، وسنرسل إليكم رابطًا فور وصولها.",
      answered: "إجابة عيادتكم",
      done: "تم إنجاز طلبكم.",
      refused: "لا تستطيع عيادتكم تلبية هذا الطلب.",
      appointment: "ترجو منكم عيادتكم حجز موعد.",
      prescription: "صدرت وصفتكم الطبية."
    }
  },
  uk: {
    next: "Далі",
    step: "Крок {n} з {of}",
    lines: "Кілька відповідей: по одній у рядку.",
    check: "Будь ласка, перевірте свої відповіді",
    answers: "Ваші відповіді",
    words: {
      yes: "Так",
      no: "Ні",
      choose: "Будь ласка, оберіть",
      change: "Змінити",
      none: "немає відповіді",
      back: "Назад"
    },
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
      tooManyOpen:
        "На десять ваших запитів ще немає відповіді. Будь ласка, зачекайте на відповідь або зателефонуйте до клініки.",
      impossible: "Зараз це неможливо онлайн. Будь ласка, зверніться до своєї клініки."
    },
    files: {
      add: "Додати файл",
      remove: "Видалити {name}",
      help: "PDF, JPEG або PNG до 10 МБ. Місце зйомки та інші метадані зображень видаляються."
    },
    ended: {
      title: "Щоб продовжити, почніть знову",
      text: "Протягом певного часу нічого не надсилалося. Те, що ви ввели, зберігається один день і знову з’явиться, коли ви почнете знову. Клініці нічого не надіслано."
    },
    entry: {
      again: "Змінити відповіді",
      send: "Далі до вільного часу",
      refused: "Цей прийом не можна записати онлайн",
      refusedText: "За вашими відповідями цей прийом вам не підходить. Будь ласка, зверніться до своєї клініки.",
      led: "Вам підходить: {type}"
    },
    intake: {
      help: "Ви можете змінювати відповіді до початку прийому.",
      done: "Дякуємо, ваші відповіді збережено",
      title: "Заповніть перед прийомом",
      blocks: "Ви зможете приєднатися до прийому, щойно заповните: {forms}",
      send: "Надіслати відповіді",
      reminder: "Будь ласка, заповніть"
    },
    states: { missing: "ще не заповнено", complete: "заповнено", scanning: "перевіряється", rejected: "відхилено" },
    requests: {
      title: "Запит до вашої клініки",
      choose: "Про що йдеться?",
      nothing: "Ваша клініка наразі не приймає тут запитів.",
      send: "Надіслати запит",
      sentText: "Ми надішлемо вам посилання, щойно з’явиться відповідь.",
      instead: "Запитати письмово, без прийому"
    },
    request: {
      title: "Ваш запит",
      open: "Ваша клініка отримала ваш запит. Відповідь ви прочитаєте тут; ми надішлемо посилання, щойно вона з’явиться.",
      answered: "Відповідь вашої клініки",
      done: "Ваш запит виконано.",
      refused: "Ваша клініка не може виконати цей запит.",
      appointment: "Ваша клініка просить вас записатися на прийом.",
      prescription: "Ваш рецепт виписано."
    }
  },
  ru: {
    next: "Далее",
    step: "Шаг {n} из {of}",
    lines: "Несколько ответов: по одному в строке.",
    check: "Пожалуйста, проверьте свои ответы",
    answers: "Ваши ответы",
    words: {
      yes: "Да",
      no: "Нет",
      choose: "Пожалуйста, выберите",
      change: "Изменить",
      none: "нет ответа",
      back: "Назад"
    },
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
      tooManyOpen: "На десять ваших запросов ещё нет ответа. Пожалуйста, дождитесь ответа или позвоните в практику.",
      impossible: "Сейчас это невозможно онлайн. Пожалуйста, обратитесь в свою практику."
    },
    files: {
      add: "Добавить файл",
      remove: "Удалить {name}",
      help: "PDF, JPEG или PNG до 10 МБ. Место съёмки и другие метаданные изображений удаляются."
    },
    ended: {
      title: "Чтобы продолжить, начните заново",
      text: "Некоторое время ничего не отправлялось. То, что вы ввели, хранится один день и снова появится, когда вы начнёте заново. В практику ничего не отправлено."
    },
    entry: {
      again: "Изменить ответы",
      send: "Далее к свободному времени",
      refused: "На этот приём нельзя записаться онлайн",
      refusedText: "По вашим ответам этот приём вам не подходит. Пожалуйста, обратитесь в свою практику.",
      led: "Вам подходит: {type}"
    },
    intake: {
      help: "Вы можете менять ответы до начала приёма.",
      done: "Спасибо, ваши ответы сохранены",
      title: "Заполните перед приёмом",
      blocks: "Вы сможете присоединиться к приёму, как только заполните: {forms}",
      send: "Отправить ответы",
      reminder: "Пожалуйста, заполните"
    },
    states: { missing: "ещё не заполнено", complete: "заполнено", scanning: "проверяется", rejected: "отклонён" },
    requests: {
      title: "Запрос в вашу практику",
      choose: "О чём идёт речь?",
      nothing: "Ваша практика сейчас не принимает здесь запросы.",
      send: "Отправить запрос",
      sentText: "Мы пришлём вам ссылку, как только появится ответ.",
      instead: "Спросить письменно, без приёма"
    },
    request: {
      title: "Ваш запрос",
      open: "Ваша практика получила ваш запрос. Ответ вы прочитаете здесь; мы пришлём ссылку, как только он появится.",
      answered: "Ответ вашей практики",
      done: "Ваш запрос выполнен.",
      refused: "Ваша практика не может выполнить этот запрос.",
      appointment: "Ваша практика просит вас записаться на приём.",
      prescription: "Ваш рецепт выписан."
    }
  }
})
