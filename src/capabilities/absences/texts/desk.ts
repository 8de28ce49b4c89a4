/** Texts of staff's pages about absences. */
import type { Language } from "../../../texts/language.ts"
import { deskTexts } from "../../shared/texts/own.ts"
import type { AbsenceKind } from "../schemas/Absence.ts"

export const deskTextsOf = deskTexts({
  de: {
    title: "Abwesenheiten",
    empty: {
      text: "Niemand ist abwesend. Urlaub, Krankheit und Fortbildung tragen Sie hier ein.",
      action: "Eintragen"
    },
    actions: {
      "management.absences.list": "Abwesenheiten angesehen",
      "management.absences.create": "Abwesenheit eingetragen",
      "management.absences.update": "Abwesenheit geändert",
      "management.absences.remove": "Abwesenheit beendet"
    },
    current: "Eingetragene Abwesenheiten",
    new: "Neue Abwesenheit",
    whom: "Wer?",
    all: "Alle (Praxis geschlossen)",
    kind: "Warum?",
    kinds: { vacation: "Urlaub", illness: "Krankheit", training: "Fortbildung" },
    otherKind: "Sonstiges",
    firstDay: "Erster Tag",
    lastDay: "Letzter Tag",
    fromTime: "ab (leer: ganzer Tag)",
    toTime: "bis (leer: ganzer Tag)",
    anySpecialty: "Verschieben auch zu einer anderen Fachrichtung",
    noRange: "Der letzte Tag liegt vor dem ersten, oder es sind mehr als 366 Tage. Bitte prüfen Sie die Daten.",
    preview: "Betroffene Termine anzeigen",
    booked: { one: "{n} gebuchter Termin in dieser Zeit", other: "{n} gebuchte Termine in dieser Zeit" },
    noneBooked: "In dieser Zeit ist nichts gebucht.",
    choiceHelp: "Für einzelne Termine können Sie hier etwas anderes wählen.",
    choice: "Was geschieht mit dem Termin?",
    asAll: "wie für alle",
    steps: { keep: "stehen lassen", move: "verschieben", offer: "um anderen Termin bitten", cancel: "absagen" },
    target: "→ {time}",
    noTarget: "kein Termin frei",
    notSearched: "wird beim Verschieben gesucht",
    settle: "Was soll geschehen?",
    keepAll: { one: "Nur sperren, der Termin bleibt", other: "Nur sperren, die {n} Termine bleiben" },
    blockOnly: "Zeit sperren",
    moveAll: { one: "Sperren und {n} Termin verschieben …", other: "Sperren und {n} Termine verschieben …" },
    offerAll: {
      one: "Sperren und für {n} Termin um einen anderen bitten …",
      other: "Sperren und für {n} Termine um einen anderen bitten …"
    },
    offerQuestion: {
      one: "Die Patientin oder den Patienten ({whom}) per E-Mail oder SMS bitten, einen anderen Termin zu wählen? Der Termin bleibt stehen, bis er verschoben oder abgesagt wird.",
      other:
        "Die Patienten von {n} Terminen ({whom}) per E-Mail oder SMS bitten, einen anderen Termin zu wählen? Jeder Termin bleibt stehen, bis er verschoben oder abgesagt wird."
    },
    offerNow: "Jetzt anfragen",
    offered: "Um einen anderen Termin gebeten",
    askAgain: {
      one: "{n} Patientin oder Patienten ohne Antwort noch einmal bitten …",
      other: "{n} Patienten ohne Antwort noch einmal bitten …"
    },
    askAgainQuestion: {
      one: "{n} Patientin oder Patient hat noch nicht geantwortet. Noch einmal per E-Mail oder SMS bitten?",
      other:
        "{n} Patienten haben noch nicht geantwortet. Noch einmal per E-Mail oder SMS bitten? Wer geantwortet hat, bekommt keine Nachricht."
    },
    noAnswer: "noch keine Antwort",
    answered: { cancelled: "verschoben oder abgesagt", over: "vorbei" },
    cancelAll: { one: "Sperren und {n} Termin absagen …", other: "Sperren und {n} Termine absagen …" },
    moveQuestion: {
      one: "{n} Termin ({whom}) verschieben und die Patientin oder den Patienten benachrichtigen? Er kommt auf die Zeit, die links steht, oder auf die nächste, die dann noch frei ist. Ist keine frei, bleibt er stehen.",
      other:
        "{n} Termine ({whom}) verschieben und die Patienten benachrichtigen? Jeder kommt auf die Zeit, die links steht, oder auf die nächste, die dann noch frei ist. Ist keine frei, bleibt er stehen."
    },
    cancelQuestion: {
      one: "{n} Termin ({whom}) absagen und die Patientin oder den Patienten benachrichtigen? Das lässt sich nicht zurücknehmen.",
      other: "{n} Termine ({whom}) absagen und die Patienten benachrichtigen? Das lässt sich nicht zurücknehmen."
    },
    message: "Grund, wie ihn die Patienten lesen",
    moveNow: "Jetzt verschieben",
    cancelNow: "Jetzt absagen",
    progress: "{done} von {all} Terminen erledigt",
    outcome: "{moved} verschoben, {offered} angefragt, {cancelled} abgesagt, {left} nicht möglich",
    left: "Diese Termine stehen noch",
    statuses: {
      waiting: "in Arbeit",
      moved: "verschoben",
      offered: "angefragt",
      cancelled: "abgesagt",
      left: "nicht möglich"
    },
    until: "Abwesend bis",
    back: "Ende ändern",
    backHelp:
      "Früher zurück? Ab dann sind wieder Termine buchbar. Verschobene und abgesagte Termine bleiben, wie sie sind.",
    end: "Abwesenheit aufheben …",
    endQuestion:
      "{whom}, {time}: Abwesenheit aufheben? Die Zeit ist dann wieder buchbar. Verschobene und abgesagte Termine kommen nicht zurück.",
    endNow: "Aufheben",
    toCalendar: "Im Kalender ansehen",
    toCalls: "Anrufliste: wen keine Nachricht erreicht hat"
  },
  en: {
    title: "Absences",
    empty: { text: "Nobody is away. Vacation, illness and training are entered here.", action: "Enter an absence" },
    actions: {
      "management.absences.list": "absences looked at",
      "management.absences.create": "absence entered",
      "management.absences.update": "absence changed",
      "management.absences.remove": "absence ended"
    },
    current: "Absences",
    new: "New absence",
    whom: "Who?",
    all: "All (the practice is closed)",
    kind: "Why?",
    kinds: { vacation: "Vacation", illness: "Illness", training: "Training" },
    otherKind: "Other",
    firstDay: "First day",
    lastDay: "Last day",
    fromTime: "from (empty: whole day)",
    toTime: "until (empty: whole day)",
    anySpecialty: "Move to doctors of another specialty too",
    noRange: "The last day lies before the first one, or there are more than 366 days. Please check the dates.",
    preview: "Show the appointments",
    booked: { one: "{n} booked appointment in this time", other: "{n} booked appointments in this time" },
    noneBooked: "Nothing is booked in this time.",
    choiceHelp: "You can choose something else for single appointments here.",
    choice: "What becomes of the appointment?",
    asAll: "as for all",
    steps: { keep: "keep", move: "move", offer: "ask for another time", cancel: "cancel" },
    target: "→ {time}",
    noTarget: "no time is free",
    notSearched: "searched when it is moved",
    settle: "What should happen?",
    keepAll: { one: "Close, keep the appointment", other: "Close, keep the {n} appointments" },
    blockOnly: "Close the time",
    moveAll: { one: "Close and move {n} appointment …", other: "Close and move {n} appointments …" },
    offerAll: {
      one: "Close and ask the patient of {n} appointment for another time …",
      other: "Close and ask the patients of {n} appointments for another time …"
    },
    offerQuestion: {
      one: "Ask the patient ({whom}) by mail or SMS to choose another time? The appointment stands until it is moved or cancelled.",
      other:
        "Ask the patients of {n} appointments ({whom}) by mail or SMS to choose another time? Each appointment stands until it is moved or cancelled."
    },
    offerNow: "Ask now",
    offered: "Asked for another time",
    askAgain: {
      one: "Ask {n} patient without an answer again …",
      other: "Ask {n} patients without an answer again …"
    },
    askAgainQuestion: {
      one: "{n} patient has not answered yet. Ask once more by mail or SMS?",
      other: "{n} patients have not answered yet. Ask them once more by mail or SMS? Those who answered get no message."
    },
    noAnswer: "no answer yet",
    answered: { cancelled: "moved or cancelled", over: "over" },
    cancelAll: { one: "Close and cancel {n} appointment …", other: "Close and cancel {n} appointments …" },
    moveQuestion: {
      one: "Move {n} appointment ({whom}) and tell the patient? It gets the time on the left, or the next one that is free by then. If none is, it stays.",
      other:
        "Move {n} appointments ({whom}) and tell the patients? Each gets the time on the left, or the next one that is free by then. If none is, it stays."
    },
    cancelQuestion: {
      one: "Cancel {n} appointment ({whom}) and tell the patient? This cannot be undone.",
      other: "Cancel {n} appointments ({whom}) and tell the patients? This cannot be undone."
    },
    message: "Reason, as the patients read it",
    moveNow: "Move now",
    cancelNow: "Cancel now",
    progress: "{done} of {all} appointments settled",
    outcome: "{moved} moved, {offered} asked, {cancelled} cancelled, {left} not possible",
    left: "These appointments still stand",
    statuses: {
      waiting: "in progress",
      moved: "moved",
      offered: "asked",
      cancelled: "cancelled",
      left: "not possible"
    },
    until: "Away until",
    back: "Change the end",
    backHelp:
      "Back earlier? From then on times can be booked again. Moved and cancelled appointments stay as they are.",
    end: "End the absence …",
    endQuestion:
      "{whom}, {time}: end the absence? The time can be booked again. Moved and cancelled appointments do not come back.",
    endNow: "End it",
    toCalendar: "Show in the calendar",
    toCalls: "Calls to make: whom no message has reached"
  }
})

/** The word for a kind of absence. */
export const kindText = (language: Language, kind: AbsenceKind) => {
  const { kinds, otherKind } = deskTextsOf(language)
  return kind === "other" ? otherKind : kinds[kind]
}
