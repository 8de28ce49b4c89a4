import type { Shape } from "./shape.ts"

export const de = {
  page: {
    language: "Sprache",
    skip: "Zum Inhalt springen",
    imprint: "Impressum",
    privacyNotice: "Datenschutz",
    privacy: "Ohne Cookies, ohne Tracking, ohne Dritte.",
    notFound: {
      title: "Dieser Link gilt nicht mehr",
      booking:
        "Aus Sicherheitsgründen gilt ein Buchungslink nur für kurze Zeit. Ein bereits bestätigter Termin bleibt davon unberührt.",
      appointment: "Der Link zu Ihrem Termin ist abgelaufen, oder die Adresse ist unvollständig.",
      meeting: "Der Link in die Sprechstunde ist abgelaufen, oder die Adresse ist unvollständig.",
      help: "Bitte öffnen Sie den Link noch einmal dort, wo Sie ihn erhalten haben."
    },
    unknown: {
      title: "Diese Seite gibt es nicht",
      text: "Die Adresse ist unvollständig oder falsch. Bitte öffnen Sie den Link, den Sie von Ihrer Praxis erhalten haben."
    },
    welcome: {
      title: "Sprechstunde",
      text: "Hier buchen Sie Termine, verwalten sie und sprechen per Video mit Ihrer Praxis. Öffnen Sie dafür den Link, den Sie von Ihrer Praxis erhalten haben.",
      developers: "Schnittstelle für Entwicklerinnen und Entwickler"
    },
    failedTitle: "Das hat gerade nicht geklappt",
    failedText: "Der Fehler liegt bei uns. Bitte versuchen Sie es in einem Augenblick noch einmal.",
    tooManyTitle: "Einen Augenblick bitte",
    tooManyText:
      "Von Ihrem Anschluss kamen gerade sehr viele Anfragen. Bitte versuchen Sie es in einigen Sekunden noch einmal.",
    scriptNeeded: "Für das Videogespräch muss JavaScript in Ihrem Browser eingeschaltet sein.",
    attention: "Achtung",
    unreachable:
      "Keine Verbindung. Nichts ist verloren: Drücken Sie bitte noch einmal, sobald Sie wieder mit dem Internet verbunden sind."
  },
  booking: {
    speaks: "spricht {languages}",
    title: { booking: "Termin buchen", rebooking: "Termin verschieben" },
    steps: { label: "Fortschritt", time: "Zeit", details: "Angaben", done: "Fertig" },
    headings: {
      booking: { choose: "Wann passt es Ihnen?", details: "Noch ein Schritt", done: "Ihr Termin steht" },
      rebooking: {
        choose: "Welche neue Zeit passt Ihnen?",
        details: "Neue Zeit bestätigen",
        done: "Ihr Termin ist verschoben"
      }
    },
    nextAvailable: "Nächster freier Termin",
    take: "Diese Zeit nehmen",
    formats: { DIGITAL: "Videosprechstunde", IN_PERSON: "Termin in der Praxis" },
    currentTime: "Ihr bisheriger Termin",
    originalStands: "Ihr bisheriger Termin bleibt bestehen.",
    currentStays: "Er bleibt bestehen, bis Sie die neue Zeit bestätigen.",
    doctor: "Ärztin oder Arzt",
    anyDoctor: "Alle",
    zone: "Zeitzone",
    apply: "Anzeigen",
    deviceZone: "Ihr Gerät steht auf einer anderen Zeitzone. Zeiten anzeigen in:",
    days: "Tage mit freien Zeiten",
    free: { one: "1 frei", other: "{n} frei" },
    moreTimes: { one: "Noch 1 Zeit", other: "Noch {n} Zeiten" },
    part: "Tageszeit",
    parts: { any: "Ganzer Tag", morning: "Vormittag", afternoon: "Nachmittag", evening: "Abend" },
    earlier: "Frühere Tage",
    later: "Spätere Tage",
    today: "Heute",
    tomorrow: "Morgen",
    seatsLeft: { one: "noch 1 Platz", other: "noch {n} Plätze" },
    freeTimes: { one: "1 freie Zeit", other: "{n} freie Zeiten" },
    noneFree: "Zurzeit ist keine Zeit frei",
    noneFreeHelp: "Oft werden Termine kurzfristig wieder frei. Schauen Sie gern später noch einmal herein.",
    notices: {
      taken: "Diese Zeit hat gerade jemand anders genommen. Bitte wählen Sie eine andere.",
      superseded: "Diese Reservierung gilt nicht mehr. Bitte wählen Sie noch einmal eine Zeit.",
      ruleBlocked: "Diese Zeit wird nicht mehr angeboten. Bitte wählen Sie eine andere.",
      notMovable: "Ihr bisheriger Termin lässt sich nicht mehr verschieben. Bitte wenden Sie sich an Ihre Praxis.",
      tooMany: "Sie haben bereits so viele Termine, wie die Praxis zulässt. Bitte wenden Sie sich an Ihre Praxis."
    },
    typedKept: "Was Sie geschrieben haben, ist nicht verloren.",
    heldFor: "Für Sie reserviert, noch {countdown}",
    heldAlmostOver: "Ihre Reservierung läuft in weniger als einer Minute ab.",
    heldOver:
      "Die Reservierung ist abgelaufen. Sie können trotzdem bestätigen, solange niemand anders die Zeit genommen hat.",
    reserved: "Für Sie reserviert: {day}, {time}, mit {doctor}, noch {countdown}.",
    continueWith: "Weiter mit dieser Zeit",
    for: "für {name}",
    overlap: "Sie haben zu dieser Zeit schon einen Termin: {day}, {time}, mit {doctor}. Sie können trotzdem buchen.",
    overlapMove: "Diesen Termin verschieben",
    charactersLeft: "Noch {n} Zeichen",
    typedBefore: "Das hatten Sie geschrieben",
    typeGone: {
      title: "Diese Terminart wird nicht mehr angeboten",
      help: "Bitte wenden Sie sich an Ihre Praxis: Sie sagt Ihnen, welcher Termin stattdessen passt."
    },
    reasonLabel: "Worum geht es? (freiwillig)",
    reasonHelp: "Nur Ihre Ärztin oder Ihr Arzt und die Praxisverwaltung lesen das. Es kann in Erinnerungen stehen.",
    confirm: { booking: "Termin verbindlich buchen", rebooking: "Termin verschieben" },
    otherTime: "Andere Zeit wählen",
    replaces: "Ersetzt Ihren Termin am",
    doneText: { booking: "Wir freuen uns auf Sie.", rebooking: "Die neue Zeit gilt, die bisherige ist wieder frei." },
    doneVideo: "Das Wartezimmer öffnet 10 Minuten vor Beginn.",
    calendar: "In den Kalender",
    returnTo: "Weiter zu {host}",
    mailSent: "Eine Bestätigung geht per E-Mail an {address}.",
    manage: {
      help: "Diese Seite zeigt Ihren Termin, bis er vorbei ist. Hier können Sie ihn auch verschieben oder absagen.",
      rebook: "Termin verschieben",
      cancel: "Termin absagen",
      calendar: "Ansehen, verschieben oder absagen: {url}"
    },
    with: "mit {doctor}"
  },
  appointment: {
    onSiteTitle: "Termin in der Praxis",
    onSiteText: "Kommen Sie bitte einige Minuten vor Beginn in die Praxis.",
    movedHere: "Ihr Termin wurde verschoben. Dies ist der neue.",
    preparation: "Vorbereitung",
    place: "Ort",
    cancellationRule: "Absagen",
    price: "Kosten",
    deviceTest: "Kamera, Mikrofon und Verbindung jetzt testen",
    calendars: "In den Kalender:",
    calendarFile: "Apple und andere (Datei)",
    lateTitle: "Ich verspäte mich",
    lateLabel: "Um wie viel?",
    lateMinutes: "{n} Minuten",
    late: "Der Praxis Bescheid geben",
    lateSaid: "Die Praxis weiß, dass Sie etwa {n} Minuten später kommen.",
    again: "Terminlink per E-Mail anfordern",
    againSent:
      "Wir haben Ihnen einen Link geschickt, mit dem Sie einen neuen Termin buchen. Er gilt 30 Minuten. Bitte sehen Sie in Ihr E-Mail-Postfach.",
    title: "Ihr Termin",
    joinTitle: "Zum Videogespräch",
    joinOpen: "Das Wartezimmer ist offen. Kamera und Mikrofon prüfen Sie im nächsten Schritt.",
    joinEarlyTitle: "Das Wartezimmer ist noch nicht offen",
    joinEarly: "Das Wartezimmer öffnet 10 Minuten vor Beginn.",
    joinEarlyHelp: "Sie können diese Seite offen lassen.",
    over: "Dieser Termin ist vorbei.",
    join: "Wartezimmer betreten",
    opensToday: "Es öffnet um {time} Uhr, {wait}.",
    opensOn: "Es öffnet am {day}, um {time} Uhr, {wait}.",
    opensIn: "in {countdown} Minuten",
    cancelTitle: "Termin absagen",
    cancelText: "Die Zeit wird frei für jemanden, der sie braucht.",
    cancelReason: "Grund (freiwillig)",
    cancel: "Termin absagen",
    cancelled: "Ihr Termin ist abgesagt",
    cancelledText: "Er findet nicht statt. Einen neuen bekommen Sie über Ihre Praxis.",
    cancelBlocked: "Dieser Termin lässt sich hier nicht mehr absagen.",
    rebookTitle: "Termin verschieben",
    rebookText: "Sie wählen im nächsten Schritt eine neue Zeit. Bis dahin bleibt dieser Termin bestehen.",
    rebook: "Neue Zeit wählen",
    rebookBlocked: "Dieser Termin lässt sich hier nicht mehr verschieben.",
    noLonger: "Das ist jetzt nicht möglich. Unten steht der heutige Stand.",
    callPractice: "Bitte wenden Sie sich an Ihre Praxis."
  },
  waitlist: {
    title: "Ein Termin ist frei geworden",
    facts: {
      when: "Wann",
      what: "Termin",
      doctor: "Bei",
      until: "Für Sie freigehalten bis",
      first: "Nicht freigehalten: Wer zuerst zusagt, bekommt den Termin. Antwort bis",
      replaces: "Anstelle Ihres Termins am"
    },
    accept: "Termin annehmen",
    decline: "Nein, danke",
    leave: "Von der Warteliste streichen",
    goOn: "Weiter über freie Termine benachrichtigen",
    accepted: {
      title: "Ihr Termin ist gebucht",
      text: "{type} bei {doctor}, {when}."
    },
    declined: {
      title: "Danke für Ihre Antwort",
      text: "Sie behalten Ihren Platz auf der Warteliste. Wird ein anderer Termin frei, melden wir uns."
    },
    lapsed: {
      title: "Dieses Angebot ist abgelaufen",
      text: "Solange der Termin frei ist, können Sie ihn noch annehmen."
    },
    lost: {
      title: "Dieser Termin ist vergeben",
      text: "Jemand war etwas schneller. Sie behalten Ihren Platz auf der Warteliste. Wird ein anderer Termin frei, melden wir uns."
    },
    left: {
      title: "Sie stehen nicht mehr auf der Warteliste",
      text: "Ihre Termine bleiben bestehen."
    },
    paused: "Sie haben auf drei Angebote nicht geantwortet. Deshalb schicken wir Ihnen vorerst keine weiteren."
  },
  recall: {
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
  publicBooking: {
    title: "Termin buchen",
    nothing: "Zurzeit wird hier kein Termin angeboten. Bitte wenden Sie sich an die Praxis.",
    what: "Was für ein Termin?",
    how: "Video oder Praxis?",
    who: "Ihre Angaben",
    firstName: "Vorname",
    lastName: "Nachname",
    email: "E-Mail",
    phone: "Telefon (freiwillig)",
    birthDate: "Geburtsdatum",
    relative: "Der Termin ist für ein Kind oder jemand anderen",
    relativeHelp: "Dann tragen Sie hier ein, wer kommt. Nachrichten gehen an Ihre Adresse.",
    codeNext: "Wir schicken Ihnen einen Code per E-Mail. Danach wählen Sie eine Zeit.",
    next: "Weiter",
    codeTitle: "Code aus der E‑Mail eingeben",
    codeText:
      "Wir haben Ihnen einen Code mit sechs Ziffern geschickt. Er gilt 15 Minuten. Sehen Sie auch im Spam-Ordner nach.",
    code: "Code",
    toTimes: "Weiter zu den Zeiten",
    startAgain: "Angaben ändern",
    problems: {
      invalid: "Bitte prüfen Sie Ihre Angaben: Namen, E-Mail-Adresse, Telefonnummer und Geburtsdatum.",
      tooMany:
        "Es wurden gerade sehr viele Codes angefordert. Bitte versuchen Sie es in einer Stunde noch einmal oder rufen Sie die Praxis an.",
      typeGone: "Diese Terminart wird nicht mehr angeboten. Bitte wählen Sie eine andere.",
      noMail: "An diese Adresse ließ sich keine E-Mail schicken. Bitte prüfen Sie sie.",
      wrongCode: "Der Code stimmt nicht. Bitte sehen Sie noch einmal nach.",
      birthDate: "Bitte geben Sie das Geburtsdatum an. Daran erkennt die Praxis, wer kommt.",
      codeGone: "Dieser Code gilt nicht mehr. Bitte fangen Sie noch einmal an."
    }
  },
  consent: {
    title: "Einwilligungen",
    optional: "freiwillig",
    help: "Sie können Ihre Einwilligung jederzeit über den Link in unseren E-Mails widerrufen.",
    missing: "Bitte stimmen Sie noch zu: Ohne diese Einwilligung kann die Praxis den Termin nicht annehmen.",
    given: {
      data_processing: "Am {day} haben Sie in die Verarbeitung Ihrer Gesundheitsdaten eingewilligt.",
      video: "Am {day} haben Sie in die Videosprechstunde eingewilligt."
    },
    withdraw: "Einwilligung widerrufen",
    agree: "Einwilligen"
  },
  meeting: {
    title: "Videogespräch",
    testTitle: "Kamera, Mikrofon und Verbindung testen",
    testText: "So sieht und hört man Sie später. Jetzt sieht und hört Sie niemand.",
    testConnection: {
      checking: "Die Verbindung wird geprüft …",
      good: "Die Verbindung für ein Videogespräch steht.",
      none: "Von diesem Netz aus gelingt kein Videogespräch. Versuchen Sie es über ein anderes WLAN oder das Mobilfunknetz."
    },
    testBack: "Zurück zum Termin",
    notifyMe: "Benachrichtigen, wenn ich dran bin",
    yourTurn: "Sie sind dran.",
    devices: "Kamera und Mikrofon wählen",
    shareScreen: "Bildschirm teilen",
    endSharing: "Nicht mehr teilen",
    stepOut: "Kurz hinausgehen",
    stepOutAsk: "Die Patientin oder der Patient wartet dann, bis Sie wiederkommen.",
    stepOutYes: "Hinausgehen",
    stay: "Bleiben",
    audioOnly: "Die Verbindung ist schwach. Damit der Ton bleibt, wird Ihr Bild nicht gesendet.",
    pictureAgain: "Bild wieder senden",
    quality: { good: "Gute Verbindung", fair: "Mäßige Verbindung", poor: "Schlechte Verbindung" },
    waitExpected: "Voraussichtlich noch etwa {n} Minuten.",
    checkTitle: "Kamera und Mikrofon prüfen",
    checkText: "So sieht man Sie gleich. Niemand sieht Sie, bevor Sie eintreten.",
    checkAnyway: "Sie können auch so eintreten, zusehen und zuhören. Man sieht und hört Sie dann nicht.",
    tryAgain: "Noch einmal versuchen",
    camera: "Kamera",
    microphone: "Mikrofon",
    level: "Lautstärke des Mikrofons",
    testSound: "Testton abspielen",
    ownPicture: "Ihr Bild",
    ownCameraOff: "Man sieht Sie nicht",
    otherPicture: "Bild von {name}",
    enter: "Wartezimmer betreten",
    enterDoctor: "Sprechzimmer öffnen",
    groupName: "Ihr Name in dieser Gruppe (freiwillig)",
    groupHint:
      "Andere Patienten sehen Sie nicht und erfahren Ihren Namen nicht. Ohne Angabe heißen Sie für die Praxis „Participant“ mit einer Nummer.",
    askAccess: "Ihr Browser fragt gleich, ob Kamera und Mikrofon benutzt werden dürfen.",
    mediaProblems: {
      denied:
        "Ihr Browser darf Kamera und Mikrofon nicht benutzen. Erlauben Sie beides über das Zeichen links neben der Adresse dieser Seite, und versuchen Sie es dann noch einmal.",
      missing: "Es ist weder Kamera noch Mikrofon angeschlossen.",
      inUse:
        "Ein anderes Programm benutzt gerade die Kamera oder das Mikrofon. Schließen Sie es, und versuchen Sie es dann noch einmal.",
      unsupported: "Dieser Browser kann keine Videogespräche führen. Bitte nehmen Sie einen aktuellen."
    },
    waitTitle: "Sie sind im Wartezimmer",
    waitNext: "Sie sind als Nächstes an der Reihe.",
    waitPosition: "Vor Ihnen warten noch {n}.",
    waitDoctorAbsent: "Noch ist niemand im Sprechzimmer.",
    waitDoctorBusy: "Ein anderes Gespräch läuft noch.",
    waitDoctorThere: "{name} weiß, dass Sie da sind, und holt Sie gleich herein.",
    waitKeepOpen: "Lassen Sie diese Seite offen. Sie brauchen nichts weiter zu tun.",
    doctorTitle: "Ihr Sprechzimmer",
    doctorEmpty: "Zurzeit wartet niemand.",
    waitingList: "Im Wartezimmer",
    waitingSince: "seit {n} Min.",
    late: "{name} kommt etwa {n} Minuten später.",
    waitingJustNow: "seit eben",
    admit: "Hereinbitten",
    end: "Für beide beenden",
    mute: "Mikrofon aus",
    unmute: "Mikrofon an",
    cameraOff: "Kamera aus",
    cameraOn: "Kamera an",
    leave: "Verlassen",
    connecting: "Verbindung wird aufgebaut …",
    reconnecting: "Die Verbindung ist unterbrochen. Sie wird von selbst wiederhergestellt …",
    fill: "Bild füllt die Fläche",
    fit: "Ganzes Bild",
    fullScreen: "Vollbild",
    otherCameraOff: "{name} hat die Kamera ausgeschaltet",
    otherMuted: "Mikrofon aus",
    otherGone: "{name} ist gerade nicht da. Das Gespräch geht von selbst weiter.",
    endings: {
      left: "Sie haben das Gespräch verlassen",
      dismissed: "Das Gespräch ist beendet",
      replaced: "Das Gespräch ist in einem anderen Fenster offen.",
      refused: "Dieser Link gilt nicht mehr. Bitte öffnen Sie ihn noch einmal dort, wo Sie ihn erhalten haben."
    },
    comeBack: "Wieder eintreten",
    back: "Zurück"
  },
  /** mails, text messages and calendar invitations */
  messages: {
    greeting: "Guten Tag {name},",
    subject: {
      reminder: "Erinnerung: Termin am {when}",
      confirmation: "Terminbestätigung: {when}",
      cancellation: "Termin abgesagt: {when}",
      rebooking: "Termin verschoben auf {when}"
    },
    opening: {
      reminder: "wir erinnern Sie an Ihren Termin mit {counterpart}.",
      confirmation: "Ihr Termin mit {counterpart} ist bestätigt.",
      cancellation: "Ihr Termin mit {counterpart} wurde abgesagt."
    },
    moved: "Ihr Termin mit {counterpart} wurde verschoben, von {from} auf {to}.",
    when: "Wann",
    previously: "Bisher",
    what: "Terminart",
    where: "Wo",
    video: "Videosprechstunde",
    onSite: "Vor Ort",
    reason: "Grund des Besuchs",
    join: "Zum Termin",
    rebook: "Termin verschieben",
    cancel: "Termin absagen",
    preparation: "Vorbereitung",
    manage: "Ansehen, verschieben oder absagen",
    joinHint: "Der Raum öffnet 10 Minuten vor Beginn.",
    code: {
      greeting: "Guten Tag,",
      subject: "{code} ist Ihr Code für {organisation}",
      opening: "mit diesem Code bestätigen Sie Ihre E-Mail-Adresse. Danach wählen Sie eine Zeit.",
      label: "Code",
      hint: "Er gilt 15 Minuten. Haben Sie keinen Termin buchen wollen, tun Sie bitte nichts."
    },
    waitlist: {
      subject: "Ein Termin ist frei geworden: {when}",
      opening: "ein Termin, auf den Sie warten, ist frei geworden.",
      paused: {
        subject: "Sie stehen noch auf der Warteliste: Sollen wir uns weiter melden?",
        opening:
          "auf unsere letzten drei Angebote haben Sie nicht geantwortet. Deshalb schicken wir Ihnen vorerst keine weiteren. Mit einem Klick geht es weiter.",
        sms: "Wir schicken vorerst keine Angebote der Warteliste mehr. Weiter geht es hier: {url}"
      },
      sms: "Ein Termin ist frei geworden: {when}. Antwort bis {until}: {url}"
    },
    series: {
      subject: "Ihre {count} Termine",
      opening: "Ihre {count} Termine mit {doctor} sind bestätigt.",
      one: "Termin {number} von {count}"
    },
    recall: {
      subject: "Zeit für Ihren nächsten Termin",
      opening: "es ist Zeit, Ihren nächsten Termin zu vereinbaren.",
      note: "Hinweis Ihrer Praxis",
      book: "Termin wählen",
      stop: "Nicht mehr erinnern",
      sms: "Zeit für Ihren nächsten Termin: {url}"
    },
    again: {
      greeting: "Guten Tag,",
      subject: "Neuer Termin bei {organisation}",
      opening: "mit diesem Link buchen Sie einen neuen Termin.",
      label: "Neuen Termin buchen",
      hint: "Er gilt 30 Minuten. Haben Sie ihn nicht angefordert, tun Sie bitte nichts."
    },
    closing: "Freundliche Grüße\n{organisation}",
    sms: {
      reminder: "Erinnerung: Ihr Termin mit {counterpart} am {when}.",
      confirmation: "Ihr Termin mit {counterpart} am {when} ist bestätigt.",
      cancellation: "Ihr Termin mit {counterpart} am {when} wurde abgesagt.",
      rebooking: "Ihr Termin mit {counterpart} wurde verschoben auf {when}."
    },
    calendarTitle: "Termin: {counterpart}",
    time: "{time} Uhr",
    elsewhere: "{time} in {city}"
  },
  /** the zones offered for choosing, by their IANA names */
  zones: {
    "Europe/Berlin": "Berlin",
    "Europe/Vienna": "Wien",
    "Europe/Zurich": "Zürich",
    "Europe/London": "London",
    "Europe/Lisbon": "Lissabon",
    "Europe/Madrid": "Madrid",
    "Europe/Paris": "Paris",
    "Europe/Rome": "Rom",
    "Europe/Warsaw": "Warschau",
    "Europe/Athens": "Athen",
    "Europe/Istanbul": "Istanbul",
    "Europe/Kyiv": "Kiew",
    "Europe/Moscow": "Moskau",
    "Atlantic/Canary": "Kanarische Inseln",
    "Africa/Cairo": "Kairo",
    "Africa/Casablanca": "Casablanca",
    "Africa/Johannesburg": "Johannesburg",
    "Africa/Lagos": "Lagos",
    "America/New_York": "New York",
    "America/Chicago": "Chicago",
    "America/Denver": "Denver",
    "America/Los_Angeles": "Los Angeles",
    "America/Mexico_City": "Mexiko-Stadt",
    "America/Sao_Paulo": "São Paulo",
    "Asia/Baghdad": "Bagdad",
    "Asia/Damascus": "Damaskus",
    "Asia/Dubai": "Dubai",
    "Asia/Kolkata": "Kolkata",
    "Asia/Bangkok": "Bangkok",
    "Asia/Riyadh": "Riad",
    "Asia/Shanghai": "Schanghai",
    "Asia/Singapore": "Singapur",
    "Asia/Tokyo": "Tokio",
    "Australia/Sydney": "Sydney",
    "Pacific/Auckland": "Auckland",
    UTC: "UTC"
  },
  widget: { title: "Termin buchen", fallback: "Termin auf eigener Seite buchen" }
}

/** Every key of the catalogue. A language that lacks one, or has one too many, does not compile. */
export type Texts = Shape<typeof de>
