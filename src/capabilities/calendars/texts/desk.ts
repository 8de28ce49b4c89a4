/** Texts of staff's pages about calendars kept elsewhere. */
import { deskTexts } from "../../shared/texts/own.ts"
import { readingFaults } from "../schemas/BusySource.ts"
import { connectionFaults } from "../schemas/connections/CalendarConnection.ts"

export const deskTextsOf = deskTexts({
  de: {
    ofDoctor: {
      text: "Das gehört zu einer Ärztin oder einem Arzt. Noch ist niemand angelegt.",
      action: "Ärztin oder Arzt anlegen"
    },
    change: "Ändern",
    title: "Andere Kalender",
    empty: "Noch ist kein Kalender verbunden. Dafür brauchen Sie nur seine Adresse.",
    intro:
      "Zeiten, die hier in einem anderen Kalender belegt sind, werden nicht mehr zum Buchen angeboten. Gelesen werden nur Zeiten, keine Titel und keine Namen.",
    in: "Belegte Zeiten aus anderen Kalendern",
    new: "Kalender hinzufügen",
    kind: "Art",
    kinds: { ics: "Kalenderadresse (ICS)", caldav: "CalDAV mit Benutzername" },
    name: "Name",
    nameExample: "z. B. Dienstplan der Klinik",
    url: "Adresse",
    urlHelp:
      "Google: Einstellungen des Kalenders, „Privatadresse im iCal-Format“. Outlook: „Kalender freigeben“, „Kalender veröffentlichen“, ICS. Apple: Kalender freigeben, „Öffentlicher Kalender“.",
    username: "Benutzername",
    password: "Passwort",
    passwordKept: "Leer lassen, um das bisherige zu behalten; an einem anderen Server gilt es nicht",
    allDay: "Ganztägige Termine sperren den Tag",
    stale: "Wenn er 24 Stunden nicht gelesen werden konnte",
    stales: { keep: "die zuletzt gelesenen Zeiten behalten", close: "keine Termine mehr anbieten" },
    active: "Wird gelesen",
    add: "Hinzufügen und lesen",
    test: "Jetzt lesen",
    statuses: { waiting: "wird gleich gelesen", current: "aktuell", failing: "kann nicht gelesen werden" },
    off: "abgeschaltet",
    read: "Zuletzt gelesen {time}",
    never: "Noch nicht gelesen",
    found: {
      one: "{n} Eintrag in den folgenden vier Wochen, davon {days} ganztägig",
      other: "{n} Einträge in den folgenden vier Wochen, davon {days} ganztägig"
    },
    remove: "Kalender entfernen",
    removeQuestion: "„{name}“ entfernen? Die dort belegten Zeiten sind dann wieder buchbar.",
    faults: {
      refused: "Diese Adresse darf nicht gelesen werden. Bitte eine öffentliche Adresse mit https verwenden.",
      unreachable: "Der Server antwortet nicht. Bitte die Adresse prüfen; es wird alle zehn Minuten erneut versucht.",
      slow: "Der Server braucht zu lange. Es wird alle zehn Minuten erneut versucht; hilft das nicht, einen kleineren Kalender freigeben.",
      unauthorised: "Benutzername oder Passwort stimmen nicht. Bitte neu eintragen.",
      not_found: "Unter dieser Adresse gibt es keinen Kalender. Bitte die Adresse noch einmal kopieren.",
      redirected: "Die Adresse leitet auf eine andere weiter. Bitte diese eintragen.",
      status: "Der Server meldet einen Fehler. Es wird alle zehn Minuten erneut versucht.",
      too_large: "Der Kalender ist zu groß. Bitte einen kleineren freigeben.",
      not_a_calendar:
        "Die Adresse führt zu einer Webseite statt zu einem Kalender. Bitte die Adresse im iCal-Format (ICS) eintragen.",
      cut_short: "Der Kalender kam unvollständig an. Es wird erneut versucht.",
      sign_in:
        "Der Server verlangt eine andere Anmeldung als Benutzername und Passwort. Bitte den Kalender über eine geheime Adresse freigeben.",
      encoding: "Der Server sendet den Kalender auf unbekannte Weise komprimiert. Bitte eine andere Adresse eintragen."
    },
    notices: {
      skipped: {
        one: "{n} Eintrag war nicht lesbar, seine Zeit kann noch buchbar sein: bitte in jenem Kalender prüfen. {detail}",
        other:
          "{n} Einträge waren nicht lesbar, ihre Zeiten können noch buchbar sein: bitte in jenem Kalender prüfen. Der erste: {detail}"
      },
      zone: "Eine Zeitzone darin ist unbekannt und gilt als die des Arztes: {detail}"
    },
    own: {
      title: "Eigener Kalender, in beide Richtungen",
      intro:
        "Gelesen wird nur, wann Sie dort belegt sind, nie Titel, Orte oder Personen. Geschrieben werden Ihre Termine: die Zeit, ein Titel wie „Termin“ und ein Link hierher, ohne die Patientin oder den Patienten; höchstens Initialen, wenn Ihre Praxis das so einstellt.",
      empty: "Noch ist kein eigener Kalender verbunden.",
      ofDoctor: "Verbunden wird ein eigener Kalender von der Ärztin oder dem Arzt selbst, im eigenen Arbeitsbereich.",
      connect: { google: "Mit Google verbinden", microsoft: "Mit Microsoft verbinden" },
      providers: { google: "Google", microsoft: "Microsoft", caldav: "CalDAV" },
      caldav: "Mit einem anderen Kalender verbinden (CalDAV)",
      submit: "Verbinden",
      statuses: { waiting: "wird gleich gelesen", current: "verbunden", failing: "gestört" },
      choose: "Kalender wählen",
      reads: "{name}: belegte Zeiten lesen",
      writes: "{name}: Termine eintragen",
      chosen: "{name}: {what}",
      readOnly: "gelesen",
      writtenOnly: "beschrieben",
      both: "gelesen und beschrieben",
      written: "Zuletzt eingetragen {time}",
      disconnect: "Trennen",
      disconnectQuestion:
        "Die Verbindung zu {name} trennen? Eingetragene Termine bleiben dort stehen, belegte Zeiten sind wieder buchbar.",
      faults: {
        grant: "Der Kalender erlaubt den Zugriff nicht mehr. Bitte neu verbinden.",
        throttled: "Der Anbieter bittet um eine Pause. Es geht von selbst weiter.",
        unreachable: "Der Anbieter antwortet nicht. Es wird erneut versucht.",
        refused: "Der Anbieter lehnt die Anfrage ab. Es wird erneut versucht.",
        gone: "Den gewählten Kalender gibt es dort nicht mehr. Bitte einen anderen wählen."
      },
      notConnected: "Der Versuch ist abgelaufen oder wurde abgelehnt. Bitte den Kalender noch einmal verbinden.",
      day: "Anders im eigenen Kalender",
      missing: "fehlt im eigenen Kalender",
      failing: "konnte nicht eingetragen werden",
      moved: "steht im eigenen Kalender um {time}; der Termin gilt weiter hier",
      restore: "Wieder eintragen",
      moveBack: "Dort zurückschieben",
      move: "Termin hier verschieben",
      settings: "Was im Kalender der Ärztinnen und Ärzte steht",
      entryTitle: "Titel eines Termins",
      details: "Zusatz",
      detail: { none: "keiner", initials: "Initialen der Patientin oder des Patienten" }
    },
    out: "Diese Termine im eigenen Kalender",
    outOfDoctor:
      "Den umgekehrten Weg, Termine dieser Praxis im eigenen Kalender zu sehen, richtet die Ärztin oder der Arzt selbst im eigenen Arbeitsbereich unter „Andere Kalender“ ein: Die Adresse ist geheim."
  },
  en: {
    ofDoctor: { text: "This belongs to a doctor. There is none yet.", action: "Add a doctor" },
    change: "Change",
    title: "Other calendars",
    empty: "No calendar is connected yet. All it takes is its address.",
    intro:
      "Times that another calendar named here has taken are no longer offered for booking. Only times are read, no titles and no names.",
    in: "Busy times from other calendars",
    new: "Add a calendar",
    kind: "Kind",
    kinds: { ics: "Calendar address (ICS)", caldav: "CalDAV with a user name" },
    name: "Name",
    nameExample: "for example hospital rota",
    url: "Address",
    urlHelp:
      "Google: the calendar's settings, “Secret address in iCal format”. Outlook: “Shared calendars”, “Publish a calendar”, ICS. Apple: share the calendar, “Public calendar”.",
    username: "User name",
    password: "Password",
    passwordKept: "Leave empty to keep the present one; it does not apply to another server",
    allDay: "All-day events close the day",
    stale: "If it could not be read for 24 hours",
    stales: { keep: "keep the times read last", close: "offer no more appointments" },
    active: "Is read",
    add: "Add and read",
    test: "Read now",
    statuses: { waiting: "is read in a moment", current: "up to date", failing: "cannot be read" },
    off: "switched off",
    read: "Last read {time}",
    never: "Not read yet",
    found: {
      one: "{n} event in the following four weeks, {days} of them all-day",
      other: "{n} events in the following four weeks, {days} of them all-day"
    },
    remove: "Remove the calendar",
    removeQuestion: "Remove “{name}”? Its times can then be booked again.",
    faults: readingFaults,
    notices: {
      skipped: {
        one: "{n} event could not be read and may still be bookable: please check it in that calendar. {detail}",
        other:
          "{n} events could not be read and may still be bookable: please check them in that calendar. The first: {detail}"
      },
      zone: "A time zone in it is not known and is taken for the doctor's own: {detail}"
    },
    own: {
      title: "Your own calendar, both ways",
      intro:
        "Only when you are busy there is read, never titles, places or people. Your appointments are written: the time, a title such as “Termin” and a link to this workspace, without the patient; initials at most, where your practice sets it so.",
      empty: "No calendar of your own is connected yet.",
      ofDoctor: "A calendar of one's own is connected by the doctor, in the doctor's workspace.",
      connect: { google: "Connect with Google", microsoft: "Connect with Microsoft" },
      providers: { google: "Google", microsoft: "Microsoft", caldav: "CalDAV" },
      caldav: "Connect another calendar (CalDAV)",
      submit: "Connect",
      statuses: { waiting: "is read in a moment", current: "connected", failing: "disturbed" },
      choose: "Choose calendars",
      reads: "{name}: read busy times",
      writes: "{name}: write appointments",
      chosen: "{name}: {what}",
      readOnly: "read",
      writtenOnly: "written",
      both: "read and written",
      written: "Last written {time}",
      disconnect: "Disconnect",
      disconnectQuestion: "Disconnect {name}? Written appointments stay there, busy times can be booked again.",
      faults: connectionFaults,
      notConnected: "The attempt has ended or was refused. Please connect the calendar again.",
      day: "Different in your own calendar",
      missing: "is missing in your own calendar",
      failing: "could not be written",
      moved: "is at {time} in your own calendar; here the appointment stays as it is",
      restore: "Put it back",
      moveBack: "Move it back there",
      move: "Move the appointment here",
      settings: "What stands in the doctors' calendars",
      entryTitle: "Title of an appointment",
      details: "Addition",
      detail: { none: "none", initials: "the patient's initials" }
    },
    out: "These appointments in your own calendar",
    outOfDoctor:
      "The other way, seeing this practice's appointments in a calendar of one's own, is set up by the doctor in the doctor's workspace under “Other calendars”: the address is secret."
  }
})
