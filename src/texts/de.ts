import type { Shape } from "./shape.ts"

export const de = {
  page: {
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
    failedTitle: "Das hat gerade nicht geklappt",
    failedText: "Der Fehler liegt bei uns. Bitte versuchen Sie es in einem Augenblick noch einmal.",
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
    currentStays: "Er bleibt bestehen, bis Sie die neue Zeit bestätigen.",
    doctor: "Ärztin oder Arzt",
    anyDoctor: "Alle",
    zone: "Zeitzone",
    apply: "Anzeigen",
    deviceZone: "Ihr Gerät steht auf einer anderen Zeitzone. Zeiten anzeigen in:",
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
      notMovable: "Ihr bisheriger Termin lässt sich nicht mehr verschieben. Bitte wenden Sie sich an Ihre Praxis."
    },
    typedKept: "Was Sie geschrieben haben, ist nicht verloren.",
    heldFor: "Für Sie reserviert, noch {countdown}",
    heldAlmostOver: "Ihre Reservierung läuft in weniger als einer Minute ab.",
    heldOver:
      "Die Reservierung ist abgelaufen. Sie können trotzdem bestätigen, solange niemand anders die Zeit genommen hat.",
    reasonLabel: "Worum geht es? (freiwillig)",
    reasonHelp: "Nur Ihre Ärztin oder Ihr Arzt und die Praxisverwaltung lesen das. Es kann in Erinnerungen stehen.",
    confirm: { booking: "Termin verbindlich buchen", rebooking: "Termin verschieben" },
    otherTime: "Andere Zeit wählen",
    replaces: "Ersetzt Ihren Termin am",
    doneText: { booking: "Wir freuen uns auf Sie.", rebooking: "Der bisherige Termin ist abgesagt, der neue gilt." },
    doneVideo: "Das Wartezimmer öffnet 10 Minuten vor Beginn.",
    calendar: "In den Kalender",
    returnTo: "Weiter zu {host}",
    closeHint: "Sie können dieses Fenster jetzt schließen.",
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
  widget: { title: "Termin buchen", fallback: "Termin auf eigener Seite buchen" }
}

/** Every key of the catalogue. A language that lacks one, or has one too many, does not compile. */
export type Texts = Shape<typeof de>
