import type { Shape } from "../../../texts/shape.ts"
import type { calendar as de } from "./calendar.de.ts"

export const calendar: Shape<typeof de> = {
  view: "View",
  views: { day: "Day", week: "Week", list: "List", next: "Next free time" },
  states: {
    booked: "booked",
    held: "held",
    waiting: "waiting",
    in_call: "in the call",
    completed: "took place",
    no_show: "did not come",
    cancelled: "cancelled",
    moved: "moved",
    expired: "expired"
  },
  movedTo: "Moved to",
  state: "State",
  time: "Time",
  free: "free",
  busy: "other calendar",
  closed: "no hours",
  filter: "Day and type",
  legend: "Legend",
  help: "Press a free time to book it, an appointment to open it. Drag an appointment to a free time to move it; you are asked first. Arrow keys go from entry to entry.",
  moreBeside: "{n} more at the same time",
  alsoAbsent: "Also show {n} without hours on this day",
  onlyPresent: "Only show doctors with hours",
  moveHere: "Move in the calendar",
  moveElsewhere: "Move, from this day on",
  wholePage: "All details",
  close: "Close",
  pressTarget: "Press the new time in the calendar. The date leads to other days.",
  moveQuestion: "Move to {time}? The patient will be told.",
  moveNow: "Move",
  dontMove: "Do not move",
  doesNotFit: "This time is not free for the appointment, or too short. Choose another one.",
  cancelQuestion: "Cancel the appointment of {who} on {time}? The patient will be told.",
  completeQuestion:
    "{who}, {time}: did the appointment take place? It then counts as a visit and can no longer be moved or cancelled. This can be undone for ten minutes.",
  noShowQuestion:
    "{who} did not come on {time}? The appointment then counts as missed, and its link no longer opens the call. This can be undone for ten minutes.",
  undo: "Undo",
  squeezedIn: "squeezed in",
  squeezeIn: "Squeeze somebody in at this time …",
  squeezeQuestion: "Squeeze in at {time}?",
  why: {
    closed: "This is outside of the hours.",
    busy: "At this time: {what}.",
    elsewhere: "At this time there is an appointment in another calendar.",
    taken: "Booked already at this time: {others}."
  },
  walkIn: "Squeeze in",
  walkInHelp: "At any time, also outside of the hours. In the calendar, press on the time.",
  walkInTime: "Time",
  squeezeNow: "Squeeze in"
}
