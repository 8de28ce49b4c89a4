import type { Shape } from "../../../texts/shape.ts"
import type { OwnTexts } from "./de.ts"

export const en: Shape<OwnTexts> = {
  title: "An appointment has become free",
  facts: {
    when: "When",
    what: "Appointment",
    doctor: "With",
    until: "Held for you until",
    first: "Not held: whoever accepts first gets it. Answer by",
    replaces: "Instead of your appointment on"
  },
  accept: "Accept this appointment",
  decline: "No, thank you",
  leave: "Leave the waiting list",
  goOn: "Keep telling me about free appointments",
  accepted: { title: "Your appointment is booked" },
  keeps: "You keep your place on the waiting list. We will let you know when another time becomes free.",
  declined: { title: "Thank you for your answer" },
  lapsed: {
    title: "This offer has expired",
    text: "You can still accept it as long as the time is free."
  },
  lost: {
    title: "This time is gone",
    text: "Somebody else was a little faster."
  },
  left: {
    title: "You are no longer on the waiting list",
    text: "Your appointments stay as they are."
  },
  paused: "You have not answered three offers, so we will not send any more for now.",
  ask: {
    link: "Nothing suits? Join the waiting list",
    short: "Join the waiting list",
    title: "Join the waiting list",
    text: "When a suitable appointment becomes free, we will offer it to you. You can then accept or decline it.",
    weekdays: "On which days?",
    open: "If you choose nothing, anything suits.",
    until: "Until when?",
    days: {
      14: "in the next 2 weeks",
      30: "in the next 4 weeks",
      90: "in the next 3 months",
      180: "in the next 6 months"
    },
    submit: "Join the waiting list",
    change: "Change my wishes",
    save: "Save my wishes",
    back: "To the available times"
  },
  sooner: {
    title: "Prefer an earlier appointment?",
    text: "When an earlier appointment becomes free, we will offer it to you. You keep your current one until you accept an earlier one.",
    submit: "Ask for an earlier appointment",
    waiting: "You are waiting for an earlier appointment. We will let you know when one becomes free.",
    leave: "Stop waiting for an earlier one"
  },
  entry: {
    title: "Your waiting list",
    saved: "You are on the waiting list. We will let you know when a suitable appointment becomes free.",
    changed: "Your wishes have been saved. You keep your place on the waiting list.",
    refused: "That is not possible. You can see the current status below.",
    tooMany: "You are already on the waiting list several times. Please remove one entry first.",
    waiting: "You are waiting for an appointment.",
    offered: "We have offered you an appointment. Please check your messages.",
    paused: "Paused: you get no offers at the moment.",
    booked: "You have accepted an appointment.",
    ended: "This entry has ended.",
    pause: "Pause",
    days: "Days",
    times: "Time of day",
    until: "Until",
    any: "any",
    sooner: "Earlier than"
  },
  entered: {
    greeting: "Hello,",
    subject: "You are on the waiting list: {organisation}",
    opening: "You are now on our waiting list. When a suitable appointment becomes free, we will offer it to you.",
    label: "View, pause or leave",
    hint: "If you did not want this, you can leave the list through this link."
  }
}
