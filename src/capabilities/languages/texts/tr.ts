import type { Texts } from "../../../texts/de.ts"
import type { CoreNotices } from "../../../texts/notices.ts"

export const tr: Texts = {
  page: {
    language: "Dil",
    call: "Muayenehaneyi arayın:",
    write: "Muayenehaneye e-posta:",
    skip: "İçeriğe geç",
    imprint: "Künye",
    privacyNotice: "Gizlilik",
    privacy: "Çerez yok, izleme yok, üçüncü taraflarla paylaşım yok.",
    notFound: {
      title: "Bu bağlantı artık geçerli değil",
      booking:
        "Güvenliğiniz için randevu bağlantıları yalnızca 30 dakika geçerlidir. Randevu aldıysanız randevunuz geçerlidir.",
      appointment: "Randevunuzun bağlantısının süresi doldu veya adres eksik.",
      meeting: "Görüntülü görüşmenizin bağlantısının süresi doldu veya adres eksik.",
      help: "Lütfen bağlantıyı yeniden açın, örneğin muayenehanenizin sitesinden veya e-postanızdan."
    },
    unknown: {
      title: "Böyle bir sayfa yok",
      text: "Adres eksik veya yanlış. Lütfen muayenehanenizden aldığınız bağlantıyı açın."
    },
    welcome: {
      title: "Sprechstunde",
      text: "Burada randevu alır, randevularınızı yönetir ve muayenehanenizle görüntülü görüşürsünüz. Bunun için muayenehanenizden aldığınız bağlantıyı açın.",
      developers: "Geliştiriciler için arayüz"
    },
    failedTitle: "Bir sorun oluştu",
    toAppointment: "Randevuya git",
    tryAgain: "Yeniden dene",
    failedText: "Hata bizde. Lütfen biraz sonra yeniden deneyin.",
    tooManyTitle: "Bir dakika lütfen",
    tooManyText: "Bağlantınızdan çok fazla istek geldi. Lütfen birkaç saniye sonra yeniden deneyin.",
    attention: "Dikkat",
    unreachable: "Bağlantı yok. Hiçbir şey kaybolmadı: İnternete yeniden bağlanınca lütfen bir kez daha basın."
  },
  booking: {
    speaks: "konuştuğu diller: {languages}",
    title: { booking: "Randevu al", rebooking: "Randevuyu değiştir" },
    steps: { label: "İlerleme", time: "Saat", details: "Bilgiler", done: "Tamam" },
    headings: {
      booking: { choose: "Size ne zaman uyar?", details: "Bir adım daha", done: "Randevunuz alındı" },
      rebooking: {
        choose: "Bunun yerine ne zaman uygun?",
        details: "Yeni saati onaylayın",
        done: "Randevunuzun saati değişti"
      }
    },
    nextAvailable: "İlk boş randevu",
    take: "Bu saati seç",
    formats: { DIGITAL: "Görüntülü görüşme", IN_PERSON: "Muayenehanede randevu" },
    currentTime: "Şimdiki randevunuz",
    originalStands: "Şimdiki randevunuz geçerli kalır.",
    currentStays: "Yenisini onaylayana kadar geçerli kalır.",
    doctor: "Doktor",
    anyDoctor: "Hepsi",
    zone: "Saat dilimi",
    apply: "Göster",
    deviceZone: "Cihazınız başka bir saat diliminde. Saatleri şuna göre göster:",
    days: "Boş saati olan günler",
    moreTimes: { one: "1 saat daha", other: "{n} saat daha" },
    part: "Günün bölümü",
    whichParts: "Günün hangi saatleri?",
    parts: { any: "Bütün gün", morning: "Öğleden önce", afternoon: "Öğleden sonra", evening: "Akşam" },
    earlier: "Önceki günler",
    later: "Sonraki günler",
    today: "Bugün",
    tomorrow: "Yarın",
    seatsLeft: { one: "1 yer kaldı", other: "{n} yer kaldı" },
    freeTimes: { one: "1 boş saat", other: "{n} boş saat" },
    noneFree: "Şu anda boş randevu yok",
    noneFiltered: "Bu seçimde boş randevu yok.",
    allTimes: "Tüm randevuları göster",
    noneFreeHelp: "Randevular sık sık kısa sürede yeniden boşalır. Daha sonra yine bakın.",
    notices: {
      taken: "Bu randevu az önce doldu. Lütfen başka bir saat seçin.",
      superseded: "Bu ayırma artık geçerli değil. Lütfen yeniden bir saat seçin.",
      ruleBlocked: "Bu saat artık sunulmuyor. Lütfen başka bir saat seçin.",
      notMovable: "Şimdiki randevunuz artık değiştirilemez. Lütfen muayenehanenize başvurun.",
      tooMany: "Muayenehanenin izin verdiği kadar randevunuz zaten var. Lütfen muayenehanenize başvurun."
    },
    typedKept: "Yazdıklarınız korunuyor.",
    heldFor: "Sizin için {countdown} dakika daha ayrıldı",
    heldAlmostOver: "Ayırma süreniz bir dakikadan kısa sürede doluyor.",
    heldOver: "Ayırma süresi doldu. Randevu boş olduğu sürece yine de onaylayabilirsiniz.",
    reserved: "Sizin için ayrıldı: {day}, {time}, {doctor} ile, kalan süre {countdown}.",
    continueWith: "Bu saatle devam et",
    for: "{name} için",
    overlap: "Bu saatte zaten bir randevunuz var: {day}, {time}, {doctor} ile. Yine de randevu alabilirsiniz.",
    overlapMove: "O randevuyu değiştir",
    charactersLeft: "{n} karakter kaldı",
    typedBefore: "Metniniz (kopyalamak için)",
    typeGone: {
      title: "Bu randevu türü artık sunulmuyor",
      help: "Lütfen bunun yerine hangi randevunun uygun olduğunu muayenehanenize sorun."
    },
    reasonLabel: "Konu nedir? (isteğe bağlı)",
    reasonHelp: "Bunu yalnızca doktorunuz ve muayenehane çalışanları okur.",
    reasonInMessages: "Hatırlatmalarınızda da yer alır.",
    confirm: { booking: "Randevuyu kesinleştir", rebooking: "Randevuyu değiştir" },
    otherTime: "Başka bir saat seç",
    replaces: "Şu randevunuzun yerine geçer:",
    doneText: {
      booking: "Görüşmek üzere.",
      rebooking: "Yeni randevunuz onaylandı. Önceki randevunun yerine geçer."
    },
    doneVideo: "Bekleme odası başlangıçtan 10 dakika önce açılır.",
    calendar: "Takvime ekle",
    returnTo: "{host} sitesine devam et",
    mailSent: "Onayı {address} adresine gönderiyoruz.",
    startAgain: "Yeniden başla",
    manage: {
      help: "Randevunuzu istediğiniz zaman buradan görüntüleyebilir, değiştirebilir veya iptal edebilirsiniz.",
      helpCancel: "Randevunuzu istediğiniz zaman buradan görüntüleyebilir veya iptal edebilirsiniz.",
      rebook: "Randevuyu değiştir",
      cancel: "Randevuyu iptal et",
      calendar: "Görüntüle, değiştir veya iptal et: {url}"
    },
    with: "{doctor} ile",
    zoneLine: "Saatler: {zone}",
    changeZone: "değiştir",
    about: "Bu randevu hakkında",
    whatNext: "Bundan sonra",
    holiday: "{day}: {name}, randevu yok",
    missing: {
      title: "Lütfen tamamlayın",
      text: "Bu bilgileri kullanamadık.",
      gender: "Cinsiyet",
      genders: { unsaid: "belirtmek istemiyorum", female: "kadın", male: "erkek", divers: "diğer" },
      street: "Sokak ve numara",
      zip: "Posta kodu",
      city: "Şehir",
      country: "Ülke"
    }
  },
  appointment: {
    movedOrCancelled: "Bu randevu başka bir zamana alındı veya iptal edildi",
    onSiteTitle: "Muayenehanede randevu",
    onSiteText: "Lütfen başlangıçtan birkaç dakika önce muayenehaneye gelin.",
    movedHere: "Randevunuz değiştirildi. Yeni randevunuz budur.",
    changed: "Randevunuz bu arada değiştirildi. Başka bir işlem yapılmadı: lütfen yeni randevuyu kontrol edin.",
    consentsSaved: "Onaylarınız kaydedildi.",
    map: "Haritada göster",
    preparation: "Hazırlık",
    place: "Yer",
    cancellationRule: "İptal",
    price: "Ücret",
    calendars: "Takvime ekle:",
    calendarFile: "Apple ve diğerleri (dosya)",
    lateTitle: "Gecikiyorum",
    lateLabel: "Kaç dakika?",
    lateMinutes: "{n} dakika",
    late: "Muayenehaneye haber ver",
    doctorLate: "{name} maalesef yaklaşık {n} dakika gecikiyor. Randevunuz geçerli.",
    lateSaid: "Teşekkürler. Yaklaşık {n} dakika geç geleceğinizi muayenehaneye bildirdik.",
    again: "Randevu bağlantısını e-postayla iste",
    againSent:
      "Yeni randevu alabileceğiniz bir bağlantıyı size gönderdik. Bağlantı 30 dakika geçerlidir. Lütfen e-posta kutunuza bakın.",
    title: "Randevunuz",
    joinTitle: "Görüntülü görüşmeye katıl",
    joinOpen: "Bekleme odası açık. Kamera ve mikrofonu bir sonraki adımda denersiniz.",
    joinEarlyTitle: "Bekleme odası henüz açık değil",
    joinEarly: "Bekleme odası başlangıçtan 10 dakika önce açılır.",
    joinEarlyHelp: "Bu sayfa kendiliğinden yenilenir; açık bırakabilirsiniz.",
    over: "Bu randevu sona erdi",
    join: "Bekleme odasına gir",
    opensToday: "Saat {time}, yani {wait} açılır.",
    opensOn: "{day} günü saat {time}, yani {wait} açılır.",
    opensIn: "{countdown} dakika içinde",
    cancelTitle: "Randevuyu iptal et",
    cancelText: "Randevu başkaları için boşalır.",
    cancelReason: "Neden (isteğe bağlı)",
    cancel: "Randevuyu iptal et",
    cancelled: "Randevunuz iptal edildi",
    cancelledText: "Randevu yapılmayacak.",
    cancelBlocked: "Bu randevu artık buradan iptal edilemez.",
    rebookTitle: "Randevuyu değiştir",
    rebookText: "Yeni saati bir sonraki adımda seçersiniz. O zamana kadar bu randevu geçerli kalır.",
    rebook: "Yeni saat seç",
    rebookBlocked: "Bu randevu artık buradan değiştirilemez.",
    noLonger: "Bu artık mümkün değil. Güncel durumu aşağıda görebilirsiniz.",
    callPractice: "Lütfen muayenehanenize başvurun.",
    questions: "Sorularınız için lütfen muayenehanenize başvurun.",
    further: "Ayrıca katılanlar"
  },
  person: {
    firstName: "Ad",
    lastName: "Soyadı",
    email: "E-posta",
    phone: "Telefon (isteğe bağlı)",
    birthDate: "Doğum tarihi",
    invalid: "Lütfen işaretli alanları kontrol edin.",
    faults: {
      name: "Lütfen buraya bir ad yazın.",
      email: "Lütfen tam bir e-posta adresi yazın, örneğin ad@example.org.",
      phone: "Lütfen telefon numarasını kontrol edin.",
      date_of_birth: "Lütfen doğum tarihini yazın. Muayenehane kimin geleceğini bundan anlar."
    }
  },
  consent: {
    title: "Onaylar",
    optional: "isteğe bağlı",
    help: "Onayınızı e-postalarımızdaki bağlantıyla istediğiniz zaman geri alabilirsiniz.",
    missing: "Lütfen önce onay verin: Bu onay olmadan muayenehane randevuyu kabul edemez.",
    given: {
      data_processing: "{day} tarihinde sağlık verilerinizin işlenmesine onay verdiniz.",
      video: "{day} tarihinde görüntülü görüşmeye onay verdiniz."
    },
    withdraw: "Onayı geri al",
    agree: "Onay ver"
  },
  messages: {
    greeting: "Merhaba {name},",
    when: "Ne zaman",
    previously: "Önceki",
    withDoctor: "Doktor",
    nowWith: "{time}, artık {doctor} ile",
    movedByPractice: "Randevunuz maalesef planlandığı gibi gerçekleşemedi; özür dileriz.",
    what: "Randevu türü",
    where: "Nerede",
    video: "Çevrim içi, görüntülü",
    onSite: "Muayenehanede",
    reason: "Randevu nedeni",
    join: "Randevuya git",
    rebook: "Randevuyu değiştir",
    cancel: "Randevuyu iptal et",
    preparation: "Hazırlık",
    manage: "Görüntüle, değiştir veya iptal et",
    joinHint: "Bekleme odası başlangıçtan 10 dakika önce açılır.",
    again: {
      greeting: "Merhaba,",
      subject: "{organisation}: yeni randevu",
      opening: "Bu bağlantıyla yeni bir randevu alırsınız.",
      label: "Yeni randevu al",
      hint: "30 dakika geçerlidir. Bunu siz istemediyseniz bu e-postayı yok sayabilirsiniz."
    },
    closing: "Saygılarımızla\n{organisation}",
    calendarTitle: "Randevu: {counterpart}",
    time: "{time}",
    zone: "{city} saati",
    elsewhere: "{city}: {time}",
    cancelReason: "İptal nedeni",
    bookAgain: "Yeni randevu al"
  },
  zones: {
    "Europe/Berlin": "Berlin",
    "Europe/Vienna": "Viyana",
    "Europe/Zurich": "Zürih",
    "Europe/London": "Londra",
    "Europe/Lisbon": "Lizbon",
    "Europe/Madrid": "Madrid",
    "Europe/Paris": "Paris",
    "Europe/Rome": "Roma",
    "Europe/Warsaw": "Varşova",
    "Europe/Athens": "Atina",
    "Europe/Istanbul": "İstanbul",
    "Europe/Kyiv": "Kiev",
    "Europe/Moscow": "Moskova",
    "Atlantic/Canary": "Kanarya Adaları",
    "Africa/Cairo": "Kahire",
    "Africa/Casablanca": "Kazablanka",
    "Africa/Johannesburg": "Johannesburg",
    "Africa/Lagos": "Lagos",
    "America/New_York": "New York",
    "America/Chicago": "Chicago",
    "America/Denver": "Denver",
    "America/Los_Angeles": "Los Angeles",
    "America/Mexico_City": "Mexico City",
    "America/Sao_Paulo": "Sao Paulo",
    "Asia/Baghdad": "Bağdat",
    "Asia/Damascus": "Şam",
    "Asia/Dubai": "Dubai",
    "Asia/Kolkata": "Kalküta",
    "Asia/Bangkok": "Bangkok",
    "Asia/Riyadh": "Riyad",
    "Asia/Shanghai": "Şanghay",
    "Asia/Singapore": "Singapur",
    "Asia/Tokyo": "Tokyo",
    "Australia/Sydney": "Sidney",
    "Pacific/Auckland": "Auckland",
    UTC: "UTC"
  },
  widget: { title: "Randevu al", fallback: "Randevuyu ayrı bir sayfada al" }
}

