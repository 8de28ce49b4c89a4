import type { Shape } from "./shape.ts"

export const de = {
  page: {
    language: "Sprache",
    call: "Praxis anrufen:",
    write: "E-Mail an die Praxis:",
    skip: "Zum Inhalt springen",
    imprint: "Impressum",
    privacyNotice: "Datenschutz",
    privacy: "Keine Cookies, kein Tracking, keine Weitergabe an Dritte.",
    notFound: {
      title: "Dieser Link gilt nicht mehr",
      booking:
        "Buchungslinks gelten aus Sicherheitsgründen nur 30 Minuten. Haben Sie schon gebucht, gilt Ihr Termin weiterhin.",
      appointment: "Der Link zu Ihrem Termin ist abgelaufen, oder die Adresse ist unvollständig.",
      meeting: "Der Link zur Videosprechstunde ist abgelaufen, oder die Adresse ist unvollständig.",
      closed: "Diese Praxis bietet hier keine Online-Buchung an. Bitte rufen Sie in der Praxis an.",
      help: "Öffnen Sie den Link bitte noch einmal, zum Beispiel auf der Website Ihrer Praxis oder in Ihrer E-Mail."
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
    toAppointment: "Zum Termin",
    tryAgain: "Noch einmal versuchen",
    failedText: "Der Fehler liegt bei uns. Bitte versuchen Sie es gleich noch einmal. Ihre Eingaben bleiben erhalten.",
    tooManyTitle: "Einen Augenblick bitte",
    tooManyText:
      "Aus Ihrem Netz kamen gerade sehr viele Anfragen. Bitte warten Sie einige Sekunden und versuchen Sie es dann noch einmal.",
    scriptNeeded: "Für das Videogespräch muss JavaScript in Ihrem Browser eingeschaltet sein.",
    attention: "Achtung",
    unreachable:
      "Keine Verbindung. Ihre Eingaben bleiben erhalten. Bitte versuchen Sie es noch einmal, sobald Sie wieder online sind."
  },
  booking: {
    speaks: "spricht {languages}",
    title: { booking: "Termin buchen", rebooking: "Termin verschieben" },
    steps: { label: "Fortschritt", time: "Termin", details: "Angaben", done: "Fertig" },
    headings: {
      booking: { choose: "Wann passt es Ihnen?", details: "Noch ein Schritt", done: "Ihr Termin steht" },
      rebooking: {
        choose: "Wann passt es Ihnen stattdessen?",
        details: "Neuen Termin bestätigen",
        done: "Ihr Termin ist verschoben"
      }
    },
    nextAvailable: "Nächster freier Termin",
    take: "Diesen Termin wählen",
    formats: { DIGITAL: "Videosprechstunde", IN_PERSON: "Termin in der Praxis" },
    currentTime: "Ihr bisheriger Termin",
    originalStands: "Ihr bisheriger Termin bleibt bestehen.",
    currentStays: "Er bleibt bestehen, bis Sie den neuen bestätigen.",
    doctor: "Ärztin oder Arzt",
    anyDoctor: "Alle",
    zone: "Zeitzone",
    apply: "Anzeigen",
    deviceZone: "Auf Ihrem Gerät ist eine andere Zeitzone eingestellt. Zeiten anzeigen in:",
    days: "Tage mit freien Terminen",
    moreTimes: { one: "1 weitere Zeit", other: "{n} weitere Zeiten" },
    part: "Tageszeit",
    parts: { any: "Ganzer Tag", morning: "Vormittag", afternoon: "Nachmittag", evening: "Abend" },
    earlier: "Frühere Tage",
    later: "Spätere Tage",
    today: "Heute",
    tomorrow: "Morgen",
    seatsLeft: { one: "noch 1 Platz", other: "noch {n} Plätze" },
    freeTimes: { one: "1 freier Termin", other: "{n} freie Termine" },
    noneFree: "Zurzeit sind keine Termine frei",
    noneFiltered: "Mit dieser Auswahl sind keine Termine frei.",
    allTimes: "Alle Termine zeigen",
    noneFreeHelp: "Oft werden Termine kurzfristig wieder frei. Schauen Sie gern später noch einmal herein.",
    notices: {
      taken: "Dieser Termin wurde gerade vergeben. Bitte wählen Sie einen anderen.",
      superseded: "Diese Reservierung gilt nicht mehr. Bitte wählen Sie noch einmal einen Termin.",
      ruleBlocked: "Dieser Termin wird nicht mehr angeboten. Bitte wählen Sie einen anderen.",
      notMovable: "Ihr bisheriger Termin lässt sich nicht mehr verschieben. Bitte wenden Sie sich an Ihre Praxis.",
      tooMany: "Sie haben bereits so viele Termine, wie die Praxis zulässt. Bitte wenden Sie sich an Ihre Praxis."
    },
    typedKept: "Ihr Text bleibt erhalten.",
    heldFor: "Noch {countdown} Minuten für Sie reserviert",
    heldAlmostOver: "Ihre Reservierung läuft in weniger als einer Minute ab.",
    heldOver: "Die Reservierung ist abgelaufen. Sie können trotzdem bestätigen, solange der Termin noch frei ist.",
    reserved: "Für Sie reserviert: {day}, {time}, mit {doctor}, noch {countdown}.",
    continueWith: "Weiter mit diesem Termin",
    for: "für {name}",
    overlap: "Sie haben zu dieser Zeit schon einen Termin: {day}, {time}, mit {doctor}. Sie können trotzdem buchen.",
    overlapMove: "Diesen Termin verschieben",
    charactersLeft: "Noch {n} Zeichen",
    typedBefore: "Ihr Text (zum Kopieren)",
    typeGone: {
      title: "Diese Terminart wird nicht mehr angeboten",
      help: "Bitte fragen Sie in Ihrer Praxis, welcher Termin stattdessen infrage kommt."
    },
    reasonLabel: "Worum geht es? (freiwillig)",
    reasonHelp: "Das lesen nur Ihre Ärztin oder Ihr Arzt und das Praxisteam.",
    reasonInMessages: "Es steht auch in Ihren Terminerinnerungen.",
    confirm: { booking: "Termin verbindlich buchen", rebooking: "Termin verschieben" },
    otherTime: "Anderen Termin wählen",
    replaces: "Ersetzt Ihren Termin am",
    doneText: {
      booking: "Wir freuen uns auf Sie.",
      rebooking: "Ihr neuer Termin ist bestätigt. Der bisherige entfällt."
    },
    doneVideo: "Das Wartezimmer öffnet 10 Minuten vor Beginn.",
    calendar: "In den Kalender",
    returnTo: "Weiter zu {host}",
    mailSent: "Die Bestätigung schicken wir an {address}.",
    startAgain: "Neu beginnen",
    manage: {
      help: "Hier können Sie Ihren Termin jederzeit ansehen, verschieben oder absagen.",
      helpCancel: "Hier können Sie Ihren Termin jederzeit ansehen oder absagen.",
      rebook: "Termin verschieben",
      cancel: "Termin absagen",
      calendar: "Ansehen, verschieben oder absagen: {url}"
    },
    with: "mit {doctor}",
    zoneLine: "Zeiten in {zone}",
    changeZone: "ändern",
    about: "Mehr zu diesem Termin",
    whatNext: "So geht es weiter",
    holiday: "{day}: {name}, keine Termine",
    missing: {
      title: "Bitte ergänzen",
      text: "Diese Angaben konnten wir nicht übernehmen.",
      gender: "Geschlecht",
      genders: { unsaid: "keine Angabe", female: "weiblich", male: "männlich", divers: "divers" },
      street: "Straße und Hausnummer",
      zip: "Postleitzahl",
      city: "Ort",
      country: "Land"
    }
  },
  appointment: {
    onSiteTitle: "Termin in der Praxis",
    onSiteText: "Kommen Sie bitte einige Minuten vor Beginn in die Praxis.",
    movedHere: "Ihr Termin wurde verschoben. Dies ist der neue.",
    changed: "Ihr Termin wurde inzwischen geändert. Es ist nichts weiter geschehen: Bitte prüfen Sie den neuen Termin.",
    consentsSaved: "Ihre Einwilligungen sind gespeichert.",
    map: "Auf der Karte zeigen",
    preparation: "Vorbereitung",
    place: "Ort",
    cancellationRule: "Absagen",
    price: "Kosten",
    calendars: "In den Kalender:",
    calendarFile: "Apple und andere (Datei)",
    lateTitle: "Ich verspäte mich",
    lateLabel: "Um wie viele Minuten?",
    lateMinutes: "{n} Minuten",
    late: "Praxis Bescheid geben",
    doctorLate: "{name} verspätet sich leider um etwa {n} Minuten. Ihr Termin bleibt bestehen.",
    lateSaid: "Danke. Wir haben der Praxis mitgeteilt, dass Sie etwa {n} Minuten später kommen.",
    again: "Terminlink per E-Mail anfordern",
    againSent:
      "Wir haben Ihnen einen Link geschickt, über den Sie einen neuen Termin buchen können. Der Link gilt 30 Minuten. Bitte sehen Sie in Ihr E-Mail-Postfach.",
    title: "Ihr Termin",
    joinTitle: "Zum Videogespräch",
    joinOpen: "Das Wartezimmer ist offen. Kamera und Mikrofon prüfen Sie im nächsten Schritt.",
    joinEarlyTitle: "Das Wartezimmer ist noch nicht offen",
    joinEarly: "Das Wartezimmer öffnet 10 Minuten vor Beginn.",
    joinEarlyHelp: "Diese Seite aktualisiert sich von selbst; Sie können sie offen lassen.",
    over: "Dieser Termin ist vorbei",
    join: "Wartezimmer betreten",
    opensToday: "Es öffnet um {time} Uhr, {wait}.",
    opensOn: "Es öffnet am {day}, um {time} Uhr, {wait}.",
    opensIn: "in {countdown} Minuten",
    cancelTitle: "Termin absagen",
    cancelText: "Der Termin wird dann für andere frei.",
    cancelReason: "Grund (freiwillig)",
    cancel: "Termin absagen",
    cancelled: "Ihr Termin ist abgesagt",
    cancelledText: "Der Termin findet nicht statt.",
    cancelBlocked: "Dieser Termin lässt sich hier nicht mehr absagen.",
    rebookTitle: "Termin verschieben",
    rebookText:
      "Sie wählen im nächsten Schritt einen neuen Termin. Dieser bleibt bestehen, bis Sie den neuen bestätigen.",
    rebook: "Neuen Termin wählen",
    rebookBlocked: "Dieser Termin lässt sich hier nicht mehr verschieben.",
    noLonger: "Das ist leider nicht mehr möglich. Unten sehen Sie den aktuellen Stand.",
    callPractice: "Bitte wenden Sie sich an Ihre Praxis.",
    questions: "Bei Fragen wenden Sie sich bitte an Ihre Praxis.",
    further: "Außerdem dabei"
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
    goOn: "Weiter über freie Termine informieren",
    accepted: {
      title: "Ihr Termin ist gebucht",
      gone: "Dieser Termin wurde verschoben oder abgesagt"
    },
    keeps: "Sie behalten Ihren Platz auf der Warteliste. Wird ein anderer Termin frei, melden wir uns.",
    declined: { title: "Danke für Ihre Antwort" },
    lapsed: {
      title: "Dieses Angebot ist abgelaufen",
      text: "Solange der Termin frei ist, können Sie ihn noch annehmen."
    },
    lost: {
      title: "Dieser Termin ist vergeben",
      text: "Jemand war etwas schneller."
    },
    left: {
      title: "Sie stehen nicht mehr auf der Warteliste",
      text: "Ihre Termine bleiben bestehen."
    },
    paused: "Sie haben auf drei Angebote nicht geantwortet. Deshalb schicken wir Ihnen vorerst keine Angebote mehr.",
    ask: {
      link: "Nichts Passendes dabei? Auf die Warteliste",
      short: "Auf die Warteliste",
      title: "Auf die Warteliste",
      text: "Wird ein passender Termin frei, bieten wir ihn Ihnen an. Sie können ihn dann annehmen oder ablehnen.",
      weekdays: "An welchen Tagen?",
      parts: "Zu welcher Tageszeit?",
      open: "Ohne Auswahl passt alles.",
      until: "Bis wann?",
      days: {
        14: "in den nächsten 2 Wochen",
        30: "in den nächsten 4 Wochen",
        90: "in den nächsten 3 Monaten",
        180: "in den nächsten 6 Monaten"
      },
      submit: "Auf die Warteliste setzen",
      change: "Wünsche ändern",
      save: "Wünsche speichern",
      back: "Zu den freien Terminen"
    },
    sooner: {
      title: "Lieber früher?",
      text: "Wird vorher ein Termin frei, bieten wir ihn Ihnen an. Ihr jetziger Termin bleibt bestehen, bis Sie einen früheren annehmen.",
      submit: "Auf einen früheren Termin warten",
      waiting: "Sie warten auf einen früheren Termin. Wird einer frei, melden wir uns.",
      leave: "Nicht mehr auf einen früheren warten"
    },
    entry: {
      title: "Ihre Warteliste",
      saved: "Sie stehen auf der Warteliste. Wird ein passender Termin frei, melden wir uns.",
      changed: "Ihre Wünsche sind gespeichert. Ihren Platz auf der Warteliste behalten Sie.",
      refused: "Das ist leider nicht möglich. Unten sehen Sie den aktuellen Stand.",
      tooMany: "Sie stehen schon mehrmals auf der Warteliste. Bitte streichen Sie zuerst einen Eintrag.",
      waiting: "Sie warten auf einen Termin.",
      offered: "Wir haben Ihnen einen Termin angeboten. Bitte sehen Sie in Ihr Postfach.",
      paused: "Pausiert: Zurzeit bekommen Sie keine Angebote.",
      booked: "Sie haben einen Termin angenommen.",
      ended: "Dieser Eintrag ist beendet.",
      pause: "Pausieren",
      days: "Tage",
      times: "Tageszeit",
      until: "Bis",
      any: "alle",
      sooner: "Früher als"
    }
  },
  publicBooking: {
    title: "Termin buchen",
    nothing: "Zurzeit wird hier kein Termin angeboten. Bitte wenden Sie sich an die Praxis.",
    what: "Welche Art von Termin?",
    how: "Per Video oder in der Praxis?",
    who: "Ihre Angaben",
    firstName: "Vorname",
    lastName: "Nachname",
    email: "E-Mail",
    phone: "Telefon (freiwillig)",
    birthDate: "Geburtsdatum",
    relative: "Ich buche für mein Kind oder eine andere Person",
    relativeHelp: "Tragen Sie hier ein, für wen der Termin ist. Nachrichten gehen an Ihre Adresse.",
    codeNext: "Wir schicken Ihnen einen Code per E‑Mail. Danach geht die Buchung weiter.",
    showTimes: "Freie Termine zeigen",
    next: "Weiter",
    codeTitle: "Code aus der E‑Mail eingeben",
    codeText:
      "Wir haben Ihnen einen Code mit sechs Ziffern geschickt. Er gilt 15 Minuten. Bitte sehen Sie auch im Spam-Ordner nach.",
    code: "Code",
    resend: "Neuen Code senden",
    startAgain: "Angaben ändern",
    problems: {
      invalid: "Bitte prüfen Sie die markierten Felder.",
      codeSent: "Wir haben Ihnen einen neuen Code geschickt.",
      tooMany:
        "Es wurden gerade sehr viele Codes angefordert. Bitte versuchen Sie es in einer Stunde noch einmal oder rufen Sie die Praxis an.",
      typeGone: "Diese Terminart wird nicht mehr angeboten. Bitte wählen Sie eine andere.",
      noMail: "An diese Adresse ließ sich keine E-Mail schicken. Bitte prüfen Sie sie.",
      wrongCode: "Der Code stimmt nicht. Bitte sehen Sie noch einmal nach.",
      birthDate: "Bitte geben Sie das Geburtsdatum an. Daran erkennt die Praxis, wer kommt.",
      codeGone: "Dieser Code gilt nicht mehr. Bitte fordern Sie einen neuen Code an."
    },
    faults: {
      name: "Bitte geben Sie hier einen Namen an.",
      email: "Bitte geben Sie eine vollständige E-Mail-Adresse an, zum Beispiel name@example.de.",
      phone: "Bitte prüfen Sie die Telefonnummer.",
      date_of_birth: "Bitte geben Sie das Geburtsdatum an. Daran erkennt die Praxis, wer kommt.",
      meeting_format: "Bitte wählen Sie aus, wie der Termin stattfinden soll.",
      type: "Bitte wählen Sie eine Terminart."
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
  /** mails, text messages and calendar invitations */
  messages: {
    greeting: "Guten Tag {name},",
    when: "Wann",
    previously: "Bisher",
    withDoctor: "Bei",
    nowWith: "{time}, jetzt mit {doctor}",
    movedByPractice: "Leider kann der Termin nicht wie geplant stattfinden; wir bitten um Entschuldigung.",
    what: "Terminart",
    where: "Wo",
    video: "Online, per Video",
    onSite: "Vor Ort",
    reason: "Grund des Besuchs",
    join: "Zum Termin",
    rebook: "Termin verschieben",
    cancel: "Termin absagen",
    preparation: "Vorbereitung",
    manage: "Ansehen, verschieben oder absagen",
    joinHint: "Das Wartezimmer öffnet 10 Minuten vor Beginn.",
    code: {
      greeting: "Guten Tag,",
      subject: "{code} ist Ihr Code für {organisation}",
      opening: "mit diesem Code bestätigen Sie Ihre E-Mail-Adresse. Danach geht die Buchung weiter.",
      label: "Code",
      hint: "Er gilt 15 Minuten. Wollten Sie keinen Termin buchen, können Sie diese E-Mail ignorieren."
    },
    waitlist: {
      entered: {
        greeting: "Guten Tag,",
        subject: "Sie stehen auf der Warteliste: {organisation}",
        opening: "Sie stehen jetzt auf unserer Warteliste. Wird ein passender Termin frei, bieten wir ihn Ihnen an.",
        label: "Ansehen, pausieren oder streichen",
        hint: "Wollten Sie das nicht, können Sie sich über diesen Link wieder streichen."
      }
    },
    again: {
      greeting: "Guten Tag,",
      subject: "Neuer Termin bei {organisation}",
      opening: "über diesen Link können Sie einen neuen Termin buchen.",
      label: "Neuen Termin buchen",
      hint: "Der Link gilt 30 Minuten. Haben Sie ihn nicht angefordert, können Sie diese E-Mail ignorieren."
    },
    closing: "Freundliche Grüße\n{organisation}",
    calendarTitle: "Termin: {counterpart}",
    time: "{time} Uhr",
    zone: "Ortszeit {city}",
    elsewhere: "{time} in {city}",
    cancelReason: "Grund der Absage",
    bookAgain: "Neuen Termin buchen"
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
