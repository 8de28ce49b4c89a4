import type { InLanguages } from "./language.ts"

/** The video call. Used by the island alone, so all of them are plain strings; `{n}` and `{name}` are filled in. */
export interface MeetingTexts {
  readonly title: string
  readonly checkTitle: string
  readonly checkText: string
  readonly checkAnyway: string
  readonly tryAgain: string
  readonly camera: string
  readonly microphone: string
  readonly level: string
  readonly testSound: string
  readonly ownPicture: string
  readonly ownCameraOff: string
  readonly otherPicture: string
  readonly enter: string
  readonly enterDoctor: string
  readonly askAccess: string
  readonly denied: string
  readonly missing: string
  readonly inUse: string
  readonly waitTitle: string
  readonly waitNext: string
  readonly waitPosition: string
  readonly waitDoctorAbsent: string
  readonly waitDoctorBusy: string
  readonly waitDoctorThere: string
  readonly waitKeepOpen: string
  readonly doctorTitle: string
  readonly doctorEmpty: string
  readonly waitingList: string
  readonly waitingSince: string
  readonly waitingJustNow: string
  readonly admit: string
  readonly end: string
  readonly mute: string
  readonly unmute: string
  readonly cameraOff: string
  readonly cameraOn: string
  readonly leave: string
  readonly connecting: string
  readonly reconnecting: string
  readonly otherCameraOff: string
  readonly otherMuted: string
  readonly otherGone: string
  readonly left: string
  readonly dismissed: string
  readonly comeBack: string
  readonly back: string
  readonly replaced: string
  readonly refused: string
  readonly unsupported: string
}

export const meetingTexts: InLanguages<MeetingTexts> = {
  de: {
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
    denied:
      "Ihr Browser darf Kamera und Mikrofon nicht benutzen. Erlauben Sie beides über das Zeichen links neben der Adresse dieser Seite, und versuchen Sie es dann noch einmal.",
    missing: "Es ist weder Kamera noch Mikrofon angeschlossen.",
    inUse:
      "Ein anderes Programm benutzt gerade die Kamera oder das Mikrofon. Schließen Sie es, und versuchen Sie es dann noch einmal.",
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
    left: "Sie haben das Gespräch verlassen",
    dismissed: "Das Gespräch ist beendet",
    comeBack: "Wieder eintreten",
    back: "Zurück",
    replaced: "Das Gespräch ist in einem anderen Fenster offen.",
    refused: "Dieser Link gilt nicht mehr. Bitte öffnen Sie ihn noch einmal dort, wo Sie ihn erhalten haben.",
    unsupported: "Dieser Browser kann keine Videogespräche führen. Bitte nehmen Sie einen aktuellen."
  },
  en: {
    title: "Video call",
    checkTitle: "Check camera and microphone",
    checkText: "This is how you will be seen. Nobody sees you before you enter.",
    checkAnyway: "You may enter all the same, watch and listen. Nobody sees or hears you then.",
    tryAgain: "Try again",
    camera: "Camera",
    microphone: "Microphone",
    level: "Microphone level",
    testSound: "Play a test sound",
    ownPicture: "Your picture",
    ownCameraOff: "You cannot be seen",
    otherPicture: "Picture of {name}",
    enter: "Enter the waiting room",
    enterDoctor: "Open the consulting room",
    askAccess: "Your browser will ask whether camera and microphone may be used.",
    denied:
      "Your browser may not use camera and microphone. Allow both by the sign to the left of this page's address, then try again.",
    missing: "Neither camera nor microphone is connected.",
    inUse: "Another program is using the camera or the microphone. Close it, then try again.",
    waitTitle: "You are in the waiting room",
    waitNext: "You are next.",
    waitPosition: "{n} before you.",
    waitDoctorAbsent: "Nobody is in the consulting room yet.",
    waitDoctorBusy: "Another conversation is still going on.",
    waitDoctorThere: "{name} knows that you are here and will let you in shortly.",
    waitKeepOpen: "Keep this page open. There is nothing else you need to do.",
    doctorTitle: "Your consulting room",
    doctorEmpty: "Nobody is waiting at present.",
    waitingList: "In the waiting room",
    waitingSince: "for {n} min",
    waitingJustNow: "just now",
    admit: "Admit",
    end: "End conversation",
    mute: "Mute",
    unmute: "Unmute",
    cameraOff: "Camera off",
    cameraOn: "Camera on",
    leave: "Leave",
    connecting: "Connecting …",
    reconnecting: "The connection was interrupted. It will come back by itself …",
    otherCameraOff: "{name} has switched the camera off",
    otherMuted: "Muted",
    otherGone: "{name} is away at the moment. The conversation will go on by itself.",
    left: "You have left the conversation",
    dismissed: "The conversation has ended",
    comeBack: "Come back in",
    back: "Back",
    replaced: "The conversation is open in another window.",
    refused: "This link is no longer valid. Please open it again from where you received it.",
    unsupported: "This browser cannot hold video calls. Please use a current one."
  }
}