export const trNotices: CoreNotices = {
  reminder: {
    subject: "Hatırlatma: randevu {when}",
    opening: "{counterpart} ile randevunuzu hatırlatırız.",
    sms: "Hatırlatma: {counterpart} ile randevunuz: {when}."
  },
  confirmation: {
    subject: "Randevu onayı: {when}",
    opening: "{counterpart} ile randevunuz onaylandı.",
    sms: "{counterpart} ile randevunuz onaylandı: {when}."
  },
  cancellation: {
    subject: "Randevu iptal edildi: {when}",
    opening: "{counterpart} ile randevunuz iptal edildi.",
    sms: "{counterpart} ile randevunuz iptal edildi: {when}."
  },
  rebooking: {
    subject: "Randevunun yeni zamanı: {when}",
    opening: "{before} ile randevunuzun zamanı değişti; eski: {from}, yeni: {to}.",
    sms: "{before} ile randevunuzun yeni zamanı: {to}."
  },
  times_offered: {
    subject: "Lütfen başka bir randevu seçin ({when} yerine)",
    opening:
      "{counterpart} ile randevunuz maalesef planlandığı gibi gerçekleşemiyor. Lütfen başka bir randevu seçin ya da randevuyu iptal edin.",
    sms: "{counterpart} ile randevunuz ({when}) maalesef gerçekleşemiyor. Lütfen başka bir randevu seçin."
  },
  doctor_late: {
    subject: "Randevunuz yaklaşık {minutes} dakika geç başlıyor",
    opening:
      "{counterpart} ile randevunuz ({when}) maalesef yaklaşık {minutes} dakika geç başlıyor. Bir şey yapmanız gerekmez: Randevunuz geçerli.",
    sms: "{counterpart} ile randevunuz ({when}) yaklaşık {minutes} dakika geç başlıyor."
  }
}
