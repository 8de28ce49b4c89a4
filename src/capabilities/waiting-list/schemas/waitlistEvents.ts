/** Events of the waiting list, and the messages that they lead to. */
import { Schema } from "effect"
import { event } from "../../../schemas/events/definition.ts"
import * as example from "../../../schemas/events/exampleRecords.ts"
import { described } from "../../../schemas/fields.ts"
import { AppointmentUid, PatientUid } from "../../../schemas/ids.ts"
import { on, PAGE_PLACE } from "../../../schemas/notifications/notices.ts"
import { EventOffer, WaitlistEntry } from "./Waitlist.ts"

const created_at = 1_893_400_000

const waitlistEntry: typeof WaitlistEntry.Encoded = {
  uid: "wle_example",
  patient_uid: "pat_example",
  appointment_type_uid: "aty_demo_consultation",
  doctor_uids: [],
  from: created_at,
  to: created_at + 30 * 86_400,
  weekdays: [0, 1, 2],
  times: [{ from: 480, to: 720 }],
  appointment_uid: null,
  need: "routine",
  need_reason: null,
  status: "offered",
  offers_made: 1,
  created_at,
  updated_at: created_at
}

const waitlistOffer: typeof EventOffer.Encoded = {
  uid: "wlf_example",
  doctor_uid: "doc_example",
  start_date: created_at + 3 * 86_400,
  end_date: created_at + 3 * 86_400 + 1_200,
  sent_at: created_at,
  expires_at: created_at + 7_200
}

export const waitlistEvents = {
  "waitlist.offered": event("waitlist.offered", {
    description:
      "A patient on the waiting list is offered a time that became free; the service's own mail or SMS follows at `sent_at` where the patient has an address",
    owners: ["organisation"],
    notification_type: "WAITLIST_OFFERED",
    data: { entry: WaitlistEntry, patient_uid: PatientUid, offer: EventOffer },
    example: { entry: waitlistEntry, ...example.patientReference, offer: waitlistOffer }
  }),
  "waitlist.accepted": event("waitlist.accepted", {
    description: "A patient on the waiting list has accepted an offer. The booking or the move has its own event",
    owners: ["organisation"],
    notification_type: "WAITLIST_ACCEPTED",
    data: {
      entry: WaitlistEntry,
      patient_uid: PatientUid,
      appointment_uid: described(AppointmentUid, "The appointment"),
      previous_meeting_uid: Schema.NullOr(AppointmentUid).annotations({
        description: "The appointment that was moved; null: a new booking"
      })
    },
    example: {
      entry: { ...waitlistEntry, status: "booked" },
      ...example.patientReference,
      appointment_uid: "apt_example",
      previous_meeting_uid: null
    }
  }),
  "waitlist.paused": event("waitlist.paused", {
    description: "An entry of the waiting list is paused: three offers, one after another, were left unanswered",
    owners: ["organisation"],
    notification_type: "WAITLIST_PAUSED",
    data: { entry: WaitlistEntry, patient_uid: PatientUid },
    example: { entry: { ...waitlistEntry, status: "paused", offers_made: 3 }, ...example.patientReference }
  })
} as const

type Events = typeof waitlistEvents
declare module "../../../schemas/events/catalogue.ts" {
  interface EventDefinitions extends Events {}
}

export const waitlistNoticeKinds = {
  waitlist_offer: {
    about: "record",
    places: ["when", "until", PAGE_PLACE],
    on: on("waitlist.offered", ({ patient_uid, offer }) => ({
      role: "patient",
      uid: patient_uid,
      due_at: offer.sent_at
    }))
  },
  waitlist_paused: {
    about: "record",
    places: [PAGE_PLACE],
    on: on("waitlist.paused", ({ patient_uid }) => ({ role: "patient", uid: patient_uid }))
  }
} as const

type Kinds = typeof waitlistNoticeKinds
declare module "../../../schemas/notifications/notices.ts" {
  interface Notices extends Kinds {}
}
