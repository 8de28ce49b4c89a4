import type { Shape } from "../../../texts/shape.ts"
import type { absences as de } from "./absences.de.ts"

export const absences: Shape<typeof de> = {
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
  preview: "Show the appointments",
  booked: { one: "{n} booked appointment in this time", other: "{n} booked appointments in this time" },
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
  statuses: { waiting: "in progress", moved: "moved", offered: "asked", cancelled: "cancelled", left: "not possible" },
  until: "Away until",
  back: "Change the end",
  backHelp: "Back earlier? From then on times can be booked again. Moved and cancelled appointments stay as they are.",
  end: "End the absence …",
  endQuestion:
    "{whom}, {time}: end the absence? The time can be booked again. Moved and cancelled appointments do not come back.",
  endNow: "End it",
  toCalendar: "Show in the calendar"
}
