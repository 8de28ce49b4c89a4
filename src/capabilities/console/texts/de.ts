import { deskTextsOf } from "../../shared/texts/desk.ts"
import { calendar } from "./calendar.de.ts"
import { did } from "./did.de.ts"
import { doctor } from "./doctor.de.ts"
import { empty } from "./empty.de.ts"
import { operator } from "./operator.de.ts"
import { pharmacy } from "./pharmacy.de.ts"
import { practice } from "./practice.de.ts"
import { problems } from "./problems.de.ts"
import { team } from "./team.de.ts"

const shared = deskTextsOf("de")

export const de = {
  frame: {
    ...shared.frame,
    skip: "Zum Inhalt springen",
    workspaces: "Arbeitsbereiche",
    group: "Einstellungen",
    pages: "Seiten",
    menu: "Menü",
    language: "Sprache",
    signOut: "Abmelden",
    cut: "Keine Verbindung: Diese Seite aktualisiert sich gerade nicht. Die Verbindung wird wiederhergestellt.",
    done: "Erledigt.",
    did,
    nothingSent: "Es geht keine Nachricht hinaus.",
    unreachable: "Es geht keine Nachricht hinaus, weil keine E-Mail-Adresse bekannt ist. Bitte rufen Sie an.",
    shownOnce: "Nur jetzt zu sehen, bitte gleich kopieren:",
    search: "Suchen",
    searchPeople: "Patient suchen (Alt+S)",
    thisWeek: "Diese Woche",
    weekOf: "Woche ab {day}"
  },
  workspaces: { doctor: "Ärztin oder Arzt", admin: "Praxis", pharmacy: "Apotheke", operator: "Systembetrieb" },
  failures: {
    missing: { title: "Nicht gefunden", text: "Das gibt es nicht, oder es gehört nicht zu Ihnen." },
    refused: {
      title: "Nicht ausgeführt",
      text: "Das Formular stammt nicht aus dieser Anmeldung. Bitte laden Sie die Seite neu und versuchen Sie es noch einmal."
    },
    forbidden: {
      title: "Keine Berechtigung",
      text: "Ihre Rolle in der Praxis erlaubt das nicht. Bitte wenden Sie sich an die Praxisleitung."
    },
    signedOut: {
      title: "Die Anmeldung ist abgelaufen",
      text: "Bitte melden Sie sich in einem neuen Fenster an und öffnen Sie diese Seite dann noch einmal. Ihre Eingaben bleiben erhalten, und ein Gespräch läuft weiter.",
      signIn: "Anmelden",
      again: "Noch einmal öffnen"
    },
    tooMany: { title: "Einen Augenblick bitte", text: "Das waren gerade sehr viele Anfragen." },
    failed: {
      title: "Das hat nicht geklappt",
      text: "Der Fehler liegt bei uns. Bitte versuchen Sie es gleich noch einmal."
    }
  },
  account: {
    title: "Anmeldung und Passkeys",
    link: "Anmeldung",
    back: "Zurück zur Arbeit",
    text: "Mit einem Passkey melden Sie sich ohne Code an: mit Fingerabdruck, Gesicht oder PIN Ihres Geräts.",
    none: "Noch keiner angelegt.",
    name: "Name des neuen Passkeys, zum Beispiel „Laptop“",
    standardName: "Passkey",
    add: "Passkey anlegen",
    remove: "{name} entfernen",
    since: "{name}, angelegt am {date}",
    unavailable: "Diese Installation hat keinen Namen als Adresse: Browser legen dafür keine Passkeys an.",
    refused: "Der Passkey konnte nicht angelegt werden. Bitte versuchen Sie es noch einmal.",
    places: "Wo möchten Sie arbeiten?",
    choose: "{name} öffnen"
  },
  signIn: {
    byMail: {
      title: "Anmelden",
      passkey: "Mit Passkey anmelden",
      or: "Oder mit einem Code, den wir Ihnen per E-Mail schicken:",
      email: "E-Mail-Adresse",
      send: "Code anfordern",
      invalid: "Bitte geben Sie eine E-Mail-Adresse ein.",
      codeTitle: "Code eingeben",
      codeText:
        "Gehört {email} zu einem Zugang, ist ein Code dorthin unterwegs. Er gilt zehn Minuten; es gilt nur der neueste.",
      code: "Code aus der E-Mail",
      enter: "Anmelden",
      wrong: "Dieser Code stimmt nicht oder gilt nicht mehr.",
      another: "Neuen Code anfordern",
      passkeyRefused: "Dieser Passkey ist hier nicht bekannt. Bitte fordern Sie einen Code an.",
      accept: "Annehmen und anmelden",
      operator: "Sie sind eingeladen, diese Installation zu betreiben."
    },
    notSetUp: {
      title: "Die Anmeldung ist nicht eingerichtet",
      text: "Der Systembetrieb muss OIDC_CLIENT_ID setzen, und außerhalb des eigenen Rechners eine Adresse mit https."
    },
    unavailable: {
      title: "Der Anmeldedienst antwortet nicht",
      text: "Bitte versuchen Sie es gleich noch einmal.",
      again: "Noch einmal anmelden"
    },
    refused: {
      title: "Die Anmeldung hat nicht geklappt",
      text: "Der Anmeldedienst hat Sie nicht bestätigt, oder es hat zu lange gedauert.",
      again: "Noch einmal anmelden"
    },
    noRole: {
      title: "Keine Berechtigung",
      text: "Ihr Konto hat hier keine Rolle. Bitte wenden Sie sich an Ihre Verwaltung.",
      again: "Anders anmelden"
    },
    invitation: {
      title: "Einladung",
      text: "{practice} hat Sie ({name}) zur gemeinsamen Arbeit eingeladen. Melden Sie sich an, um die Einladung anzunehmen.",
      accept: "Anmelden und annehmen"
    },
    invitationGone: {
      title: "Die Einladung gilt nicht mehr",
      text: "Sie wurde schon angenommen, ist älter als sieben Tage, oder Ihr Konto gehört schon zu einer Praxis. Bitte lassen Sie sich neu einladen.",
      again: "Anmelden"
    },
    signedOut: { title: "Abgemeldet", text: "Sie sind abgemeldet.", again: "Anmelden" },
    ending: "Sie werden abgemeldet",
    onward: "Weiter"
  },
  developmentIssuer: {
    title: "Wer möchten Sie sein?",
    text: "Dieser Anmeldedienst läuft nur auf diesem Rechner und fragt nicht nach einem Passwort."
  },
  problems: { ...shared.problems, ...problems },
  statuses: shared.statuses,
  formats: { DIGITAL: "Video", IN_PERSON: "Praxis" },
  webhooks: {
    subscriptions: "Abonnements",
    active: "aktiv",
    inactive: "abgeschaltet",
    test: "Testen",
    switchOff: "Abschalten",
    switchOn: "Einschalten",
    rotate: "Neuer geheimer Schlüssel",
    create: "Abonnement anlegen",
    address: "Adresse",
    types: "Ereignisse",
    deliveries: "Zustellungen",
    change: "Ändern",
    sentData: "Gesendete Daten",
    replay: "Noch einmal senden",
    statuses: { pending: "wartet", delivered: "zugestellt", failed: "fehlgeschlagen" }
  },
  calendar,
  doctor,
  empty: { ...shared.empty, ...empty },
  operator,
  pharmacy,
  practice: { ...shared.words, ...practice },
  team
}
