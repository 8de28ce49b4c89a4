import type { Texts } from "../../../texts/de.ts"
import type { CoreNotices } from "../../../texts/notices.ts"

export const ar: Texts = {
  page: {
    language: "اللغة",
    call: "اتصلوا بالعيادة:",
    write: "راسلوا العيادة:",
    skip: "إلى المحتوى",
    imprint: "بيانات الناشر",
    privacyNotice: "حماية البيانات",
    privacy: "بلا ملفات تعريف ارتباط، بلا تتبّع، بلا مشاركة مع أطراف ثالثة.",
    notFound: {
      title: "لم يعد هذا الرابط صالحًا",
      booking: "حرصًا على أمانكم تعمل روابط الحجز 30 دقيقة فقط. إذا حجزتم من قبل فموعدكم قائم.",
      appointment: "انتهت صلاحية رابط موعدكم، أو العنوان غير كامل.",
      meeting: "انتهت صلاحية رابط مكالمة الفيديو، أو العنوان غير كامل.",
      help: "يرجى فتح الرابط مرة أخرى، مثلًا من موقع عيادتكم أو من بريدكم الإلكتروني."
    },
    unknown: {
      title: "هذه الصفحة غير موجودة",
      text: "العنوان غير كامل أو غير صحيح. يرجى فتح الرابط الذي وصلكم من عيادتكم."
    },
    welcome: {
      title: "Sprechstunde",
      text: "هنا تحجزون المواعيد وتديرونها وتتحدثون مع عيادتكم بالفيديو. لذلك يرجى فتح الرابط الذي وصلكم من عيادتكم.",
      developers: "واجهة المطوّرين"
    },
    failedTitle: "لم ينجح ذلك",
    toAppointment: "إلى الموعد",
    tryAgain: "المحاولة مرة أخرى",
    failedText: "الخطأ من جانبنا. يرجى المحاولة مرة أخرى بعد قليل. ما أدخلتموه محفوظ.",
    tooManyTitle: "لحظة من فضلكم",
    tooManyText: "وصلت طلبات كثيرة جدًا من شبكتكم. يرجى الانتظار بضع ثوانٍ ثم المحاولة مرة أخرى.",
    attention: "تنبيه",
    unreachable: "لا يوجد اتصال. ما أدخلتموه محفوظ. يرجى المحاولة مرة أخرى عند عودة الإنترنت."
  },
  booking: {
    speaks: "اللغات: {languages}",
    title: { booking: "حجز موعد", rebooking: "تغيير الموعد" },
    steps: { label: "الخطوات", time: "الوقت", details: "البيانات", done: "تم" },
    headings: {
      booking: { choose: "متى يناسبكم؟", details: "بقيت خطوة واحدة", done: "تم حجز موعدكم" },
      rebooking: {
        choose: "متى يناسبكم بدلًا من ذلك؟",
        details: "تأكيد الوقت الجديد",
        done: "تم تغيير موعدكم"
      }
    },
    nextAvailable: "أقرب موعد متاح",
    take: "اختيار هذا الوقت",
    formats: { DIGITAL: "استشارة بالفيديو", IN_PERSON: "موعد في العيادة" },
    currentTime: "موعدكم الحالي",
    originalStands: "يبقى موعدكم الحالي قائمًا.",
    currentStays: "يبقى قائمًا حتى تؤكدوا الوقت الجديد.",
    doctor: "الطبيب أو الطبيبة",
    anyDoctor: "الكل",
    zone: "المنطقة الزمنية",
    apply: "عرض",
    deviceZone: "جهازكم مضبوط على منطقة زمنية أخرى. عرض الأوقات بتوقيت:",
    days: "أيام فيها أوقات متاحة",
    moreTimes: {
      zero: "لا أوقات أخرى",
      one: "وقت آخر",
      two: "وقتان آخران",
      few: "{n} أوقات أخرى",
      many: "{n} وقتًا آخر",
      other: "{n} وقت آخر"
    },
    part: "وقت اليوم",
    whichParts: "في أي وقت من اليوم؟",
    parts: { any: "طوال اليوم", morning: "قبل الظهر", afternoon: "بعد الظهر", evening: "المساء" },
    earlier: "أيام سابقة",
    later: "أيام لاحقة",
    today: "اليوم",
    tomorrow: "غدًا",
    seatsLeft: {
      zero: "لا مقاعد",
      one: "مقعد واحد متبقٍّ",
      two: "مقعدان متبقيان",
      few: "{n} مقاعد متبقية",
      many: "{n} مقعدًا متبقيًا",
      other: "{n} مقعد متبقٍّ"
    },
    freeTimes: {
      zero: "لا أوقات متاحة",
      one: "وقت متاح واحد",
      two: "وقتان متاحان",
      few: "{n} أوقات متاحة",
      many: "{n} وقتًا متاحًا",
      other: "{n} وقت متاح"
    },
    noneFree: "لا توجد مواعيد متاحة حاليًا",
    noneFiltered: "لا توجد مواعيد متاحة بهذا الاختيار.",
    allTimes: "عرض كل المواعيد",
    noneFreeHelp: "كثيرًا ما تتوفّر مواعيد في وقت قصير. يرجى المراجعة لاحقًا.",
    notices: {
      taken: "حُجز هذا الموعد للتو. يرجى اختيار موعد آخر.",
      superseded: "لم يعد هذا الحجز المؤقت قائمًا. يرجى اختيار وقت من جديد.",
      ruleBlocked: "لم يعد هذا الوقت معروضًا. يرجى اختيار وقت آخر.",
      notMovable: "لم يعد من الممكن تغيير موعدكم الحالي. يرجى التواصل مع عيادتكم.",
      tooMany: "لديكم بالفعل أكبر عدد من المواعيد تسمح به العيادة. يرجى التواصل مع عيادتكم."
    },
    typedKept: "ما كتبتموه محفوظ.",
    heldFor: "محجوز لكم مؤقتًا، بقي {countdown} دقيقة",
    heldAlmostOver: "ينتهي حجزكم المؤقت خلال أقل من دقيقة.",
    heldOver: "انتهى الحجز المؤقت. ما زال بإمكانكم التأكيد ما دام الموعد متاحًا.",
    reserved: "محجوز لكم مؤقتًا: {day}، {time}، مع {doctor}، بقي {countdown}.",
    continueWith: "المتابعة بهذا الوقت",
    for: "باسم {name}",
    overlap: "لديكم موعد آخر في هذا الوقت: {day}، {time}، مع {doctor}. يمكنكم الحجز رغم ذلك.",
    overlapMove: "تغيير ذلك الموعد",
    charactersLeft: "الأحرف المتبقية: {n}",
    typedBefore: "نصّكم (للنسخ)",
    typeGone: {
      title: "لم يعد هذا النوع من المواعيد متاحًا",
      help: "يرجى سؤال عيادتكم عن الموعد المناسب بدلًا منه."
    },
    reasonLabel: "ما سبب الزيارة؟ (اختياري)",
    reasonHelp: "لا يقرأ هذا إلا الطبيب المعالج وموظفو العيادة.",
    reasonInMessages: "ويظهر أيضًا في رسائل التذكير.",
    confirm: { booking: "تأكيد حجز الموعد", rebooking: "تغيير الموعد" },
    otherTime: "اختيار وقت آخر",
    replaces: "بدلًا من موعدكم في",
    doneText: {
      booking: "نتطلع إلى لقائكم.",
      rebooking: "تم تأكيد موعدكم الجديد، وهو بدل الموعد السابق."
    },
    doneVideo: "تفتح غرفة الانتظار قبل الموعد بعشر دقائق.",
    calendar: "إضافة إلى التقويم",
    returnTo: "المتابعة إلى {host}",
    mailSent: "نرسل التأكيد إلى {address}.",
    startAgain: "البدء من جديد",
    manage: {
      help: "يمكنكم هنا في أي وقت عرض موعدكم أو تغييره أو إلغاؤه.",
      helpCancel: "يمكنكم هنا في أي وقت عرض موعدكم أو إلغاؤه.",
      rebook: "تغيير الموعد",
      cancel: "إلغاء الموعد",
      calendar: "عرض الموعد أو تغييره أو إلغاؤه: {url}"
    },
    with: "مع {doctor}",
    zoneLine: "الأوقات بتوقيت {zone}",
    changeZone: "تغيير",
    about: "المزيد عن هذا الموعد",
    whatNext: "الخطوات التالية",
    holiday: "{day}: {name}، لا مواعيد",
    missing: {
      title: "يرجى إكمال البيانات",
      text: "تعذّر علينا استخدام هذه البيانات.",
      gender: "الجنس",
      genders: { unsaid: "دون تحديد", female: "أنثى", male: "ذكر", divers: "غير ذلك" },
      street: "الشارع ورقم المنزل",
      zip: "الرمز البريدي",
      city: "المدينة",
      country: "البلد"
    }
  },
  appointment: {
    movedOrCancelled: "تم تغيير هذا الموعد أو إلغاؤه",
    onSiteTitle: "موعد في العيادة",
    onSiteText: "يرجى الحضور إلى العيادة قبل الموعد ببضع دقائق.",
    movedHere: "تم تغيير موعدكم. هذا هو الموعد الجديد.",
    changed: "تغيّر موعدكم في هذه الأثناء. لم يحدث شيء آخر: يرجى التحقق من الموعد الجديد.",
    consentsSaved: "حُفظت موافقاتكم.",
    map: "العرض على الخريطة",
    preparation: "التحضير",
    place: "المكان",
    cancellationRule: "الإلغاء",
    price: "التكلفة",
    calendars: "إضافة إلى التقويم:",
    calendarFile: "Apple وغيره (ملف)",
    lateTitle: "سأتأخر",
    lateLabel: "كم دقيقة؟",
    lateMinutes: "{n} دقيقة",
    late: "إبلاغ العيادة",
    doctorLate: "نأسف، يتأخر {name} نحو {n} دقيقة. موعدكم قائم.",
    lateSaid: "شكرًا. أبلغنا العيادة أنكم ستتأخرون نحو {n} دقيقة.",
    again: "طلب رابط الحجز بالبريد الإلكتروني",
    againSent: "أرسلنا إليكم رابطًا تحجزون به موعدًا جديدًا. وهو صالح لمدة 30 دقيقة. يُرجى مراجعة بريدكم الإلكتروني.",
    title: "موعدكم",
    joinTitle: "الدخول إلى مكالمة الفيديو",
    joinOpen: "غرفة الانتظار مفتوحة. في الخطوة التالية تختبرون الكاميرا والميكروفون.",
    joinEarlyTitle: "غرفة الانتظار ليست مفتوحة بعد",
    joinEarly: "تفتح غرفة الانتظار قبل الموعد بعشر دقائق.",
    joinEarlyHelp: "تتحدّث هذه الصفحة من تلقاء نفسها، ويمكنكم تركها مفتوحة.",
    over: "انتهى هذا الموعد",
    join: "دخول غرفة الانتظار",
    opensToday: "تفتح في الساعة {time}، {wait}.",
    opensOn: "تفتح يوم {day} في الساعة {time}، {wait}.",
    opensIn: "خلال {countdown} دقيقة",
    cancelTitle: "إلغاء الموعد",
    cancelText: "يصبح الموعد متاحًا لغيركم.",
    cancelReason: "السبب (اختياري)",
    cancel: "إلغاء الموعد",
    cancelled: "تم إلغاء موعدكم",
    cancelledText: "لن يتم هذا الموعد.",
    cancelBlocked: "لم يعد من الممكن إلغاء هذا الموعد هنا.",
    rebookTitle: "تغيير الموعد",
    rebookText: "في الخطوة التالية تختارون وقتًا جديدًا. وحتى ذلك الحين يبقى هذا الموعد قائمًا.",
    rebook: "اختيار وقت جديد",
    rebookBlocked: "لم يعد من الممكن تغيير هذا الموعد هنا.",
    noLonger: "لم يعد هذا ممكنًا. الوضع الحالي مبيّن أدناه.",
    callPractice: "يرجى التواصل مع عيادتكم.",
    questions: "إذا كانت لديكم أسئلة فيرجى التواصل مع عيادتكم.",
    further: "يحضر أيضًا"
  },
  person: {
    firstName: "الاسم الأول",
    lastName: "اسم العائلة",
    email: "البريد الإلكتروني",
    phone: "الهاتف (اختياري)",
    birthDate: "تاريخ الميلاد",
    invalid: "يرجى التحقق من الحقول المحددة.",
    faults: {
      name: "يرجى كتابة اسم هنا.",
      email: "يرجى كتابة عنوان بريد كامل، مثل name@example.org.",
      phone: "يرجى التحقق من رقم الهاتف.",
      date_of_birth: "يرجى كتابة تاريخ الميلاد، فبه تعرف العيادة من سيأتي."
    }
  },
  consent: {
    title: "الموافقات",
    optional: "اختياري",
    help: "يمكنكم سحب موافقتكم في أي وقت عبر الرابط الموجود في رسائلنا.",
    missing: "يرجى الموافقة أولًا: من دون هذه الموافقة لا تستطيع العيادة قبول الموعد.",
    given: {
      data_processing: "وافقتم يوم {day} على معالجة بياناتكم الصحية.",
      video: "وافقتم يوم {day} على الاستشارة بالفيديو."
    },
    withdraw: "سحب الموافقة",
    agree: "موافقة"
  },
  messages: {
    greeting: "تحية طيبة {name}،",
    when: "الوقت",
    previously: "سابقًا",
    withDoctor: "مع",
    nowWith: "{time}، الآن مع {doctor}",
    movedByPractice: "نأسف، تعذّر أن يتم الموعد كما كان مقرراً، ونعتذر منكم.",
    what: "نوع الموعد",
    where: "المكان",
    video: "عبر الإنترنت بالفيديو",
    onSite: "في العيادة",
    reason: "سبب الزيارة",
    join: "إلى الموعد",
    rebook: "تغيير الموعد",
    cancel: "إلغاء الموعد",
    preparation: "التحضير",
    manage: "عرض الموعد أو تغييره أو إلغاؤه",
    joinHint: "تفتح غرفة الانتظار قبل الموعد بعشر دقائق.",
    again: {
      greeting: "تحية طيبة،",
      subject: "موعد جديد لدى {organisation}",
      opening: "بهذا الرابط تحجزون موعدًا جديدًا.",
      label: "حجز موعد جديد",
      hint: "وهو صالح لمدة 30 دقيقة. إذا لم تطلبوه فلا حاجة إلى فعل شيء."
    },
    closing: "مع أطيب التحيات\n{organisation}",
    calendarTitle: "موعد: {counterpart}",
    time: "{time}",
    zone: "بتوقيت {city}",
    elsewhere: "{time} بتوقيت {city}",
    cancelReason: "سبب الإلغاء",
    bookAgain: "حجز موعد جديد"
  },
  zones: {
    "Europe/Berlin": "برلين",
    "Europe/Vienna": "فيينا",
    "Europe/Zurich": "زيورخ",
    "Europe/London": "لندن",
    "Europe/Lisbon": "لشبونة",
    "Europe/Madrid": "مدريد",
    "Europe/Paris": "باريس",
    "Europe/Rome": "روما",
    "Europe/Warsaw": "وارسو",
    "Europe/Athens": "أثينا",
    "Europe/Istanbul": "إسطنبول",
    "Europe/Kyiv": "كييف",
    "Europe/Moscow": "موسكو",
    "Atlantic/Canary": "جزر الكناري",
    "Africa/Cairo": "القاهرة",
    "Africa/Casablanca": "الدار البيضاء",
    "Africa/Johannesburg": "جوهانسبرغ",
    "Africa/Lagos": "لاغوس",
    "America/New_York": "نيويورك",
    "America/Chicago": "شيكاغو",
    "America/Denver": "دنفر",
    "America/Los_Angeles": "لوس أنجلوس",
    "America/Mexico_City": "مكسيكو سيتي",
    "America/Sao_Paulo": "ساو باولو",
    "Asia/Baghdad": "بغداد",
    "Asia/Damascus": "دمشق",
    "Asia/Dubai": "دبي",
    "Asia/Kolkata": "كولكاتا",
    "Asia/Bangkok": "بانكوك",
    "Asia/Riyadh": "الرياض",
    "Asia/Shanghai": "شنغهاي",
    "Asia/Singapore": "سنغافورة",
    "Asia/Tokyo": "طوكيو",
    "Australia/Sydney": "سيدني",
    "Pacific/Auckland": "أوكلاند",
    UTC: "UTC"
  },
  widget: { title: "حجز موعد", fallback: "الحجز في صفحة مستقلة" }
}

