export const absences = {
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
  preview: "Betroffene Termine anzeigen",
  booked: { one: "{n} gebuchter Termin in dieser Zeit", other: "{n} gebuchte Termine in dieser Zeit" },
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
  toCalendar: "Im Kalender ansehen"
}
