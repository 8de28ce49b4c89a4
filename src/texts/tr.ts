import type { Texts } from "./de.ts"

export const tr: Texts = {
  page: {
    language: "Dil",
    skip: "İçeriğe geç",
    imprint: "Künye",
    privacyNotice: "Gizlilik",
    privacy: "Çerez yok, izleme yok, üçüncü taraf yok.",
    notFound: {
      title: "Bu bağlantı artık geçerli değil",
      booking:
        "Güvenliğiniz için bir randevu bağlantısı yalnızca kısa bir süre geçerlidir. Onaylanmış bir randevu bundan etkilenmez.",
      appointment: "Randevunuzun bağlantısının süresi doldu veya adres eksik.",
      meeting: "Görüntülü görüşmenizin bağlantısının süresi doldu veya adres eksik.",
      help: "Lütfen bağlantıyı, size ulaştığı yerden yeniden açın."
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
    failedText: "Hata bizde. Lütfen biraz sonra yeniden deneyin.",
    tooManyTitle: "Bir dakika lütfen",
    tooManyText: "Bağlantınızdan çok fazla istek geldi. Lütfen birkaç saniye sonra yeniden deneyin.",
    scriptNeeded: "Görüntülü görüşme için tarayıcınızda JavaScript açık olmalıdır.",
    attention: "Dikkat",
    unreachable: "Bağlantı yok. Hiçbir şey kaybolmadı: İnternete yeniden bağlanınca lütfen bir kez daha basın."
  },
  booking: {
    speaks: "konuştuğu diller: {languages}",
    title: { booking: "Randevu al", rebooking: "Randevuyu ertele" },
    steps: { label: "İlerleme", time: "Saat", details: "Bilgiler", done: "Tamam" },
    headings: {
      booking: { choose: "Size ne zaman uyar?", details: "Bir adım daha", done: "Randevunuz alındı" },
      rebooking: {
        choose: "Hangi yeni saat size uyar?",
        details: "Yeni saati onaylayın",
        done: "Randevunuzun saati değişti"
      }
    },
    nextAvailable: "İlk boş randevu",
    take: "Bu saati al",
    formats: { DIGITAL: "Görüntülü görüşme", IN_PERSON: "Muayenehanede randevu" },
    currentTime: "Şimdiki randevunuz",
    originalStands: "Şimdiki randevunuz geçerli kalır.",
    currentStays: "Siz yeni saati onaylayana kadar geçerli kalır.",
    doctor: "Doktor",
    anyDoctor: "Hepsi",
    zone: "Saat dilimi",
    apply: "Göster",
    deviceZone: "Cihazınız başka bir saat diliminde. Saatleri şuna göre göster:",
    days: "Boş saati olan günler",
    free: { one: "1 boş", other: "{n} boş" },
    moreTimes: { one: "1 saat daha", other: "{n} saat daha" },
    part: "Günün bölümü",
    parts: { any: "Bütün gün", morning: "Öğleden önce", afternoon: "Öğleden sonra", evening: "Akşam" },
    earlier: "Önceki günler",
    later: "Sonraki günler",
    today: "Bugün",
    tomorrow: "Yarın",
    seatsLeft: { one: "1 yer kaldı", other: "{n} yer kaldı" },
    freeTimes: { one: "1 boş saat", other: "{n} boş saat" },
    noneFree: "Şu anda boş saat yok",
    noneFreeHelp: "Randevular sık sık kısa sürede yeniden boşalır. Daha sonra yine bakın.",
    notices: {
      taken: "Bu saati az önce başka biri aldı. Lütfen başka bir saat seçin.",
      superseded: "Bu ayırma artık geçerli değil. Lütfen yeniden bir saat seçin.",
      ruleBlocked: "Bu saat artık sunulmuyor. Lütfen başka bir saat seçin.",
      notMovable: "Şimdiki randevunuz artık ertelenemez. Lütfen muayenehanenize başvurun.",
      tooMany: "Muayenehanenin izin verdiği kadar randevunuz zaten var. Lütfen muayenehanenize başvurun."
    },
    typedKept: "Yazdıklarınız kaybolmadı.",
    heldFor: "Sizin için ayrıldı, kalan süre: {countdown}",
    heldAlmostOver: "Ayırma süreniz bir dakikadan kısa sürede doluyor.",
    heldOver: "Ayırma süresi doldu. Başka biri bu saati almadıkça yine de onaylayabilirsiniz.",
    reserved: "Sizin için ayrıldı: {day}, {time}, {doctor} ile, kalan süre {countdown}.",
    continueWith: "Bu saatle devam et",
    for: "{name} için",
    overlap: "Bu saatte zaten bir randevunuz var: {day}, {time}, {doctor} ile. Yine de randevu alabilirsiniz.",
    overlapMove: "O randevuyu ertele",
    charactersLeft: "{n} karakter kaldı",
    typedBefore: "Daha önce yazdığınız",
    typeGone: {
      title: "Bu randevu türü artık sunulmuyor",
      help: "Lütfen muayenehanenize başvurun: Bunun yerine hangisinin uygun olduğunu size söyler."
    },
    reasonLabel: "Konu nedir? (isteğe bağlı)",
    reasonHelp: "Bunu yalnızca doktorunuz ve muayenehane çalışanları okur. Hatırlatmalarda yer alabilir.",
    confirm: { booking: "Randevuyu kesinleştir", rebooking: "Randevuyu ertele" },
    otherTime: "Başka bir saat seç",
    replaces: "Şu randevunuzun yerine geçer:",
    doneText: {
      booking: "Görüşmek üzere.",
      rebooking: "Yeni saat geçerli, önceki saat yeniden boş."
    },
    doneVideo: "Bekleme odası başlangıçtan 10 dakika önce açılır.",
    calendar: "Takvime ekle",
    returnTo: "{host} sitesine devam et",
    mailSent: "Onay e-postası {address} adresine gönderilir.",
    manage: {
      help: "Bu sayfa, bitene kadar randevunuzu gösterir. Onu buradan erteleyebilir veya iptal edebilirsiniz.",
      rebook: "Randevuyu ertele",
      cancel: "Randevuyu iptal et",
      calendar: "Görüntüle, ertele veya iptal et: {url}"
    },
    with: "{doctor} ile"
  },
  appointment: {
    onSiteTitle: "Muayenehanede randevu",
    onSiteText: "Lütfen başlangıçtan birkaç dakika önce muayenehaneye gelin.",
    movedHere: "Randevunuz ertelendi. Yeni randevunuz budur.",
    preparation: "Hazırlık",
    place: "Yer",
    cancellationRule: "İptal",
    price: "Ücret",
    deviceTest: "Kamerayı, mikrofonu ve bağlantıyı şimdi dene",
    calendars: "Takvime ekle:",
    calendarFile: "Apple ve diğerleri (dosya)",
    lateTitle: "Gecikiyorum",
    lateLabel: "Ne kadar?",
    lateMinutes: "{n} dakika",
    late: "Muayenehaneye haber ver",
    lateSaid: "Muayenehane yaklaşık {n} dakika geç geleceğinizi biliyor.",
    again: "Randevu bağlantısını e-postayla iste",
    againSent:
      "Yeni randevu alabileceğiniz bir bağlantıyı size gönderdik. Bağlantı 30 dakika geçerlidir. Lütfen e-posta kutunuza bakın.",
    title: "Randevunuz",
    joinTitle: "Görüntülü görüşmeye katıl",
    joinOpen: "Bekleme odası açık. Kamera ve mikrofonu bir sonraki adımda denersiniz.",
    joinEarlyTitle: "Bekleme odası henüz açık değil",
    joinEarly: "Bekleme odası başlangıçtan 10 dakika önce açılır.",
    joinEarlyHelp: "Bu sayfayı açık bırakabilirsiniz.",
    over: "Bu randevu sona erdi.",
    join: "Bekleme odasına gir",
    opensToday: "Saat {time}, yani {wait} açılır.",
    opensOn: "{day} günü saat {time}, yani {wait} açılır.",
    opensIn: "{countdown} dakika içinde",
    cancelTitle: "Randevuyu iptal et",
    cancelText: "Saat, ona ihtiyacı olan biri için boşalır.",
    cancelReason: "Neden (isteğe bağlı)",
    cancel: "Randevuyu iptal et",
    cancelled: "Randevunuz iptal edildi",
    cancelledText: "Randevu yapılmayacak. Muayenehaneniz size yeni bir randevu verebilir.",
    cancelBlocked: "Bu randevu artık buradan iptal edilemez.",
    rebookTitle: "Randevuyu ertele",
    rebookText: "Yeni saati bir sonraki adımda seçersiniz. O zamana kadar bu randevu geçerli kalır.",
    rebook: "Yeni saat seç",
    rebookBlocked: "Bu randevu artık buradan ertelenemez.",
    noLonger: "Bu şimdi mümkün değil. Güncel durum aşağıda.",
    callPractice: "Lütfen muayenehanenize başvurun."
  },
  waitlist: {
    title: "Bir randevu boşaldı",
    facts: {
      when: "Ne zaman",
      what: "Randevu",
      doctor: "Doktor",
      until: "Sizin için ayrıldığı süre",
      first: "Ayrılmadı: ilk kabul eden alır. Son yanıt zamanı",
      replaces: "Şu randevunuzun yerine"
    },
    accept: "Bu zamanı kabul et",
    decline: "Hayır, teşekkürler",
    leave: "Bekleme listesinden çık",
    goOn: "Boş randevuları bildirmeye devam et",
    accepted: {
      title: "Randevunuz alındı",
      text: "{type}, {doctor}, {when}."
    },
    declined: {
      title: "Yanıtınız için teşekkürler",
      text: "Bekleme listesindeki yeriniz korunuyor. Başka bir zaman boşalınca size haber veririz."
    },
    lapsed: {
      title: "Bu teklifin süresi doldu",
      text: "Randevu boş olduğu sürece yine de kabul edebilirsiniz."
    },
    lost: {
      title: "Bu zaman artık dolu",
      text: "Başka biri biraz daha hızlıydı. Bekleme listesindeki yeriniz korunuyor; başka bir zaman boşalınca size haber veririz."
    },
    left: {
      title: "Artık bekleme listesinde değilsiniz",
      text: "Randevularınız olduğu gibi kalır."
    },
    paused: "Üç teklife yanıt vermediniz, bu yüzden şimdilik yeni teklif göndermiyoruz."
  },
  recall: {
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
  publicBooking: {
    title: "Randevu al",
    nothing: "Şu anda burada randevu sunulmuyor. Lütfen muayenehaneye başvurun.",
    what: "Nasıl bir randevu?",
    how: "Görüntülü mü, muayenehanede mi?",
    who: "Bilgileriniz",
    firstName: "Ad",
    lastName: "Soyadı",
    email: "E-posta",
    phone: "Telefon (isteğe bağlı)",
    birthDate: "Doğum tarihi",
    relative: "Randevu bir çocuk veya başka biri için",
    relativeHelp: "O zaman buraya kimin geleceğini yazın. Mesajlar sizin adresinize gelir.",
    codeNext: "Size e-postayla bir kod göndeririz. Ardından bir saat seçersiniz.",
    next: "Devam",
    codeTitle: "E-postadaki kodu girin",
    codeText: "Size altı rakamlı bir kod gönderdik. 15 dakika geçerlidir. Lütfen istenmeyen postalara da bakın.",
    code: "Kod",
    toTimes: "Saatlere devam et",
    startAgain: "Bilgileri değiştir",
    problems: {
      invalid: "Lütfen bilgilerinizi denetleyin: adlar, e-posta adresi, telefon numarası ve doğum tarihi.",
      tooMany: "Çok fazla kod istendi. Lütfen bir saat sonra yeniden deneyin veya muayenehaneyi arayın.",
      typeGone: "Bu randevu türü artık sunulmuyor. Lütfen başka bir tür seçin.",
      noMail: "Bu adrese e-posta gönderilemedi. Lütfen adresi denetleyin.",
      wrongCode: "Kod doğru değil. Lütfen bir daha bakın.",
      birthDate: "Lütfen doğum tarihini girin. Muayenehane kimin geleceğini bundan anlar.",
      codeGone: "Bu kod artık geçerli değil. Lütfen baştan başlayın."
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
  meeting: {
    title: "Görüntülü görüşme",
    testTitle: "Kamerayı, mikrofonu ve bağlantıyı deneyin",
    testText: "Sizi böyle görecek ve duyacaklar. Şimdi sizi kimse görmüyor ve duymuyor.",
    testConnection: {
      checking: "Bağlantı denetleniyor …",
      good: "Görüntülü görüşme için bağlantı çalışıyor.",
      none: "Bu ağdan görüntülü görüşme yapılamıyor. Başka bir Wi-Fi veya mobil ağ deneyin."
    },
    testBack: "Randevuya dön",
    notifyMe: "Sıra bana gelince bildir",
    yourTurn: "Sıra sizde.",
    devices: "Kamera ve mikrofon seç",
    shareScreen: "Ekranı paylaş",
    endSharing: "Paylaşmayı bitir",
    stepOut: "Kısaca çık",
    stepOutAsk: "Hasta siz dönene kadar bekler.",
    stepOutYes: "Şimdi çık",
    stay: "Kal",
    audioOnly: "Bağlantı zayıf. Ses kesilmesin diye görüntünüz gönderilmiyor.",
    pictureAgain: "Görüntüyü yeniden gönder",
    quality: { good: "Bağlantı iyi", fair: "Bağlantı orta", poor: "Bağlantı kötü" },
    waitExpected: "Tahminen yaklaşık {n} dakika daha.",
    checkTitle: "Kamera ve mikrofonu deneyin",
    checkText: "Birazdan sizi böyle görecekler. Siz girmeden önce kimse sizi görmez.",
    checkAnyway: "Böyle de girebilir, izleyebilir ve dinleyebilirsiniz. O zaman kimse sizi görmez ve duymaz.",
    tryAgain: "Yeniden dene",
    camera: "Kamera",
    microphone: "Mikrofon",
    level: "Mikrofonun ses düzeyi",
    testSound: "Deneme sesi çal",
    ownPicture: "Görüntünüz",
    ownCameraOff: "Görünmüyorsunuz",
    otherPicture: "Görüntü: {name}",
    enter: "Bekleme odasına gir",
    enterDoctor: "Muayene odasını aç",
    groupName: "Bu gruptaki adınız (isteğe bağlı)",
    groupHint:
      "Diğer hastalar sizi görmez ve adınızı öğrenmez. Ad yazmazsanız doktor “Participant” ve bir numara görür.",
    askAccess: "Tarayıcınız birazdan kamera ve mikrofonun kullanılıp kullanılamayacağını soracak.",
    mediaProblems: {
      denied:
        "Tarayıcınızın kamera ve mikrofonu kullanmasına izin yok. Bu sayfanın adresinin yanındaki simgeden ikisine de izin verin ve yeniden deneyin.",
      missing: "Ne kamera ne de mikrofon bağlı.",
      inUse: "Kamerayı veya mikrofonu başka bir program kullanıyor. Onu kapatın ve yeniden deneyin.",
      unsupported: "Bu tarayıcıyla görüntülü görüşme yapılamıyor. Lütfen güncel bir tarayıcı kullanın."
    },
    waitTitle: "Bekleme odasındasınız",
    waitNext: "Sıradaki sizsiniz.",
    waitPosition: "Önünüzde bekleyen: {n}.",
    waitDoctorAbsent: "Muayene odasında henüz kimse yok.",
    waitDoctorBusy: "Başka bir görüşme hâlâ sürüyor.",
    waitDoctorThere: "{name} burada olduğunuzu biliyor ve sizi birazdan içeri alacak.",
    waitKeepOpen: "Bu sayfayı açık bırakın. Başka bir şey yapmanız gerekmiyor.",
    doctorTitle: "Muayene odanız",
    doctorEmpty: "Şu anda bekleyen yok.",
    waitingList: "Bekleme odasında",
    waitingSince: "{n} dk. önce geldi",
    late: "{name} yaklaşık {n} dakika geç gelecek.",
    waitingJustNow: "az önce geldi",
    admit: "İçeri al",
    end: "İkisi için de bitir",
    mute: "Mikrofonu kapat",
    unmute: "Mikrofonu aç",
    cameraOff: "Kamerayı kapat",
    cameraOn: "Kamerayı aç",
    leave: "Ayrıl",
    connecting: "Bağlanıyor …",
    reconnecting: "Bağlantı kesildi. Kendiliğinden yeniden kuruluyor …",
    fill: "Alanı doldur",
    fit: "Bütün görüntü",
    fullScreen: "Tam ekran",
    otherCameraOff: "{name} kamerasını kapattı",
    otherMuted: "Mikrofon kapalı",
    otherGone: "{name} şu anda yok. Görüşme kendiliğinden devam edecek.",
    endings: {
      left: "Görüşmeden ayrıldınız",
      dismissed: "Görüşme sona erdi",
      replaced: "Görüşme başka bir pencerede açık.",
      refused: "Bu bağlantı artık geçerli değil. Lütfen onu, size ulaştığı yerden yeniden açın."
    },
    comeBack: "Yeniden gir",
    back: "Geri"
  },
  messages: {
    greeting: "Merhaba {name},",
    subject: {
      reminder: "Hatırlatma: randevu {when}",
      confirmation: "Randevu onayı: {when}",
      cancellation: "Randevu iptal edildi: {when}",
      rebooking: "Randevunun yeni zamanı: {when}"
    },
    opening: {
      reminder: "{counterpart} ile randevunuzu hatırlatırız.",
      confirmation: "{counterpart} ile randevunuz onaylandı.",
      cancellation: "{counterpart} ile randevunuz iptal edildi."
    },
    moved: "{counterpart} ile randevunuzun zamanı değişti; eski: {from}, yeni: {to}.",
    when: "Ne zaman",
    previously: "Önceki",
    what: "Randevu türü",
    where: "Nerede",
    video: "Görüntülü görüşme",
    onSite: "Muayenehanede",
    reason: "Randevu nedeni",
    join: "Görüşmeye katıl",
    rebook: "Randevuyu ertele",
    cancel: "Randevuyu iptal et",
    preparation: "Hazırlık",
    manage: "Görüntüle, ertele veya iptal et",
    joinHint: "Oda başlangıçtan 10 dakika önce açılır.",
    code: {
      greeting: "Merhaba,",
      subject: "{organisation} için kodunuz: {code}",
      opening: "bu kodla e-posta adresinizi onaylarsınız. Ardından bir saat seçersiniz.",
      label: "Kod",
      hint: "15 dakika geçerlidir. Randevu almak istemediyseniz lütfen hiçbir şey yapmayın."
    },
    waitlist: {
      subject: "Bir randevu boşaldı: {when}",
      opening: "beklediğiniz bir zaman boşaldı.",
      paused: {
        subject: "Hâlâ bekleme listesindesiniz: devam edelim mi?",
        opening:
          "son üç teklifimize yanıt vermediniz, bu yüzden şimdilik yeni teklif göndermiyoruz. Tek tıklamayla devam edebilirsiniz.",
        sms: "Bekleme listesi tekliflerine ara verdik. Devam etmek için: {url}"
      },
      sms: "Bir randevu boşaldı: {when}. Son yanıt {until}: {url}"
    },
    series: {
      subject: "{count} randevunuz",
      opening: "{doctor} ile {count} randevunuz onaylandı.",
      one: "Randevu {number} / {count}"
    },
    recall: {
      subject: "Bir sonraki randevunuzun zamanı geldi",
      opening: "bir sonraki randevunuzu alma zamanı geldi.",
      note: "Muayenehanenizin notu",
      book: "Randevu seç",
      stop: "Bir daha hatırlatma",
      sms: "Bir sonraki randevunuzun zamanı geldi: {url}"
    },
    again: {
      greeting: "Merhaba,",
      subject: "{organisation}: yeni randevu",
      opening: "bu bağlantıyla yeni bir randevu alırsınız.",
      label: "Yeni randevu al",
      hint: "30 dakika geçerlidir. Bunu siz istemediyseniz lütfen hiçbir şey yapmayın."
    },
    closing: "Saygılarımızla\n{organisation}",
    sms: {
      reminder: "Hatırlatma: {counterpart} ile randevunuz: {when}.",
      confirmation: "{counterpart} ile randevunuz onaylandı: {when}.",
      cancellation: "{counterpart} ile randevunuz iptal edildi: {when}.",
      rebooking: "{counterpart} ile randevunuzun yeni zamanı: {when}."
    },
    calendarTitle: "Randevu: {counterpart}",
    time: "{time}",
    elsewhere: "{city}: {time}"
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