export const arNotices: CoreNotices = {
  reminder: {
    subject: "تذكير: موعد {when}",
    opening: "نذكّركم بموعدكم مع {counterpart}.",
    sms: "تذكير: موعدكم مع {counterpart} يوم {when}."
  },
  confirmation: {
    subject: "تأكيد الموعد: {when}",
    opening: "تم تأكيد موعدكم مع {counterpart}.",
    sms: "تم تأكيد موعدكم مع {counterpart} يوم {when}."
  },
  cancellation: {
    subject: "أُلغي الموعد: {when}",
    opening: "أُلغي موعدكم مع {counterpart}.",
    sms: "أُلغي موعدكم مع {counterpart} يوم {when}."
  },
  rebooking: {
    subject: "تغيّر الموعد إلى {when}",
    opening: "تغيّر موعدكم مع {before} من {from} إلى {to}.",
    sms: "تغيّر موعدكم مع {before} إلى {to}."
  },
  times_offered: {
    subject: "يرجى اختيار موعد آخر بدلاً من {when}",
    opening: "نأسف، لا يمكن أن يتم موعدكم مع {counterpart} كما كان مقرراً. يرجى اختيار موعد آخر أو إلغاء الموعد.",
    sms: "نأسف، لا يمكن أن يتم موعدكم مع {counterpart} يوم {when}. يرجى اختيار موعد آخر."
  },
  doctor_late: {
    subject: "يبدأ موعدكم متأخراً نحو {minutes} دقيقة",
    opening:
      "نأسف، يبدأ موعدكم مع {counterpart} يوم {when} متأخراً نحو {minutes} دقيقة. لا يلزمكم فعل أي شيء، فالموعد قائم.",
    sms: "يبدأ موعدكم مع {counterpart} يوم {when} متأخراً نحو {minutes} دقيقة."
  }
}
