/** The waiting list: entries of patients who wait for a time that becomes free, and offers of such times (section 19). */
import { Schema } from "effect"
import {
  body,
  Count,
  changes,
  described,
  integer,
  listOf,
  MinuteOfDay,
  OptionalText,
  omittable,
  oneOf,
  optional,
  UnixSeconds,
  withDefault,
  withExample
} from "../../../schemas/fields.ts"
import { AppointmentTypeUid, AppointmentUid, DoctorUid, PatientUid, uid } from "../../../schemas/ids.ts"
import { keys, pageQuery, updatedAfter } from "../../../schemas/paging.ts"

export const WaitlistEntryUid = uid("WaitlistEntryUid", "wle")
export type WaitlistEntryUid = typeof WaitlistEntryUid.Type
export const WaitlistOfferUid = uid("WaitlistOfferUid", "wlf")
export type WaitlistOfferUid = typeof WaitlistOfferUid.Type

/** Longest range of an entry, days. */
export const ENTRY_DAYS_MAX = 180
/** Live entries of a patient. */
export const ENTRIES_MAX = 5

export const Need = oneOf("routine", "soon", "urgent").annotations({
  description: "How much the patient needs it: `urgent` is asked first, then `soon`; set by keys and staff alone"
})
export type Need = typeof Need.Type

const statuses = ["waiting", "offered", "paused", "booked", "ended"] as const
export const EntryStatus = oneOf(...statuses).annotations({
  description: "`offered`: an offer is open; `paused`: three offers were left unanswered; `booked`: one was accepted"
})
export type EntryStatus = typeof EntryStatus.Type

const TimeOfDay = Schema.Struct({
  from: MinuteOfDay,
  to: MinuteOfDay
}).annotations({
  description: "Minutes of the day in the doctor's zone: starts in `[from, to)`",
  examples: [{ from: 480, to: 720 }]
})

const wish = {
  doctor_uids: listOf(DoctorUid, {
    max: 100,
    description: "Doctors to choose from; empty: any",
    example: ["doc_demo_1"]
  }),
  from: described(UnixSeconds, "First start that suits, Unix seconds; default now"),
  to: UnixSeconds.annotations({
    description: `Starts before it suit, Unix seconds; at most ${ENTRY_DAYS_MAX} days after \`from\`, which is the default`
  }),
  weekdays: listOf(integer(0, 6, "0 = Monday"), {
    max: 7,
    description: "Weekdays that suit, 0 = Monday, in the doctor's zone; empty: all",
    example: [0, 2]
  }),
  times: listOf(TimeOfDay, {
    max: 10,
    description: "Times of the day that suit, in the doctor's zone; empty: all",
    example: [{ from: 480, to: 720 }]
  }),
  appointment_uid: Schema.NullOr(AppointmentUid).annotations({
    description: "The patient's confirmed appointment that an earlier time replaces; null: none"
  })
}

export const WaitlistEntry = Schema.Struct({
  uid: WaitlistEntryUid,
  patient_uid: PatientUid,
  appointment_type_uid: AppointmentTypeUid,
  ...wish,
  need: Need,
  need_reason: Schema.NullOr(Schema.String).annotations({
    description:
      "Why it is needed, in the practice's words; null: none was given, and always in events and for the patient",
    examples: ["Fieber seit drei Tagen"]
  }),
  status: EntryStatus,
  offers_made: described(Count, "Offers that were made so far"),
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}).annotations({ identifier: "WaitlistEntry" })
export type WaitlistEntry = typeof WaitlistEntry.Type

const needReason = OptionalText.annotations({
  description: "Why it is needed, in the practice's words; kept sealed. At most 2000 characters",
  examples: ["Fieber seit drei Tagen"]
})

const newWish = {
  doctor_uids: withDefault(wish.doctor_uids, []),
  from: optional(wish.from),
  to: optional(wish.to),
  weekdays: withDefault(wish.weekdays, []),
  times: withDefault(wish.times, [])
}

export const NewWaitlistEntry = withExample(
  body({
    patient_uid: PatientUid,
    appointment_type_uid: AppointmentTypeUid,
    ...newWish,
    appointment_uid: withDefault(wish.appointment_uid, null),
    need: withDefault(Need, "routine"),
    need_reason: withDefault(needReason, null)
  }),
  {
    patient_uid: "pat_demo",
    appointment_type_uid: "aty_demo_consultation",
    weekdays: [0, 1, 2],
    times: [{ from: 480, to: 720 }],
    need: "soon"
  }
)
export type NewWaitlistEntry = typeof NewWaitlistEntry.Type

/** By launch code: the patient is the session's, and the type unless the session moves an appointment. */
export const OwnWaitlistEntry = withExample(
  body({
    appointment_type_uid: described(optional(AppointmentTypeUid), "The session's type, which is the default"),
    ...newWish,
    appointment_uid: optional(wish.appointment_uid).annotations({
      description: "An own confirmed appointment that an earlier time replaces; default that of a rebooking session"
    })
  }),
  { weekdays: [0, 1, 2], times: [{ from: 480, to: 720 }] }
)
export type OwnWaitlistEntry = typeof OwnWaitlistEntry.Type

