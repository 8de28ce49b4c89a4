import type { Shape } from "./shape.ts"

export const de = {
  page: {
    language: "Sprache",
    skip: "Zum Inhalt springen",
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
    rebooked: "Dieser Termin wurde verschoben",
    rebookedText: "Es gilt die neue Zeit, die Sie bestätigt haben.",
    rebookBlocked: "Dieser Termin lässt sich hier nicht mehr verschieben.",
    noLonger: "Das ist jetzt nicht möglich. Unten steht der heutige Stand.",
    callPractice: "Bitte wenden Sie sich an Ihre Praxis."
  },
  meeting: {
    title: "Videogespräch",
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
    waitingJustNow: "seit eben",
    admit: "Hereinbitten",
    end: "Gespräch beenden",
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
    joinHint: "Der Raum öffnet 10 Minuten vor Beginn.",
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
    "Atlantic/Canary": "Kanarische Inseln",
    "Africa/Cairo": "Kairo",
    "Africa/Johannesburg": "Johannesburg",
    "Africa/Lagos": "Lagos",
    "America/New_York": "New York",
    "America/Chicago": "Chicago",
    "America/Denver": "Denver",
    "America/Los_Angeles": "Los Angeles",
    "America/Mexico_City": "Mexiko-Stadt",
    "America/Sao_Paulo": "São Paulo",
    "Asia/Dubai": "Dubai",
    "Asia/Kolkata": "Kolkata",
    "Asia/Bangkok": "Bangkok",
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