export const WaitlistEntryChanges = withExample(
  changes({
    ...wish,
    need: Need,
    need_reason: needReason,
    status: oneOf("waiting", "paused", "ended").annotations({
      description: "`waiting` goes on after a pause, `paused` gets no offers, `ended` is final"
    })
  }),
  { need: "urgent" }
)
export type WaitlistEntryChanges = typeof WaitlistEntryChanges.Type

export const WaitlistEntryQuery = body({
  ...pageQuery(200, Schema.Tuple(keys.time, keys.text)),
  ...updatedAfter,
  patient_uid: described(omittable(PatientUid), "Only this patient's"),
  appointment_type_uid: described(omittable(AppointmentTypeUid), "Only for this type"),
  status: described(omittable(EntryStatus), "Only of this status"),
  need: described(omittable(Need), "Only of this need")
})
export type WaitlistEntryQuery = typeof WaitlistEntryQuery.Type

export const OfferStatus = oneOf("offered", "accepted", "declined", "lapsed", "lost").annotations({
  description: "`lapsed`: left unanswered; `lost`: somebody else was first, or the time is gone"
})
export type OfferStatus = typeof OfferStatus.Type

const Replaced = Schema.Struct({
  appointment_uid: AppointmentUid,
  start_date: UnixSeconds,
  end_date: UnixSeconds
})

/** An offer as the bearer of its code sees it: without patient data. */
export const WaitlistOffer = Schema.Struct({
  appointment_type_name: described(Schema.String, "Name of the type"),
  doctor_display_name: described(Schema.String, "Name of the doctor"),
  start_date: UnixSeconds,
  end_date: UnixSeconds,
  expires_at: described(UnixSeconds, "Until when it can be accepted for certain, or is first come, first served"),
  status: OfferStatus,
  replaces: described(Schema.NullOr(Replaced), "The appointment that accepting moves; null: none")
}).annotations({ identifier: "WaitlistOffer" })
export type WaitlistOffer = typeof WaitlistOffer.Type

export const EventOffer = Schema.Struct({
  uid: WaitlistOfferUid,
  doctor_uid: DoctorUid,
  start_date: UnixSeconds,
  end_date: UnixSeconds,
  sent_at: described(UnixSeconds, "When the service's own mail or SMS goes out: quiet hours delay it"),
  expires_at: UnixSeconds
}).annotations({ identifier: "WaitlistEventOffer" })
export type EventOffer = typeof EventOffer.Type

/** An offer that was made to an entry. */
export const EntryOffer = Schema.Struct({
  uid: WaitlistOfferUid,
  doctor_uid: DoctorUid,
  start_date: UnixSeconds,
  end_date: UnixSeconds,
  need: described(Need, "The entry's need when the offer was made"),
  status: OfferStatus,
  offered_at: UnixSeconds,
  sent_at: described(UnixSeconds, "When its mail or SMS goes out: quiet hours delay it"),
  expires_at: UnixSeconds,
  answered_at: described(Schema.NullOr(UnixSeconds), "When it was accepted or declined; null: neither"),
  appointment_uid: described(Schema.NullOr(AppointmentUid), "The booking of an accepted one")
}).annotations({ identifier: "WaitlistEntryOffer" })
export type EntryOffer = typeof EntryOffer.Type

export const PassedOverBecause = oneOf(
  "more_need",
  "waits_longer",
  "had_offer",
  "asked_before",
  "need_changed",
  "not_waiting"
).annotations({
  description:
    "`more_need`, `waits_longer`: the other was first in the order; `had_offer`: this entry had an open offer; `asked_before`: it had " +
    "declined this time or left it unanswered; `need_changed`: its need was another then; `not_waiting`: it was paused, or its wish another"
})

/** An offer to somebody else, of a time that the entry wishes. */
export const PassedOver = Schema.Struct({
  offer_uid: WaitlistOfferUid,
  waitlist_entry_uid: described(WaitlistEntryUid, "Who was offered the time"),
  doctor_uid: DoctorUid,
  start_date: UnixSeconds,
  end_date: UnixSeconds,
  offered_at: UnixSeconds,
  because: PassedOverBecause
}).annotations({ identifier: "WaitlistPassedOver" })
export type PassedOver = typeof PassedOver.Type

export const EntryOffers = Schema.Struct({
  offers: described(Schema.Array(EntryOffer), "Offers made to the entry, the newest first"),
  passed_over: Schema.Array(PassedOver).annotations({
    description: "The newest 50 offers to others of times that the entry wishes, each with the reason"
  })
}).annotations({ identifier: "WaitlistEntryOffers" })
export type EntryOffers = typeof EntryOffers.Type

/** In the export of a patient. */
export const ExportedWaitlistEntry = Schema.Struct({
  ...WaitlistEntry.fields,
  offers: described(Schema.Array(EntryOffer), "Times that were offered")
}).annotations({ identifier: "ExportedWaitlistEntry" })
