// SPDX-License-Identifier: Apache-2.0
// Made by `bun script/generate/client.ts` from the OpenAPI document. Changes here are lost.

export type StaffAppointment = {
  uid: string
  /** Status of the appointment */
  status: "held" | "confirmed" | "cancelled" | "expired" | "completed" | "no_show"
  doctor_uid: string
  /** Name of the doctor */
  doctor_display_name: string
  patient_uid: string
  /** Name of the patient */
  patient_display_name: string
  /** null without a type */
  appointment_type_uid: string | null
  /** Name of the appointment type; null without a type */
  appointment_type_name: string | null
  /** Why the patient comes; null when not given */
  visit_reason: string | null
  /** What kind of consultation it is */
  meeting_type: "CONSULTATION" | "FOLLOW_UP" | "INITIAL" | "REVIEW" | "ON_DEMAND"
  /** By video or at the practice */
  meeting_format: "DIGITAL" | "IN_PERSON"
  /** Unix seconds */
  start_date: number
  /** Unix seconds */
  end_date: number
  /** Unix seconds */
  created_at: number
  /** The last change of this record; the second it expired, of a hold */
  updated_at: number
  /** Unix seconds; null unless cancelled */
  cancelled_at: number | null
  /** Reason given at cancellation; null without one */
  cancellation_reason: string | null
  /** Rooms, devices and persons that it takes; empty without any */
  resources: ReadonlyArray<TakenResource>
  /** Doctors that it takes beside `doctor_uid`; empty without any */
  further_doctors: ReadonlyArray<FurtherDoctor>
  /** The appointment that it replaced */
  previous_meeting_uid: string | null
  /** The same for all that were booked as one act; null: booked alone */
  series_uid: string | null
  /** The appointment in the doctor's own calendar. `none`: none is written. `missing`: the doctor removed it there. `failing`: it could not be written for an hour */
  calendar_entry: "none" | "waiting" | "written" | "missing" | "failing"
}

export type TakenResource = {
  uid: string
  /** A room, a device, or a person who is no doctor, such as an interpreter */
  kind: "room" | "device" | "person"
  /** Name of the resource */
  name: string
}

export type FurtherDoctor = {
  uid: string
  /** Name of the doctor */
  display_name: string
}

export type BookedAppointment = {
  uid: string
  /** Status of the appointment */
  status: "held" | "confirmed" | "cancelled" | "expired" | "completed" | "no_show"
  doctor_uid: string
  /** Name of the doctor */
  doctor_display_name: string
  patient_uid: string
  /** Name of the patient */
  patient_display_name: string
  /** null without a type */
  appointment_type_uid: string | null
  /** Name of the appointment type; null without a type */
  appointment_type_name: string | null
  /** Why the patient comes; null when not given */
  visit_reason: string | null
  /** What kind of consultation it is */
  meeting_type: "CONSULTATION" | "FOLLOW_UP" | "INITIAL" | "REVIEW" | "ON_DEMAND"
  /** By video or at the practice */
  meeting_format: "DIGITAL" | "IN_PERSON"
  /** Unix seconds */
  start_date: number
  /** Unix seconds */
  end_date: number
  /** Unix seconds */
  created_at: number
  /** The last change of this record; the second it expired, of a hold */
  updated_at: number
  /** Unix seconds; null unless cancelled */
  cancelled_at: number | null
  /** Reason given at cancellation; null without one */
  cancellation_reason: string | null
  /** Rooms, devices and persons that it takes; empty without any */
  resources: ReadonlyArray<TakenResource>
  /** Doctors that it takes beside `doctor_uid`; empty without any */
  further_doctors: ReadonlyArray<FurtherDoctor>
  /** The appointment that it replaced */
  previous_meeting_uid: string | null
  /** The same for all that were booked as one act; null: booked alone */
  series_uid: string | null
  /** The patient's other confirmed appointments at the same time, at most ten, by start */
  overlaps: ReadonlyArray<{
    uid: string
    /** Unix seconds */
    start_date: number
    /** Name of the doctor */
    doctor_display_name: string
  }>
  /** Profile fields of the token or the request whose values could not be used; absent without any */
  ignored_profile_fields?: ReadonlyArray<string>
  /** The appointment in the doctor's own calendar. `none`: none is written. `missing`: the doctor removed it there. `failing`: it could not be written for an hour */
  calendar_entry: "none" | "waiting" | "written" | "missing" | "failing"
}

export type StaffCancelledAppointment = {
  appointment_uid: string
  /** Status of the appointment */
  status: "cancelled"
  /** Unix seconds */
  cancelled_at: number
  /** Reason given at cancellation; null without one */
  cancellation_reason: string | null
  /** The appointment in the doctor's own calendar. `none`: none is written. `missing`: the doctor removed it there. `failing`: it could not be written for an hour */
  calendar_entry: "none" | "waiting" | "written" | "missing" | "failing"
}

export type BulkCancelledAppointments = {
  /** At most 1,000, by start; call again for more */
  cancelled: ReadonlyArray<string>
  /** Appointments that changed concurrently and were skipped */
  skipped: ReadonlyArray<{
    uid: string
    /** Error code of the refused cancellation */
    code: string
  }>
}

export type FinishedAppointment = {
  uid: string
  /** Status of the appointment */
  status: "held" | "confirmed" | "cancelled" | "expired" | "completed" | "no_show"
  doctor_uid: string
  /** Name of the doctor */
  doctor_display_name: string
  patient_uid: string
  /** Name of the patient; left out for a key without `scheduling:read` */
  patient_display_name?: string
  /** null without a type */
  appointment_type_uid: string | null
  /** Name of the appointment type; null without a type */
  appointment_type_name: string | null
  /** Why the patient comes; null when not given */
  visit_reason: string | null
  /** What kind of consultation it is */
  meeting_type: "CONSULTATION" | "FOLLOW_UP" | "INITIAL" | "REVIEW" | "ON_DEMAND"
  /** By video or at the practice */
  meeting_format: "DIGITAL" | "IN_PERSON"
  /** Unix seconds */
  start_date: number
  /** Unix seconds */
  end_date: number
  /** Unix seconds */
  created_at: number
  /** The last change of this record; the second it expired, of a hold */
  updated_at: number
  /** Unix seconds; null unless cancelled */
  cancelled_at: number | null
  /** Reason given at cancellation; null without one */
  cancellation_reason: string | null
  /** Rooms, devices and persons that it takes; empty without any */
  resources: ReadonlyArray<TakenResource>
  /** Doctors that it takes beside `doctor_uid`; empty without any */
  further_doctors: ReadonlyArray<FurtherDoctor>
  /** The appointment that it replaced */
  previous_meeting_uid: string | null
  /** The same for all that were booked as one act; null: booked alone */
  series_uid: string | null
  /** The appointment in the doctor's own calendar. `none`: none is written. `missing`: the doctor removed it there. `failing`: it could not be written for an hour */
  calendar_entry: "none" | "waiting" | "written" | "missing" | "failing"
}

export type AppointmentType = {
  uid: string
  organisation_uid: string
  /** 1 to 255 characters, trimmed */
  name: string
  /** What kind of consultation it is */
  meeting_type: "CONSULTATION" | "FOLLOW_UP" | "INITIAL" | "REVIEW" | "ON_DEMAND"
  /** Minutes */
  duration_minutes: number
  /** Lifetime of a tentative hold, seconds */
  hold_ttl_seconds: number
  /** One video room per doctor, or one per appointment */
  room_strategy: "persistent_per_provider" | "per_appointment"
  /** Whether a moved appointment stays with its doctor */
  rebooking_mode: "same_doctor_only" | "any_doctor_same_organisation"
  /** Least notice for booking, minutes; a doctor's own value wins */
  booking_min_notice_minutes: number
  /** Least notice for cancelling, minutes */
  cancellation_min_notice_minutes: number
  /** Least notice for rebooking, minutes */
  rebooking_min_notice_minutes: number
  /** Every doctor with availability, or only those with an active setting of their own */
  doctor_assignment_mode: "all_available_doctors" | "selected_doctors_only"
  /** `patient`: patients choose the doctor, so that a booking names one; `any`: one can be chosen for them */
  doctor_choice: "any" | "patient"
  /** Whether patients may move their own appointments of this type */
  allow_patient_rebooking: boolean
  /** What patients read about it; blank counts as none */
  description: string | null
  /** How patients prepare; blank counts as none */
  preparation: string | null
  /** The rule for cancelling in words; blank counts as none */
  cancellation_rule: string | null
  /** What it costs, as one line; blank counts as none */
  price: string | null
  /** Name and texts in other languages, for the patients who read them; null: the type's own */
  translations: ReadonlyArray<{
    /** Language of the texts, BCP 47 */
    language: string
    /** Its name; null: the type's own */
    name?: string | null
    /** What patients read about it; blank counts as none */
    description?: string | null
    /** How patients prepare; blank counts as none */
    preparation?: string | null
    /** The rule for cancelling in words; blank counts as none */
    cancellation_rule?: string | null
    /** What it costs, as one line; blank counts as none */
    price?: string | null
  }>
  /** What an appointment takes beside its doctor: of each entry as many as `count`, for its whole time */
  requirements: ReadonlyArray<{
    /** Resources, any of them */
    resource_uids?: ReadonlyArray<string>
    /** Further doctors, any of them, beside the one who is booked */
    doctor_uids?: ReadonlyArray<string>
    /** How many of them an appointment takes */
    count: number
  }>
  /** Time that the doctor has free before an appointment, minutes */
  buffer_before_minutes: number
  /** Time that the doctor has free after an appointment, minutes */
  buffer_after_minutes: number
  /** Starts at multiples of it from a window's start, minutes; null: one after another */
  slot_step_minutes: number | null
  /** Whether it is not offered on holidays */
  closed_on_holidays: boolean
  /** Patients who share a start; with more than 1 it is a group */
  seats: number
  /** Most appointments of the type in a period; all of them hold */
  limits: ReadonlyArray<{
    /** Calendar day, week from Monday, or calendar month */
    per: "day" | "week" | "month"
    /** Most appointments that start in one of these periods */
    max: number
    /** Whether it counts each doctor's appointments or those of all doctors together */
    scope: "doctor" | "organisation"
  }>
  specialty_code: SpecialtyCode
  /** How it takes place; no other format is offered or booked */
  formats: ReadonlyArray<"DIGITAL" | "IN_PERSON">
  /** Whether it can be booked */
  active: boolean
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
  /** The waiting list: true also asks patients on the pages whether they want to wait; null takes entries by interface and from the practice alone; false takes none, and makes no offers */
  waitlist: boolean | null
  /** Questions before times are shown; null: none. Keys, staff, moves, offers and recalls are exempt */
  entry: ({
    form_uid?: string | null
    /** The first whose conditions all hold counts */
    rules: ReadonlyArray<{
      /** All must hold; beside items of the form `@known_patient`, `@age` and `@zip` */
      when: ReadonlyArray<{
        /** An earlier item */
        link_id: string
        /** Without an answer only `exists: false` holds; of several answers one is enough, but `!=` counts for all */
        operator: "=" | "!=" | ">" | "<" | "exists"
        /** What it is compared with; for `exists` true or false */
        answer: string | number | boolean
      }>
      /** `type`: the session is for another appointment type now */
      then: "continue" | "refuse" | "type"
      appointment_type_uid?: string | null
      text?: (string | Readonly<Record<string, string>>) | null
    }>
    /** Where no rule counts */
    otherwise?: ("continue" | "refuse") | null
  }) | null
  /** Forms to be answered before the visit; `blocks: join` keeps the patient out of the call until it is complete */
  intake: ReadonlyArray<{
    form_uid: string
    /** Minutes before the start from which reminders name it */
    due_minutes_before?: number | null
    /** What waits until it is complete */
    blocks?: ("nothing" | "join") | null
  }>
}

/** Specialty for other systems: a code of the IHE value set for practice settings */
export type SpecialtyCode = "ALLG" | "ANAE" | "ARBE" | "AUGE" | "CHIR" | "ALCH" | "GFCH" | "HZCH" | "KDCH" | "ORTH" | "PLCH" | "THCH" | "UNFC" | "VICH" | "FRAU" | "GEND" | "GONK" | "PERI" | "GERI" | "HNOH" | "HRST" | "HAUT" | "HIST" | "HUMA" | "HYGI" | "INNE" | "ANGI" | "ENDO" | "GAST" | "HAEM" | "KARD" | "NEPH" | "PNEU" | "RHEU" | "INTM" | "INTZ" | "INTO" | "INTS" | "TRPL" | "SELT" | "KIJU" | "KONK" | "KKAR" | "NNAT" | "NPAE" | "KPSY" | "LABO" | "MIKR" | "MKGC" | "NATU" | "NOTF" | "NRCH" | "NEUR" | "NUKL" | "GESU" | "PALL" | "PATH" | "NPAT" | "PHAR" | "TOXI" | "REHA" | "PSYC" | "FPSY" | "PSYM" | "RADI" | "KRAD" | "NRAD" | "RECH" | "SCHL" | "SPOR" | "STRA" | "TRAN" | "TROP" | "UROL" | "MZKH" | "ORAL" | "KIEF" | "PARO"

export type NewAppointmentType = {
  /** 1 to 255 characters, trimmed */
  name: string
  /** What kind of consultation it is */
  meeting_type: "CONSULTATION" | "FOLLOW_UP" | "INITIAL" | "REVIEW" | "ON_DEMAND"
  /** Minutes */
  duration_minutes: number
  /** Lifetime of a tentative hold, seconds */
  hold_ttl_seconds: number
  /** One video room per doctor, or one per appointment */
  room_strategy: "persistent_per_provider" | "per_appointment"
  /** Whether a moved appointment stays with its doctor */
  rebooking_mode: "same_doctor_only" | "any_doctor_same_organisation"
  /** Least notice for booking, minutes; a doctor's own value wins */
  booking_min_notice_minutes?: number | null
  /** Least notice for cancelling, minutes */
  cancellation_min_notice_minutes?: number | null
  /** Least notice for rebooking, minutes */
  rebooking_min_notice_minutes?: number | null
  /** Every doctor with availability, or only those with an active setting of their own */
  doctor_assignment_mode?: ("all_available_doctors" | "selected_doctors_only") | null
  /** `patient`: patients choose the doctor, so that a booking names one; `any`: one can be chosen for them */
  doctor_choice?: ("any" | "patient") | null
  /** Whether patients may move their own appointments of this type */
  allow_patient_rebooking?: boolean | null
  /** What patients read about it; blank counts as none */
  description?: string | null
  /** How patients prepare; blank counts as none */
  preparation?: string | null
  /** The rule for cancelling in words; blank counts as none */
  cancellation_rule?: string | null
  /** What it costs, as one line; blank counts as none */
  price?: string | null
  /** Name and texts in other languages, for the patients who read them; null: the type's own */
  translations?: (ReadonlyArray<{
    /** Language of the texts, BCP 47 */
    language: string
    /** Its name; null: the type's own */
    name?: string | null
    /** What patients read about it; blank counts as none */
    description?: string | null
    /** How patients prepare; blank counts as none */
    preparation?: string | null
    /** The rule for cancelling in words; blank counts as none */
    cancellation_rule?: string | null
    /** What it costs, as one line; blank counts as none */
    price?: string | null
  }>) | null
  /** What an appointment takes beside its doctor: of each entry as many as `count`, for its whole time */
  requirements?: (ReadonlyArray<{
    /** Resources, any of them */
    resource_uids?: ReadonlyArray<string> | null
    /** Further doctors, any of them, beside the one who is booked */
    doctor_uids?: ReadonlyArray<string> | null
    /** How many of them an appointment takes */
    count?: number | null
  }>) | null
  /** Time that the doctor has free before an appointment, minutes */
  buffer_before_minutes?: number | null
  /** Time that the doctor has free after an appointment, minutes */
  buffer_after_minutes?: number | null
  /** Starts at multiples of it from a window's start, minutes; null: one after another */
  slot_step_minutes?: number | null
  /** Whether it is not offered on holidays */
  closed_on_holidays?: boolean | null
  /** Patients who share a start; with more than 1 it is a group */
  seats?: number | null
  /** Most appointments of the type in a period; all of them hold */
  limits?: (ReadonlyArray<{
    /** Calendar day, week from Monday, or calendar month */
    per: "day" | "week" | "month"
    /** Most appointments that start in one of these periods */
    max: number
    /** Whether it counts each doctor's appointments or those of all doctors together */
    scope?: ("doctor" | "organisation") | null
  }>) | null
  specialty_code?: SpecialtyCode | null
  /** How it takes place; no other format is offered or booked */
  formats?: (ReadonlyArray<"DIGITAL" | "IN_PERSON">) | null
  /** Whether it can be booked */
  active?: boolean | null
  /** The waiting list: true also asks patients on the pages whether they want to wait; null takes entries by interface and from the practice alone; false takes none, and makes no offers */
  waitlist?: boolean | null
  /** Questions before times are shown; null: none. Keys, staff, moves, offers and recalls are exempt */
  entry?: ({
    form_uid?: string | null
    /** The first whose conditions all hold counts */
    rules: ReadonlyArray<{
      /** All must hold; beside items of the form `@known_patient`, `@age` and `@zip` */
      when: ReadonlyArray<{
        /** An earlier item */
        link_id: string
        /** Without an answer only `exists: false` holds; of several answers one is enough, but `!=` counts for all */
        operator: "=" | "!=" | ">" | "<" | "exists"
        /** What it is compared with; for `exists` true or false */
        answer: string | number | boolean
      }>
      /** `type`: the session is for another appointment type now */
      then: "continue" | "refuse" | "type"
      appointment_type_uid?: string | null
      text?: (string | Readonly<Record<string, string>>) | null
    }>
    /** Where no rule counts */
    otherwise?: ("continue" | "refuse") | null
  }) | null
  /** Forms to be answered before the visit; `blocks: join` keeps the patient out of the call until it is complete */
  intake?: (ReadonlyArray<{
    form_uid: string
    /** Minutes before the start from which reminders name it */
    due_minutes_before?: number | null
    /** What waits until it is complete */
    blocks?: ("nothing" | "join") | null
  }>) | null
}

export type AppointmentTypeChanges = {
  name?: string | null
  /** What kind of consultation it is */
  meeting_type?: ("CONSULTATION" | "FOLLOW_UP" | "INITIAL" | "REVIEW" | "ON_DEMAND") | null
  /** Minutes */
  duration_minutes?: number | null
  /** Lifetime of a tentative hold, seconds */
  hold_ttl_seconds?: number | null
  /** One video room per doctor, or one per appointment */
  room_strategy?: ("persistent_per_provider" | "per_appointment") | null
  /** Whether a moved appointment stays with its doctor */
  rebooking_mode?: ("same_doctor_only" | "any_doctor_same_organisation") | null
  /** Least notice for booking, minutes; a doctor's own value wins */
  booking_min_notice_minutes?: number | null
  /** Least notice for cancelling, minutes */
  cancellation_min_notice_minutes?: number | null
  /** Least notice for rebooking, minutes */
  rebooking_min_notice_minutes?: number | null
  /** Every doctor with availability, or only those with an active setting of their own */
  doctor_assignment_mode?: ("all_available_doctors" | "selected_doctors_only") | null
  /** `patient`: patients choose the doctor, so that a booking names one; `any`: one can be chosen for them */
  doctor_choice?: ("any" | "patient") | null
  /** Whether patients may move their own appointments of this type */
  allow_patient_rebooking?: boolean | null
  /** What patients read about it; blank counts as none */
  description?: string | null
  /** How patients prepare; blank counts as none */
  preparation?: string | null
  /** The rule for cancelling in words; blank counts as none */
  cancellation_rule?: string | null
  /** What it costs, as one line; blank counts as none */
  price?: string | null
  /** Name and texts in other languages, for the patients who read them; null: the type's own */
  translations?: (ReadonlyArray<{
    /** Language of the texts, BCP 47 */
    language: string
    /** Its name; null: the type's own */
    name?: string | null
    /** What patients read about it; blank counts as none */
    description?: string | null
    /** How patients prepare; blank counts as none */
    preparation?: string | null
    /** The rule for cancelling in words; blank counts as none */
    cancellation_rule?: string | null
    /** What it costs, as one line; blank counts as none */
    price?: string | null
  }>) | null
  /** What an appointment takes beside its doctor: of each entry as many as `count`, for its whole time */
  requirements?: (ReadonlyArray<{
    /** Resources, any of them */
    resource_uids?: ReadonlyArray<string> | null
    /** Further doctors, any of them, beside the one who is booked */
    doctor_uids?: ReadonlyArray<string> | null
    /** How many of them an appointment takes */
    count?: number | null
  }>) | null
  /** Time that the doctor has free before an appointment, minutes */
  buffer_before_minutes?: number | null
  /** Time that the doctor has free after an appointment, minutes */
  buffer_after_minutes?: number | null
  /** Starts at multiples of it from a window's start, minutes; null: one after another */
  slot_step_minutes?: number | null
  /** Whether it is not offered on holidays */
  closed_on_holidays?: boolean | null
  /** Patients who share a start; with more than 1 it is a group */
  seats?: number | null
  /** Most appointments of the type in a period; all of them hold */
  limits?: (ReadonlyArray<{
    /** Calendar day, week from Monday, or calendar month */
    per: "day" | "week" | "month"
    /** Most appointments that start in one of these periods */
    max: number
    /** Whether it counts each doctor's appointments or those of all doctors together */
    scope?: ("doctor" | "organisation") | null
  }>) | null
  specialty_code?: SpecialtyCode | null
  /** How it takes place; no other format is offered or booked */
  formats?: (ReadonlyArray<"DIGITAL" | "IN_PERSON">) | null
  /** Whether it can be booked */
  active?: boolean | null
  /** The waiting list: true also asks patients on the pages whether they want to wait; null takes entries by interface and from the practice alone; false takes none, and makes no offers */
  waitlist?: boolean | null
  /** Questions before times are shown; null: none. Keys, staff, moves, offers and recalls are exempt */
  entry?: ({
    form_uid?: string | null
    /** The first whose conditions all hold counts */
    rules: ReadonlyArray<{
      /** All must hold; beside items of the form `@known_patient`, `@age` and `@zip` */
      when: ReadonlyArray<{
        /** An earlier item */
        link_id: string
        /** Without an answer only `exists: false` holds; of several answers one is enough, but `!=` counts for all */
        operator: "=" | "!=" | ">" | "<" | "exists"
        /** What it is compared with; for `exists` true or false */
        answer: string | number | boolean
      }>
      /** `type`: the session is for another appointment type now */
      then: "continue" | "refuse" | "type"
      appointment_type_uid?: string | null
      text?: (string | Readonly<Record<string, string>>) | null
    }>
    /** Where no rule counts */
    otherwise?: ("continue" | "refuse") | null
  }) | null
  /** Forms to be answered before the visit; `blocks: join` keeps the patient out of the call until it is complete */
  intake?: (ReadonlyArray<{
    form_uid: string
    /** Minutes before the start from which reminders name it */
    due_minutes_before?: number | null
    /** What waits until it is complete */
    blocks?: ("nothing" | "join") | null
  }>) | null
}

export type Reminder = {
  uid: string
  appointment_type_uid: string
  /** Who is reminded */
  recipient_role: "patient" | "doctor" | "admin"
  /** Minutes before the start */
  minutes_before: number
  /** Whether an e-mail is sent */
  send_email: boolean
  /** Whether a text message is sent */
  send_sms: boolean
  /** Whether the reminder fires */
  active: boolean
  /** Unix seconds */
  updated_at: number
}

export type AvailabilityRule = {
  uid: string
  doctor_uid: string
  /** 0 = Monday … 6 = Sunday */
  weekday: number
  /** Minutes from midnight (540 = 09:00) */
  start_time: number
  /** Minutes from midnight (540 = 09:00) */
  end_time: number
  /** Buffer between appointments, minutes */
  buffer_minutes: number
  /** Slots start at or after it, Unix seconds */
  valid_from: number | null
  /** Slots start before it, Unix seconds */
  valid_until: number | null
  /** Whether the rule counts */
  active: boolean
  /** One appointment type; null means all */
  appointment_type_uid: string | null
  /** Unix seconds */
  updated_at: number
}

export type DateOverride = {
  uid: string
  doctor_uid: string
  /** UTC midnight of a date, Unix seconds */
  date: number
  /** Minutes from midnight; null for a day off */
  start_time: number | null
  /** Minutes from midnight; null for a day off */
  end_time: number | null
  /** Buffer between appointments, minutes */
  buffer_minutes: number
  /** One appointment type; null means all */
  appointment_type_uid: string | null
  /** Unix seconds */
  updated_at: number
}

export type NotificationSubscription = {
  uid: string
  /** http or https address that deliveries are sent to */
  url: string
  /** Whether deliveries are sent */
  active: boolean
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
  /** The first kind of events that are sent */
  notification_type: "PATIENT_DOCTOR_MEETING_UPDATED" | "REBOOKED" | "APPOINTMENT_REMINDER_DUE" | "PATIENT_CREATED" | "SUBSCRIPTION_FAILING" | "PRESCRIPTION_RENDERED" | "RECALL_DUE" | "TIMES_OFFERED" | "BUSY_SOURCE_FAILING" | "CALENDAR_CONNECTION_FAILING" | "WAITLIST_OFFERED" | "WAITLIST_ACCEPTED" | "WAITLIST_PAUSED" | "PATIENT_MERGED" | "PATIENT_EXPORTED" | "PATIENT_ERASED" | "REQUEST_CREATED" | "REQUEST_ANSWERED" | "REQUEST_RUNNING_OUT" | "REQUEST_CLOSED" | "DOCTOR_LATE" | "WAITING"
  /** Every kind of events that are sent */
  notification_types: ReadonlyArray<"PATIENT_DOCTOR_MEETING_UPDATED" | "REBOOKED" | "APPOINTMENT_REMINDER_DUE" | "PATIENT_CREATED" | "SUBSCRIPTION_FAILING" | "PRESCRIPTION_RENDERED" | "RECALL_DUE" | "TIMES_OFFERED" | "BUSY_SOURCE_FAILING" | "CALENDAR_CONNECTION_FAILING" | "WAITLIST_OFFERED" | "WAITLIST_ACCEPTED" | "WAITLIST_PAUSED" | "PATIENT_MERGED" | "PATIENT_EXPORTED" | "PATIENT_ERASED" | "REQUEST_CREATED" | "REQUEST_ANSWERED" | "REQUEST_RUNNING_OUT" | "REQUEST_CLOSED" | "DOCTOR_LATE" | "WAITING">
}

export type WebhookDelivery = {
  uid: string
  event_id: string
  /** The event's type */
  event_type: "patient_doctor_meeting_updated" | "rebooked" | "scheduling.appointment_reminder_due" | "patient.created" | "subscription.failing" | "prescription.render" | "prescription.rendered" | "pharmacy_manager.send_prescription" | "pharmacy_order.created" | "pharmacy_order.status_updated" | "pharmacy_order.completed" | "pharmacy_sku.updated" | "recall.due" | "scheduling.times_offered" | "busy_source.failing" | "calendar_connection.failing" | "waitlist.offered" | "waitlist.accepted" | "waitlist.paused" | "patient.merged" | "patient.exported" | "patient.erased" | "request.created" | "request.answered" | "request.running_out" | "request.closed" | "scheduling.doctor_late" | "scheduling.waiting"
  /** Whether the receiver has accepted it */
  status: "pending" | "delivered" | "failed"
  /** Every attempt, the first one first; of more than 100 the latest */
  attempts: ReadonlyArray<{
    /** Unix seconds */
    at: number
    /** HTTP status of the answer; null without one */
    status_code: number | null
    /** Milliseconds until the answer */
    latency_ms: number
    /** What went wrong; null on success */
    error: string | null
  }>
  /** When the event was written, Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
  /** Unix seconds; null when none is planned */
  next_attempt_at: number | null
}

export type WebhookDeliveryWithPayload = {
  uid: string
  event_id: string
  /** The event's type */
  event_type: "patient_doctor_meeting_updated" | "rebooked" | "scheduling.appointment_reminder_due" | "patient.created" | "subscription.failing" | "prescription.render" | "prescription.rendered" | "pharmacy_manager.send_prescription" | "pharmacy_order.created" | "pharmacy_order.status_updated" | "pharmacy_order.completed" | "pharmacy_sku.updated" | "recall.due" | "scheduling.times_offered" | "busy_source.failing" | "calendar_connection.failing" | "waitlist.offered" | "waitlist.accepted" | "waitlist.paused" | "patient.merged" | "patient.exported" | "patient.erased" | "request.created" | "request.answered" | "request.running_out" | "request.closed" | "scheduling.doctor_late" | "scheduling.waiting"
  /** Whether the receiver has accepted it */
  status: "pending" | "delivered" | "failed"
  /** Every attempt, the first one first; of more than 100 the latest */
  attempts: ReadonlyArray<{
    /** Unix seconds */
    at: number
    /** HTTP status of the answer; null without one */
    status_code: number | null
    /** Milliseconds until the answer */
    latency_ms: number
    /** What went wrong; null on success */
    error: string | null
  }>
  /** When the event was written, Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
  /** Unix seconds; null when none is planned */
  next_attempt_at: number | null
  /** The event as it is sent; null once it is no longer kept, and for a key that may not read what it is about */
  payload: Event | null
}

export type Event = PatientDoctorMeetingUpdatedEvent | RebookedEvent | SchedulingAppointmentReminderDueEvent | PatientCreatedEvent | SubscriptionFailingEvent | PrescriptionRenderEvent | PrescriptionRenderedEvent | PharmacyManagerSendPrescriptionEvent | PharmacyOrderCreatedEvent | PharmacyOrderStatusUpdatedEvent | PharmacyOrderCompletedEvent | PharmacySkuUpdatedEvent | RecallDueEvent | SchedulingTimesOfferedEvent | BusySourceFailingEvent | CalendarConnectionFailingEvent | WaitlistOfferedEvent | WaitlistAcceptedEvent | WaitlistPausedEvent | PatientMergedEvent | PatientExportedEvent | PatientErasedEvent | RequestCreatedEvent | RequestAnsweredEvent | RequestRunningOutEvent | RequestClosedEvent | SchedulingDoctorLateEvent | SchedulingWaitingEvent

/** An appointment was confirmed, cancelled, completed or missed */
export type PatientDoctorMeetingUpdatedEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "patient_doctor_meeting_updated"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    /** The status that the appointment now has */
    change: "confirmed" | "cancelled" | "completed" | "no_show"
    appointment: Appointment
    /** The actor of the change */
    actor: {
      /** By which credential it was done; `system` for the service itself */
      kind: "patient" | "api_key" | "action_link" | "doctor" | "admin" | "pharmacy" | "operator" | "system"
      /** Identifier of the patient, key, link, doctor or administrator */
      uid: string
    }
    /** Only in the examples that `test` sends */
    example?: true
  }
}

export type Appointment = {
  uid: string
  /** Status of the appointment */
  status: "held" | "confirmed" | "cancelled" | "expired" | "completed" | "no_show"
  doctor_uid: string
  /** Name of the doctor */
  doctor_display_name: string
  patient_uid: string
  /** Name of the patient */
  patient_display_name: string
  /** null without a type */
  appointment_type_uid: string | null
  /** Name of the appointment type; null without a type */
  appointment_type_name: string | null
  /** Why the patient comes; null when not given */
  visit_reason: string | null
  /** What kind of consultation it is */
  meeting_type: "CONSULTATION" | "FOLLOW_UP" | "INITIAL" | "REVIEW" | "ON_DEMAND"
  /** By video or at the practice */
  meeting_format: "DIGITAL" | "IN_PERSON"
  /** Unix seconds */
  start_date: number
  /** Unix seconds */
  end_date: number
  /** Unix seconds */
  created_at: number
  /** The last change of this record; the second it expired, of a hold */
  updated_at: number
  /** Unix seconds; null unless cancelled */
  cancelled_at: number | null
  /** Reason given at cancellation; null without one */
  cancellation_reason: string | null
  /** Rooms, devices and persons that it takes; empty without any */
  resources: ReadonlyArray<TakenResource>
  /** Doctors that it takes beside `doctor_uid`; empty without any */
  further_doctors: ReadonlyArray<FurtherDoctor>
  /** The appointment that it replaced */
  previous_meeting_uid: string | null
  /** The same for all that were booked as one act; null: booked alone */
  series_uid: string | null
}

/** A confirmed appointment was moved: a new one replaces it. The previous one has no event of its own */
export type RebookedEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "rebooked"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    appointment: Appointment
    /** The appointment that was replaced */
    previous_meeting_uid: string
    /** The actor of the change */
    actor: {
      /** By which credential it was done; `system` for the service itself */
      kind: "patient" | "api_key" | "action_link" | "doctor" | "admin" | "pharmacy" | "operator" | "system"
      /** Identifier of the patient, key, link, doctor or administrator */
      uid: string
    }
    /** Only in the examples that `test` sends */
    example?: true
  }
}

/** A reminder is due: one event for each recipient */
export type SchedulingAppointmentReminderDueEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "scheduling.appointment_reminder_due"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    appointment: Appointment
    reminder: Reminder
    recipient: ReminderRecipient
    /** Why the patient comes; null when not given */
    visit_reason: string | null
    /** Links to join, move or cancel, for patients; empty for other recipients. In the feed null for a key with neither `scheduling:write` nor `scheduling:admin` */
    action_links: (ReadonlyArray<{
      /** The action that the link permits */
      action: "join" | "rebook" | "cancel"
      /** `aac_…`: the only credential of the link */
      code: string
      /** The hosted page of the link */
      url: string
      /** 7 days after the appointment's end */
      expires_at: number
    }>) | null
    /** Only in the examples that `test` sends */
    example?: true
  }
}

export type ReminderRecipient = {
  /** The reminder's `recipient_role` */
  role: "patient" | "doctor" | "admin"
  /** Identifier of the patient, doctor or administrator */
  uid: string
  /** Name of the recipient */
  display_name: string
  /** Mail address; null when unknown */
  email: string | null
  /** Telephone number in E.164; null when unknown, or not to be brought to it */
  phone: string | null
}

/** The organisation has a new patient: by its interface, a first booking token, a booking by API key or provisioning */
export type PatientCreatedEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "patient.created"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    /** The record without its profile */
    patient: {
      uid: string
      shop_uid: string
      /** The shop's identifier of its customer, unique within the shop; null for a patient without an account there */
      shop_customer_id: string | null
      /** Unix seconds */
      created_at: number
      /** Unix seconds */
      updated_at: number
    }
    /** The actor of the change */
    actor: {
      /** By which credential it was done; `system` for the service itself */
      kind: "patient" | "api_key" | "action_link" | "doctor" | "admin" | "pharmacy" | "operator" | "system"
      /** Identifier of the patient, key, link, doctor or administrator */
      uid: string
    }
    /** Only in the examples that `test` sends */
    example?: true
  }
}

/** A webhook subscription keeps failing: nothing was accepted for an hour or longer, once until something is accepted again; or the receiver ended it with 410 (`active` is false) */
export type SubscriptionFailingEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "subscription.failing"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    subscription_uid: string
    /** Address that deliveries are sent to */
    url: string
    /** Whether deliveries are still tried; false after 410 */
    active: boolean
    /** The first failed attempt since one was accepted, Unix seconds */
    failing_since: number
    /** HTTP status of the last attempt; null without an answer */
    status_code: Int | null
    /** What went wrong, as in the delivery's attempts */
    error: string | null
    /** Only in the examples that `test` sends */
    example?: true
  }
}

export type Int = number

/** The rendering of a prescription's PDF has started */
export type PrescriptionRenderEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "prescription.render"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    prescription_uid: string
    /** The actor of the change */
    actor: {
      /** By which credential it was done; `system` for the service itself */
      kind: "patient" | "api_key" | "action_link" | "doctor" | "admin" | "pharmacy" | "operator" | "system"
      /** Identifier of the patient, key, link, doctor or administrator */
      uid: string
    }
    /** Only in the examples that `test` sends */
    example?: true
  }
}

/** The PDF of a prescription is rendered */
export type PrescriptionRenderedEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "prescription.rendered"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    prescription_uid: string
    /** Checksum and size of the PDF; its address is in the prescription's record */
    file: {
      /** Hexadecimal */
      sha256: string
      /** Bytes */
      size: number
    }
    /** Only in the examples that `test` sends */
    example?: true
  }
}

/** A prescription was registered as externally signed and goes to the pharmacy */
export type PharmacyManagerSendPrescriptionEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "pharmacy_manager.send_prescription"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    prescription_uid: string
    /** The prescription, as the pharmacy needs it */
    prescription: {
      uid: string
      /** Status of the prescription */
      status: "waiting_for_doctor" | "externally_signed" | "signed" | "dispatched" | "completed" | "cancelled"
      /** The prescriber; null if unknown */
      doctor: {
        uid: string
        /** Name of the doctor */
        display_name: string
      } | null
      /** Prescribed items */
      items: ReadonlyArray<{
        uid: string
        sku_uid: string
        /** Packs */
        quantity: number
        /** How it is taken; null when not given */
        dosage: string | null
        /** The patient's questionnaire; null for items that skip validation */
        anamnesis_uid: string | null
      }>
      /** Checksum and size of the PDF; its address is in the prescription's record */
      file: {
        /** Hexadecimal */
        sha256: string
        /** Bytes */
        size: number
      }
    }
    /** The actor of the change */
    actor?: {
      /** By which credential it was done; `system` for the service itself */
      kind: "patient" | "api_key" | "action_link" | "doctor" | "admin" | "pharmacy" | "operator" | "system"
      /** Identifier of the patient, key, link, doctor or administrator */
      uid: string
    }
    /** For pharmacies: the order that carries it; null when there is none yet */
    pharmacy_order_uid?: string | null
    /** Only in the examples that `test` sends */
    example?: true
  }
}

/** A pharmacy has a new order */
export type PharmacyOrderCreatedEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "pharmacy_order.created"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    order: PharmacyOrder
    /** Only in the examples that `test` sends */
    example?: true
  }
}

export type PharmacyOrder = {
  uid: string
  /** Name of the order in the shop */
  name: string
  /** Status of the order */
  status: "new" | "accepted" | "in_preparation" | "ready_for_pickup" | "shipped" | "completed" | "rejected" | "cancelled"
  /** Reason given for this status; null when none was given */
  status_reason: string | null
  /** Whether the order is paid */
  paid: boolean
  /** Paid for this order less what was refunded, in cents: the most that is routed to the pharmacy */
  paid_amount: number
  /** Refunded for the shop's whole order, in cents */
  refunded_amount: number
  /** A change in the shop that a person has to settle before the order goes on; null without one */
  shop_change: ShopChange | null
  /** The prescription that the order fills; null without one */
  prescription_uid: string | null
  /** The prescription's PDF; null without one */
  prescription_file: {
    /** Signed address, valid for 5 minutes */
    url: string
    /** Hexadecimal */
    sha256: string
    /** Bytes */
    size: number
  } | null
  /** Cents */
  shipping_price: number
  /** ISO 4217 */
  currency: string
  /** Ordered articles */
  lines: ReadonlyArray<{
    uid: string
    sku_uid: string
    /** null: the pharmacy does not carry it */
    pharmacy_sku_uid: string | null
    /** Identifier in the pharmacy's own system */
    external_id: string | null
    /** Central pharmaceutical number (PZN); null without one */
    pzn: string | null
    /** Name of the article; may be its strength and form alone */
    display_name: string
    /** Name of its product */
    product_display_name: string
    /** Units */
    quantity: number
    /** Paid for one unit, in cents: `total_price` divided, rounded */
    unit_price: number
    /** Paid for the whole quantity after discounts, in cents; what payouts count */
    total_price: number
  }>
  /** The patient; null when unknown */
  patient: ({
    /** First name */
    first_name: string | null
    /** Last name */
    last_name: string | null
    /** Unix seconds, negative before 1970 */
    date_of_birth: number | null
    /** male, female or divers; null when unknown */
    gender: string | null
  }) | null
  /** Delivery address; null without one */
  shipping_address: (Readonly<Record<string, string | null>>) | null
  /** Carrier and number of the parcel; null without one */
  tracking: Tracking | null
  /** What the pharmacy has reported: articles that are missing, and a message; null: nothing */
  problem: PharmacyOrderProblem | null
  /** The last step, if it could be undone; null: it could not */
  undo: PharmacyOrderUndo | null
  /** Payouts that could not be routed and wait for an operator */
  parked_payouts: ReadonlyArray<{
    /** Part of the payout */
    component_type: string
    /** Why */
    reason: string
  }>
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
  /** Unix seconds; null until completed */
  completed_at: number | null
}

export type ShopChange = {
  /** Opaque identifier, to accept exactly this change */
  uid: string
  /** What happened in the shop: the order was edited, refunded or cancelled; or its prescription does not cover it, or it lacks the anamnesis that the shop demands */
  reason: "edited" | "refunded" | "cancelled" | "prescription_not_usable" | "anamnesis_required"
  /** Unix seconds */
  since: number
  /** What is to be delivered now; null where the shop has not said it, or it is unchanged */
  lines: ReadonlyArray<{
    sku_uid: string
    /** Name of the article */
    display_name: string
    /** Units */
    quantity: number
    /** Paid for the whole quantity, in cents */
    total_price: number
  }> | null
  /** Cents; null as `lines` */
  shipping_price: number | null
}

export type Tracking = {
  /** 1 to 255 characters, trimmed */
  carrier: string
  /** 1 to 255 characters, trimmed */
  number: string
}

export type PharmacyOrderProblem = {
  /** What the pharmacy says about it; null: nothing */
  message: string | null
  /** Lines that are not, or only partly, available */
  missing: ReadonlyArray<{
    line_uid: string
    /** Units of the line that are missing */
    quantity: number
  }>
  /** Unix seconds */
  since: number
}

export type PharmacyOrderUndo = {
  /** The status that undoing restores */
  status: "new" | "accepted" | "in_preparation" | "ready_for_pickup" | "shipped" | "completed" | "rejected" | "cancelled"
  /** Until when, ten seconds after the step */
  until: number
}

/** An order has another status, or became paid */
export type PharmacyOrderStatusUpdatedEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "pharmacy_order.status_updated"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    order: PharmacyOrder
    /** Only in the examples that `test` sends */
    example?: true
  }
}

/** An order is completed */
export type PharmacyOrderCompletedEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "pharmacy_order.completed"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    order: PharmacyOrder
    /** Only in the examples that `test` sends */
    example?: true
  }
}

/** Stock, price or external identifier of a SKU changed */
export type PharmacySkuUpdatedEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "pharmacy_sku.updated"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    pharmacy_sku: PharmacySku
    /** Only in the examples that `test` sends */
    example?: true
  }
}

export type PharmacySku = {
  uid: string
  /** Identifier in the pharmacy's own system */
  external_id: string
  /** Euro cents */
  price: number
  /** May be below 0: oversold */
  stock: number
  pharmacy: string
  /** The article, the same for every pharmacy */
  sku: {
    uid: string
    /** Name of the article */
    display_name: string
    /** Central pharmaceutical number (PZN); null without one */
    pzn: string | null
    product_uid: string
    /** Name of the product */
    product_display_name: string
    /** Amount of `unit` in one piece */
    standard_selling_unit: number
    /** Unit of the amount, e.g. ml */
    unit: string
    /** The product's name in addresses */
    product_handle: string
    /** Whether it is delivered without a parcel */
    digital: boolean
  }
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
  /** Unix seconds; null while it is sold */
  deleted_at: number | null
}

/** A patient is asked to come again, `lead_days` before the date; the service's own mail or SMS follows where the patient has an address */
export type RecallDueEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "recall.due"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    recall: Recall
    /** Only in the examples that `test` sends */
    example?: true
  }
}

export type Recall = {
  uid: string
  patient_uid: string
  appointment_type_uid: string
  /** The doctor to book; null: any */
  doctor_uid: string | null
  /** When the patient is to come again, YYYY-MM-DD */
  due_date: string
  /** Days before `due_date` on which the patient is asked, at 9:00 of the patient's zone */
  lead_days: number
  /** A sentence of the practice; null: none */
  message_text: string | null
  /** `booked` by whatever way the patient books the type */
  status: "waiting" | "sent" | "booked" | "cancelled"
  /** The booking that ended it; null: none */
  appointment_uid: string | null
  /** When it became due; null until then */
  sent_at: number | null
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
}

/** The doctor is absent, and the patient is asked to choose another time: the appointment stands until then */
export type SchedulingTimesOfferedEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "scheduling.times_offered"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    appointment: Appointment
    /** The actor of the change */
    actor: {
      /** By which credential it was done; `system` for the service itself */
      kind: "patient" | "api_key" | "action_link" | "doctor" | "admin" | "pharmacy" | "operator" | "system"
      /** Identifier of the patient, key, link, doctor or administrator */
      uid: string
    }
    /** Only in the examples that `test` sends */
    example?: true
  }
}

/** A calendar kept elsewhere cannot be read: once for each time that it begins to fail. Its times stay; `when_stale` decides after 24 hours */
export type BusySourceFailingEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "busy_source.failing"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    busy_source_uid: string
    doctor_uid: string
    /** As the doctor calls it */
    name: string
    /** Last successful reading */
    last_success_at: number | null
    /** Why it cannot be read, and what to do */
    last_error: string
    /** Only in the examples that `test` sends */
    example?: true
  }
}

/** A doctor's own calendar no longer gives access: nothing is read or written until the doctor connects it again */
export type CalendarConnectionFailingEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "calendar_connection.failing"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    connection_uid: string
    doctor_uid: string
    /** Where the calendars are kept */
    provider: "microsoft" | "google" | "caldav"
    /** The account at the provider, or the user name */
    account: string
    /** Why, and what to do */
    last_error: string
    /** Only in the examples that `test` sends */
    example?: true
  }
}

/** A patient on the waiting list is offered a time that became free; the service's own mail or SMS follows at `sent_at` where the patient has an address */
export type WaitlistOfferedEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "waitlist.offered"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    entry: WaitlistEntry
    patient_uid: string
    offer: WaitlistEventOffer
    /** Only in the examples that `test` sends */
    example?: true
  }
}

export type WaitlistEntry = {
  uid: string
  patient_uid: string
  appointment_type_uid: string
  /** Doctors to choose from; empty: any */
  doctor_uids: ReadonlyArray<string>
  /** First start that suits, Unix seconds; default now */
  from: number
  /** Starts before it suit, Unix seconds; at most 180 days after `from`, which is the default */
  to: number
  /** Weekdays that suit, 0 = Monday, in the doctor's zone; empty: all */
  weekdays: ReadonlyArray<number>
  /** Times of the day that suit, in the doctor's zone; empty: all */
  times: ReadonlyArray<{
    /** Minutes from midnight (540 = 09:00) */
    from: number
    /** Minutes from midnight (540 = 09:00) */
    to: number
  }>
  /** The patient's confirmed appointment that an earlier time replaces; null: none */
  appointment_uid: string | null
  /** How much the patient needs it: `urgent` is asked first, then `soon`; set by keys and staff alone */
  need: "routine" | "soon" | "urgent"
  /** Why it is needed, in the practice's words; null: none was given, and always in events and for the patient */
  need_reason: string | null
  /** `offered`: an offer is open; `paused`: three offers were left unanswered; `booked`: one was accepted */
  status: "waiting" | "offered" | "paused" | "booked" | "ended"
  /** Offers that were made so far */
  offers_made: number
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
}

export type WaitlistEventOffer = {
  uid: string
  doctor_uid: string
  /** Unix seconds */
  start_date: number
  /** Unix seconds */
  end_date: number
  /** When the service's own mail or SMS goes out: quiet hours delay it */
  sent_at: number
  /** Unix seconds */
  expires_at: number
}

/** A patient on the waiting list has accepted an offer. The booking or the move has its own event */
export type WaitlistAcceptedEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "waitlist.accepted"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    entry: WaitlistEntry
    patient_uid: string
    /** The appointment */
    appointment_uid: string
    /** The appointment that was moved; null: a new booking */
    previous_meeting_uid: string | null
    /** Only in the examples that `test` sends */
    example?: true
  }
}

/** An entry of the waiting list is paused: three offers, one after another, were left unanswered */
export type WaitlistPausedEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "waitlist.paused"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    entry: WaitlistEntry
    patient_uid: string
    /** Only in the examples that `test` sends */
    example?: true
  }
}

/** Two records of one person became one: what belonged to the one belongs to the other */
export type PatientMergedEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "patient.merged"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    /** The record that stays, without its profile */
    patient: {
      uid: string
      shop_uid: string
      /** The shop's identifier of its customer, unique within the shop; null for a patient without an account there */
      shop_customer_id: string | null
      /** Unix seconds */
      created_at: number
      /** Unix seconds */
      updated_at: number
    }
    /** The record that is gone */
    merged_patient_uid: string
    /** The actor of the change */
    actor: {
      /** By which credential it was done; `system` for the service itself */
      kind: "patient" | "api_key" | "action_link" | "doctor" | "admin" | "pharmacy" | "operator" | "system"
      /** Identifier of the patient, key, link, doctor or administrator */
      uid: string
    }
    /** Only in the examples that `test` sends */
    example?: true
  }
}

/** All that is kept of a patient was exported */
export type PatientExportedEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "patient.exported"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    patient_uid: string
    /** The actor of the change */
    actor: {
      /** By which credential it was done; `system` for the service itself */
      kind: "patient" | "api_key" | "action_link" | "doctor" | "admin" | "pharmacy" | "operator" | "system"
      /** Identifier of the patient, key, link, doctor or administrator */
      uid: string
    }
    /** Only in the examples that `test` sends */
    example?: true
  }
}

/** A patient was erased: what subscribers know of the patient is theirs to erase as well */
export type PatientErasedEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "patient.erased"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    patient_uid: string
    /** Holds and appointments that were cancelled with it */
    cancelled: ReadonlyArray<string>
    /** The actor of the change */
    actor: {
      /** By which credential it was done; `system` for the service itself */
      kind: "patient" | "api_key" | "action_link" | "doctor" | "admin" | "pharmacy" | "operator" | "system"
      /** Identifier of the patient, key, link, doctor or administrator */
      uid: string
    }
    /** Only in the examples that `test` sends */
    example?: true
  }
}

/** A patient has sent a request in writing */
export type RequestCreatedEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "request.created"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    request_uid: string
    request_type_uid: string
    patient_uid: string
    /** Only in the examples that `test` sends */
    example?: true
  }
}

/** The practice has answered a request; the patient's mail or SMS with a link follows */
export type RequestAnsweredEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "request.answered"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    request_uid: string
    request_type_uid: string
    patient_uid: string
    /** Only in the examples that `test` sends */
    example?: true
  }
}

/** A quarter of the time for answering a request is left; to the doctor, or to each administrator */
export type RequestRunningOutEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "request.running_out"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    request_uid: string
    request_type_uid: string
    patient_uid: string
    /** Who is told */
    recipient_role: "doctor" | "admin"
    /** Identifier of the doctor or administrator */
    recipient_uid: string
    /** Only in the examples that `test` sends */
    example?: true
  }
}

/** A request is closed; the patient's mail or SMS with a link follows */
export type RequestClosedEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "request.closed"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    request_uid: string
    request_type_uid: string
    patient_uid: string
    /** Only in the examples that `test` sends */
    example?: true
  }
}

/** The doctor announced to begin an appointment later, or so many minutes later than announced before */
export type SchedulingDoctorLateEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "scheduling.doctor_late"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    appointment: Appointment
    /** About how many minutes later than the start */
    minutes: number
    /** The actor of the change */
    actor: {
      /** By which credential it was done; `system` for the service itself */
      kind: "patient" | "api_key" | "action_link" | "doctor" | "admin" | "pharmacy" | "operator" | "system"
      /** Identifier of the patient, key, link, doctor or administrator */
      uid: string
    }
    /** Only in the examples that `test` sends */
    example?: true
  }
}

/** The patient is in the waiting room of the call: once for each appointment, the first time */
export type SchedulingWaitingEvent = {
  /** The same in every delivery of the event: `webhook-id` */
  id: string
  /** The event's type */
  type: "scheduling.waiting"
  /** Unix seconds */
  timestamp: number
  organisation_uid?: string
  pharmacy_uid?: string
  /** What the event is about */
  data: {
    appointment: Appointment
    /** Only in the examples that `test` sends */
    example?: true
  }
}

export type PublicAppointmentType = {
  uid: string
  /** 1 to 255 characters, trimmed */
  name: string
  /** Minutes */
  duration_minutes: number
  /** Lifetime of a tentative hold, seconds */
  hold_ttl_seconds: number
  /** Least notice for booking, minutes; a doctor's own value wins */
  booking_min_notice_minutes: number
  /** Every doctor with availability, or only those with an active setting of their own */
  doctor_assignment_mode: "all_available_doctors" | "selected_doctors_only"
  /** Whether patients may move their own appointments of this type */
  allow_patient_rebooking: boolean
  /** Whether a moved appointment stays with its doctor */
  rebooking_mode: "same_doctor_only" | "any_doctor_same_organisation"
  /** What patients read about it; blank counts as none */
  description?: string | null
  /** How patients prepare; blank counts as none */
  preparation?: string | null
  /** The rule for cancelling in words; blank counts as none */
  cancellation_rule?: string | null
  /** What it costs, as one line; blank counts as none */
  price?: string | null
  /** Name and texts in other languages, for the patients who read them; null: the type's own */
  translations?: ReadonlyArray<{
    /** Language of the texts, BCP 47 */
    language: string
    /** Its name; null: the type's own */
    name?: string | null
    /** What patients read about it; blank counts as none */
    description?: string | null
    /** How patients prepare; blank counts as none */
    preparation?: string | null
    /** The rule for cancelling in words; blank counts as none */
    cancellation_rule?: string | null
    /** What it costs, as one line; blank counts as none */
    price?: string | null
  }>
  /** How it takes place; no other format is offered or booked */
  formats?: ReadonlyArray<"DIGITAL" | "IN_PERSON">
}

export type Slot = {
  doctor_uid: string
  /** Name of the doctor */
  doctor_name: string
  /** Unix seconds */
  start_date: number
  /** Unix seconds */
  end_date: number
  /** IANA zone in which the local times are rendered */
  timezone: string
  /** ISO 8601 with offset */
  start_local: string
  /** ISO 8601 with offset */
  end_local: string
  /** Seats left at the start; only of types with several seats */
  seats_left?: Int
}

export type BookingSessionCreated = {
  /** The only credential of the session */
  booking_launch_code: string
  /** Unix seconds */
  expires_at: number
  /** Address of the hosted booking page, which carries the launch code */
  launch_url: string
}

export type BookingSessionContext = {
  uid: string
  shop_uid: string
  appointment_type_uid: string | null
  appointment_type: {
    uid: string
    /** Name of the appointment type */
    name: string
    /** Minutes */
    duration_minutes: number
  } | null
  start_from: number | null
  start_to: number | null
  /** Whether something new is booked, an appointment is moved, or neither */
  mode: "booking" | "rebooking" | "request"
  /** Where the patient goes after booking; null without one */
  return_url: string | null
  /** Unix seconds */
  expires_at: number
}

export type Hold = {
  hold_uid: string
  /** Unix seconds */
  expires_at: number
  /** Seconds that the hold lasts */
  ttl_seconds: number
  /** `held`; of a repeated request the current status */
  status: "held" | "confirmed" | "cancelled" | "expired" | "completed" | "no_show"
  /** Why the patient comes; null when not given */
  visit_reason: string | null
  /** Profile fields of the token or the request whose values could not be used; absent without any */
  ignored_profile_fields?: ReadonlyArray<string>
}

export type ConfirmedAppointment = {
  uid: string
  /** Status of the appointment */
  status: "confirmed"
  /** Unix seconds */
  start_date: number
  /** Unix seconds */
  end_date: number
  /** Why the patient comes; null when not given */
  visit_reason: string | null
  /** Profile fields of the token or the request whose values could not be used; absent without any */
  ignored_profile_fields?: ReadonlyArray<string>
}

export type CancelledAppointment = {
  appointment_uid: string
  /** Status of the appointment */
  status: "cancelled"
}

export type RebookedAppointment = {
  /** The new appointment */
  appointment_uid: string
  /** Status of the new appointment */
  status: "confirmed"
}

export type JoinToken = {
  /** Name of the video room */
  room_name: string
  /** JWT for `{meetings_url}/meeting/{room_name}?jwt={token}` */
  token: string
  /** Real time, also where domain time was moved */
  expires_at: number
}

export type KeyHold = {
  hold_uid: string
  /** Unix seconds */
  expires_at: number
  /** Seconds that the hold lasts */
  ttl_seconds: number
  /** `held`; of a repeated request the current status */
  status: "held" | "confirmed" | "cancelled" | "expired" | "completed" | "no_show"
  /** Why the patient comes; null when not given */
  visit_reason: string | null
  /** Profile fields of the token or the request whose values could not be used; absent without any */
  ignored_profile_fields?: ReadonlyArray<string>
  /** The patient's other confirmed appointments at the same time, at most ten, by start */
  overlaps: ReadonlyArray<{
    uid: string
    /** Unix seconds */
    start_date: number
    /** Name of the doctor */
    doctor_display_name: string
  }>
}

export type Article = {
  sku_uid: string
  /** Name of the article */
  name: string
  /** Pharmaceutical number; null without one */
  pzn: string | null
}

export type PharmacyProduct = {
  uid: string
  /** Name of the article */
  display_name: string
  /** The product's name in addresses */
  handle: string
  /** SKUs of the product that the pharmacy carries */
  skus: ReadonlyArray<PharmacySku>
  /** The latest change of one of these SKUs, Unix seconds */
  updated_at: number
}

export type BulkResult = {
  /** uid of the row; null when it has none */
  uid: string | null
  /** 200 changed, 400 refused, 404 not found, 412 changed since it was read */
  status: 200 | 400 | 404 | 412
  /** The SKU after the change; null when nothing changed */
  pharmacy_sku: PharmacySku | null
  /** Every fault of the row as `field: message` */
  error: ReadonlyArray<string>
}

export type PharmacyWebhook = {
  uid: string
  /** http or https address that deliveries are sent to */
  url: string
  /** Whether deliveries are sent */
  active: boolean
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
  /** Types of the events that are sent */
  event_types: ReadonlyArray<"patient_doctor_meeting_updated" | "rebooked" | "scheduling.appointment_reminder_due" | "patient.created" | "subscription.failing" | "prescription.render" | "prescription.rendered" | "pharmacy_manager.send_prescription" | "pharmacy_order.created" | "pharmacy_order.status_updated" | "pharmacy_order.completed" | "pharmacy_sku.updated" | "recall.due" | "scheduling.times_offered" | "busy_source.failing" | "calendar_connection.failing" | "waitlist.offered" | "waitlist.accepted" | "waitlist.paused" | "patient.merged" | "patient.exported" | "patient.erased" | "request.created" | "request.answered" | "request.running_out" | "request.closed" | "scheduling.doctor_late" | "scheduling.waiting">
}

export type ListEventsResponse = {
  /** Events in order */
  data: ReadonlyArray<Event>
  /** Send it as `after` for what follows; null at the end */
  next: string | null
}

export type Payout = {
  /** projected: a preview; routed: sent to the payment provider */
  status: "projected" | "routed"
  /** Cents */
  amount: number
  /** ISO 4217 */
  currency: string
  /** Part of the payout */
  component_type: "item_rest" | "item_markup" | "shipping"
  /** Description that the payment provider got; null until routed */
  routing_description: string | null
  /** The payment provider's identifier of the route; null until routed */
  provider_route_id: string | null
  pharmacy_order_uid: string
  /** Name of the order; null without one */
  pharmacy_order_name: string | null
  /** Unix seconds */
  pharmacy_order_created_at: number
  /** Unix seconds; null until routed */
  routing_created_at: number | null
  /** Unix seconds */
  updated_at: number
}

export type ListedPrescription = {
  uid: string
  /** Status of the prescription */
  status: "waiting_for_doctor" | "externally_signed" | "signed" | "dispatched" | "completed" | "cancelled"
  /** The prescriber; null if unknown */
  doctor: {
    uid: string
    /** Name of the doctor */
    display_name: string
  } | null
  /** A PDF is available */
  rendered: boolean
  /** For whom it is; `uid` is null unless exactly one patient has the name and date of birth */
  patient: {
    uid: string | null
    /** Name of the patient; null if unknown */
    display_name: string | null
  }
  /** The first 20 prescribed items */
  items: ReadonlyArray<{
    sku_uid: string
    /** Packs */
    quantity: number
    /** Name of the article; null if unknown */
    article: string | null
  }>
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
}

export type Prescription = {
  uid: string
  /** Status of the prescription */
  status: "waiting_for_doctor" | "externally_signed" | "signed" | "dispatched" | "completed" | "cancelled"
  /** The prescriber; null if unknown */
  doctor: {
    uid: string
    /** Name of the doctor */
    display_name: string
  } | null
  /** A PDF is available */
  rendered: boolean
  /** The signed PDF, else the rendered one; null while there is none */
  file: PrescriptionFile | null
  /** Prescribed items */
  items: ReadonlyArray<{
    uid: string
    sku_uid: string
    /** Packs */
    quantity: number
    /** How it is taken; null when not given */
    dosage: string | null
    /** The patient's questionnaire; null for items that skip validation */
    anamnesis_uid: string | null
  }>
  /** Of a PDF that came in signed; null for others */
  signature: Signature | null
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
}

export type PrescriptionFile = {
  /** Signed address, valid for 5 minutes */
  url: string
  /** Hexadecimal */
  sha256: string
  /** Bytes */
  size: number
}

export type Signature = {
  /** The file carries a signature */
  present: boolean
  /** The signed bytes are those that were signed, for every signature */
  intact: boolean
  /** Nothing was added after the last signature */
  covers_whole_file: boolean
  /** Common name of the last signer's certificate */
  signer: string | null
  /** Neither chain nor revocation is checked */
  trust: "unchecked"
}

export type CheckoutPatient = {
  /** First name */
  first_name: string
  /** Last name */
  last_name: string
  /** Unix seconds; before 1970 negative */
  date_of_birth: number
  /** Gender of the patient */
  gender: "male" | "female" | "divers"
}

export type BuyerIdentity = {
  /** At most 2000 characters; blank counts as none */
  email?: string | null
  /** At most 2000 characters; blank counts as none */
  phone?: string | null
  /** ISO 3166-1 alpha-2 */
  countryCode?: string | null
  /** Used with `checkout_link` only */
  customerAccessToken?: string | null
}

export type CheckoutAddress = {
  /** First name */
  first_name?: string | null
  /** Last name */
  last_name?: string | null
  /** Street including the house number */
  address1?: string | null
  /** At most 2000 characters; blank counts as none */
  city?: string | null
  /** Empty for countries without provinces */
  province?: string | null
  /** ISO 3166-1 alpha-2 */
  country_code?: string | null
  /** At most 2000 characters; blank counts as none */
  zip?: string | null
}

export type PrescriptionCheckoutResult = {
  /** Always success */
  status: "success"
  /** URL at which the customer pays; null for `draft_order_without_checkout_request` and reserved draft orders */
  checkout_url: string | null
  /** null for `checkout_link` */
  draft_order_id: string | null
  /** Signed prescriptions */
  prescriptions: ReadonlyArray<{
    /** The caller's identifier of the prescription */
    id: string
    prescription_uid: string
  }>
}

export type TreatmentCheckoutResult = {
  /** Always success */
  status: "success"
  /** URL at which the customer pays; null for `draft_order_without_checkout_request` and reserved draft orders */
  checkout_url: string | null
  /** null for `checkout_link` */
  draft_order_id: string | null
}

export type NewReservation = {
  /** Ordered articles */
  lines: ReadonlyArray<{
    sku_uid: string
    /** Units */
    quantity: number
  }>
}

export type OrdersOfPrescription = {
  prescription_uid: string
  /** As in the prescription's read view, e.g. `signed` */
  status: string
  /** Orders that fill the prescription */
  orders: ReadonlyArray<{
    uid: string
    /** Name of the order in the shop */
    name: string
    /** Status of the order */
    status: "new" | "accepted" | "in_preparation" | "ready_for_pickup" | "shipped" | "completed" | "rejected" | "cancelled"
    /** Whether the order is paid */
    paid: boolean
    /** Unix seconds */
    created_at: number
    /** Carrier and number of the parcel; null without one */
    tracking: Tracking | null
  }>
}

export type BulkMovedAppointments = {
  /** At most 200, by start; call again for more */
  moved: ReadonlyArray<MovedAppointment>
  /** Appointments that were not moved */
  left: ReadonlyArray<{
    uid: string
    /** As of a refused move; `slot_taken` where no time is free, `too_many_requests` where the search took too long: call again */
    code: string
  }>
}

export type MovedAppointment = {
  uid: string
  /** The appointment that replaces it; null in a dry run */
  new_uid: string | null
  /** Doctor of the new appointment */
  new_doctor_uid: string
  /** Unix seconds */
  new_start_date: number
  /** The appointment in the doctor's own calendar. `none`: none is written. `missing`: the doctor removed it there. `failing`: it could not be written for an hour */
  calendar_entry: "none" | "waiting" | "written" | "missing" | "failing"
}

export type DoctorSummary = {
  uid: string
  /** Name of the doctor */
  display_name: string
  /** IANA zone in which availability is meant */
  timezone: string
  /** Unix seconds */
  updated_at: number
}

export type DoctorAppointmentTypeSetting = {
  doctor_uid: string
  appointment_type_uid: string
  /** Whether the doctor takes appointments of the type */
  active: boolean
  /** Minimum notice for booking this doctor, minutes; wins over the type's value, also when 0; null: the type's value */
  booking_min_notice_minutes: number | null
  /** Unix seconds */
  updated_at: number
}

export type Resource = {
  uid: string
  organisation_uid: string
  /** A room, a device, or a person who is no doctor, such as an interpreter */
  kind: "room" | "device" | "person"
  /** Name of the resource */
  name: string
  /** Where it is, as patients read it; null: not stated */
  site: string | null
  /** true: free whenever no appointment takes it; false: within its own hours alone */
  always_available: boolean
  /** Whether appointments can take it */
  active: boolean
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
}

export type ResourceAvailabilityRule = {
  uid: string
  resource_uid: string
  /** 0 = Monday … 6 = Sunday */
  weekday: number
  /** Minutes from midnight (540 = 09:00) */
  start_time: number
  /** Minutes from midnight (540 = 09:00) */
  end_time: number
  /** Buffer between appointments, minutes */
  buffer_minutes: number
  /** Slots start at or after it, Unix seconds */
  valid_from: number | null
  /** Slots start before it, Unix seconds */
  valid_until: number | null
  /** Whether the rule counts */
  active: boolean
  /** One appointment type; null means all */
  appointment_type_uid: string | null
  /** Unix seconds */
  updated_at: number
}

export type ResourceDateOverride = {
  uid: string
  resource_uid: string
  /** UTC midnight of a date, Unix seconds */
  date: number
  /** Minutes from midnight; null for a day off */
  start_time: number | null
  /** Minutes from midnight; null for a day off */
  end_time: number | null
  /** Buffer between appointments, minutes */
  buffer_minutes: number
  /** One appointment type; null means all */
  appointment_type_uid: string | null
  /** Unix seconds */
  updated_at: number
}

export type Organisation = {
  uid: string
  /** Name shown to patients */
  name: string
  /** IANA zone of its mails, and of doctors without a zone of their own */
  timezone: string
  /** ISO 3166 code of two letters; national telephone numbers are those of this country */
  country_code: string
  /** Origins that patients may be sent back to */
  return_url_origins: ReadonlyArray<string>
  /** Origins that may embed its booking page */
  embed_origins: ReadonlyArray<string>
  /** Mails to patients beyond the reminders */
  messages: ReadonlyArray<"confirmation" | "cancellation" | "rebooking">
  /** Own texts of messages to patients, at most one entry for each kind and language; none: the standard texts */
  message_texts: ReadonlyArray<MessageText>
  /** Whether mails and texts include the visit reason */
  visit_reason_in_messages: boolean
  /** Live holds a patient may have at once */
  patient_live_holds_max: number
  /** Future appointments a patient may have */
  patient_future_appointments_max: number
  /** The region whose public holidays count; null: of a doctor the organisation's, of an organisation none */
  holiday_region: string | null
  /** Further closed days */
  extra_holidays: ReadonlyArray<Holiday>
  /** The texts that consent is asked to, at most one for each purpose; none: no consent is asked */
  consent: ReadonlyArray<{
    /** Purpose of the consent: `data_processing`, the processing of health data; `video`, treatment by video */
    purpose: "data_processing" | "video"
    /** 1 to 64 characters */
    version: string
    /** Whether a patient books by the hosted pages only after agreeing */
    required?: boolean | null
    /** The text in each language; the first one is for every other language */
    texts: ReadonlyArray<{
      /** Language tag, e.g. de */
      language: string
      /** 1 to 20000 characters */
      text: string
    }>
  }>
  /** Branding of pages and messages */
  branding: {
    /** Address of the logo at this service; null: none */
    logo: string | null
    /** Colour of buttons and links, `#rrggbb`; null: none */
    accent_colour: string | null
    /** Telephone number for patients; null: none */
    phone: string | null
    /** Postal address of the practice, also the place of appointments there; null: none */
    address: string | null
    /** Address of the imprint; null: none */
    imprint_url: string | null
    /** Address of the privacy notice; null: none */
    privacy_url: string | null
    /** Mail address for patients' questions; null: none */
    support_email: string | null
    /** Name of the sender of its mails, beside the installation's address; null: none */
    sender_name: string | null
    /** Where answers to its mails go; null: none */
    reply_to: string | null
  }
  retention: Retention
  /** Recipients of notifications to `admin` */
  admins: ReadonlyArray<{
    uid: string
    /** Name of the administrator */
    display_name: string
    /** Mail address for notices; null: none */
    email: string | null
    /** Telephone number for notices; null: none */
    phone: string | null
  }>
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
  /** Title of an appointment in the doctor's own calendar */
  calendar_entry_title: string
  /** `initials`: the title is followed by the patient's initials */
  calendar_entry_details: "none" | "initials"
  /** Whether the waiting list makes no offers: freed times go to search, and entries keep their place */
  waitlist_paused: boolean
  fhir: FhirSettings
  /** Whether the pages `/book/{shop_identifier}` take bookings without a partner */
  public_booking: boolean
}

export type MessageText = {
  /** Subject of the message */
  kind: "reminder" | "confirmation" | "cancellation" | "rebooking" | "recall" | "times_offered" | "calendar_lost" | "waitlist_offer" | "waitlist_paused" | "series" | "request_answered" | "request_running_out" | "request_closed" | "doctor_late"
  /** Language of the texts; those of en are for en-US too */
  language: "de" | "en" | "tr" | "ar" | "uk" | "ru"
  /** Subject of the mail; null: the standard text */
  subject?: string | null
  /** First line of the mail; null: the standard text */
  greeting?: string | null
  /** What the mail says before its facts and buttons; may have several lines; null: the standard text */
  opening?: string | null
  /** Last lines of the mail, before the practice's contact data; null: the standard text */
  closing?: string | null
  /** The text message, to which links are added; null: the standard text */
  sms?: string | null
}

export type Holiday = {
  /** YYYY-MM-DD */
  date: string
  /** Name of the day */
  name: string
}

export type Retention = {
  /** Appointments that took place or were missed, after the end of the patient's last one; prescriptions with their PDFs, after their last change: days (default 3653) */
  records?: number
  /** Names and addresses in orders and paid drafts, after their last change: days (default 3653) */
  orders?: number
  /** Confirmed appointments that were cancelled, after the cancellation: days (default 1096) */
  cancelled_appointments?: number
  /** Patients without appointments, after their last change: days (default 1096) */
  patients?: number
  /** Consents, after they were withdrawn: days (default 1096) */
  consents?: number
  /** Mails and texts sent, without content, after their creation: days (default 90) */
  messages?: number
  /** Unpaid drafts, reservations, and orders that wait for a pharmacy, after their creation: days (default 90) */
  drafts?: number
  /** Events, after they were recorded: days (default 30) */
  events?: number
  /** Webhook deliveries that ended, after their creation: days (default 30) */
  deliveries?: number
  /** Holds that were never confirmed, after they were cancelled or, if they expired, after the end of their time: days (default 1) */
  holds?: number
  /** Booking sessions, after they ended: days (default 1) */
  sessions?: number
  /** Action links, after they expired: days (default 1) */
  links?: number
  /** Entries of the waiting list with their offers, after the end of the time that was waited for: days (default 430) */
  waitlist?: number
  /** Answers to forms and their files, and requests with what the practice has written, after their last change: days (default 3653) */
  forms?: number
}

/** The FHIR interface; switched off, its paths are 404 */
export type FhirSettings = {
  /** Whether it uses the FHIR interface */
  enabled: boolean
}

export type OrganisationChanges = {
  name?: string | null
  /** IANA zone of its mails, and of doctors without a zone of their own */
  timezone?: string | null
  /** ISO 3166 code of two letters; national telephone numbers are those of this country */
  country_code?: string | null
  /** Origins that patients may be sent back to */
  return_url_origins?: ReadonlyArray<string> | null
  /** Origins that may embed its booking page */
  embed_origins?: ReadonlyArray<string> | null
  /** Mails to patients beyond the reminders */
  messages?: (ReadonlyArray<"confirmation" | "cancellation" | "rebooking">) | null
  /** Own texts of messages to patients, at most one entry for each kind and language; none: the standard texts */
  message_texts?: ReadonlyArray<MessageText> | null
  /** Whether mails and texts include the visit reason */
  visit_reason_in_messages?: boolean | null
  /** Live holds a patient may have at once */
  patient_live_holds_max?: number | null
  /** Future appointments a patient may have */
  patient_future_appointments_max?: number | null
  /** The region whose public holidays count; null: of a doctor the organisation's, of an organisation none */
  holiday_region?: string | null
  /** Further closed days */
  extra_holidays?: ReadonlyArray<Holiday> | null
  /** The texts that consent is asked to, at most one for each purpose; none: no consent is asked */
  consent?: (ReadonlyArray<{
    /** Purpose of the consent: `data_processing`, the processing of health data; `video`, treatment by video */
    purpose: "data_processing" | "video"
    /** 1 to 64 characters */
    version: string
    /** Whether a patient books by the hosted pages only after agreeing */
    required?: boolean | null
    /** The text in each language; the first one is for every other language */
    texts: ReadonlyArray<{
      /** Language tag, e.g. de */
      language: string
      /** 1 to 20000 characters */
      text: string
    }>
  }>) | null
  /** Branding of pages and messages; only sent fields change */
  branding?: ({
    /** Logo as a data URI (PNG or JPEG, at most 64 KiB); null: none */
    logo?: string | null
    /** Colour of buttons and links, `#rrggbb`; null: none */
    accent_colour?: string | null
    /** Telephone number for patients; null: none */
    phone?: string | null
    /** Postal address of the practice, also the place of appointments there; null: none */
    address?: string | null
    /** Address of the imprint; null: none */
    imprint_url?: string | null
    /** Address of the privacy notice; null: none */
    privacy_url?: string | null
    /** Mail address for patients' questions; null: none */
    support_email?: string | null
    /** Name of the sender of its mails, beside the installation's address; null: none */
    sender_name?: string | null
    /** Where answers to its mails go; null: none */
    reply_to?: string | null
  }) | null
  retention?: RetentionChanges | null
  /** Administrators to create or replace by their `uid`; those that are not named stay */
  admins?: (ReadonlyArray<{
    uid: string
    /** Name of the administrator */
    display_name: string
    /** Mail address for notices; null: none */
    email?: string | null
    /** Telephone number for notices; null: none */
    phone?: string | null
  }>) | null
  calendar_entry_title?: string | null
  /** `initials`: the title is followed by the patient's initials */
  calendar_entry_details?: ("none" | "initials") | null
  /** Whether the waiting list makes no offers: freed times go to search, and entries keep their place */
  waitlist_paused?: boolean | null
  fhir?: FhirSettings | null
  /** Whether the pages `/book/{shop_identifier}` take bookings without a partner */
  public_booking?: boolean | null
}

/** Days for which kinds of data are kept; those that are not named stay as they are */
export type RetentionChanges = {
  /** Appointments that took place or were missed, after the end of the patient's last one; prescriptions with their PDFs, after their last change: days (default 3653) */
  records?: number | null
  /** Names and addresses in orders and paid drafts, after their last change: days (default 3653) */
  orders?: number | null
  /** Confirmed appointments that were cancelled, after the cancellation: days (default 1096) */
  cancelled_appointments?: number | null
  /** Patients without appointments, after their last change: days (default 1096) */
  patients?: number | null
  /** Consents, after they were withdrawn: days (default 1096) */
  consents?: number | null
  /** Mails and texts sent, without content, after their creation: days (default 90) */
  messages?: number | null
  /** Unpaid drafts, reservations, and orders that wait for a pharmacy, after their creation: days (default 90) */
  drafts?: number | null
  /** Events, after they were recorded: days (default 30) */
  events?: number | null
  /** Webhook deliveries that ended, after their creation: days (default 30) */
  deliveries?: number | null
  /** Holds that were never confirmed, after they were cancelled or, if they expired, after the end of their time: days (default 1) */
  holds?: number | null
  /** Booking sessions, after they ended: days (default 1) */
  sessions?: number | null
  /** Action links, after they expired: days (default 1) */
  links?: number | null
  /** Entries of the waiting list with their offers, after the end of the time that was waited for: days (default 430) */
  waitlist?: number | null
  /** Answers to forms and their files, and requests with what the practice has written, after their last change: days (default 3653) */
  forms?: number | null
}

export type Doctor = {
  uid: string
  organisation_uid: string
  /** Name of the doctor */
  display_name: string
  /** Mail address for notices; null: none */
  email: string | null
  /** Telephone number for notices; null: none */
  phone: string | null
  /** IANA zone in which availability is meant */
  timezone: string
  /** As printed on prescriptions; null: none */
  profession: string | null
  /** Of the practice, as printed on prescriptions; null: none */
  address: string | null
  /** Title before the name on pages, unless the name begins with it; null: none */
  title: string | null
  /** Specialty as patients read it; null: none */
  specialty: string | null
  specialty_code: SpecialtyCode
  /** Languages that the doctor speaks, BCP 47 */
  languages: ReadonlyArray<string>
  /** Most appointments of any type that the doctor takes in a period; all of them hold */
  limits: ReadonlyArray<{
    /** Calendar day, week from Monday, or calendar month */
    per: "day" | "week" | "month"
    /** Most appointments that start in one of these periods */
    max: number
  }>
  /** The region whose public holidays count; null: of a doctor the organisation's, of an organisation none */
  holiday_region: string | null
  /** Further closed days */
  extra_holidays: ReadonlyArray<Holiday>
  /** Address of the picture at this service; null: none */
  picture: string | null
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
}

export type Shop = {
  uid: string
  organisation_uid: string
  /** Identifier of the shop in booking tokens and checkouts; unique over all organisations */
  shop_identifier: string
  /** Display name */
  name: string
  /** Pharmacy of orders that name none */
  default_pharmacy_uid: string | null
  /** The pharmacies that its orders may go to, the default one included; null: all of the installation's */
  pharmacy_uids: ReadonlyArray<string> | null
  /** `patient`: the patient chooses, so that an order without the attribute `pharmacy_uid` waits for a person; `any`: the default pharmacy, else the cheapest, gets it */
  pharmacy_choice: "any" | "patient"
  /** Articles that the shop sells only with an anamnesis: an order whose line has none, or a flag that skips it, waits for a person */
  anamnesis_sku_uids: ReadonlyArray<string>
  /** The storefront of its checkouts */
  storefront: {
    /** Kind of storefront */
    kind: "embedded" | "shopify"
    /** Of a Shopify shop, else null */
    shop_domain: string | null
  }
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
}

export type Patient = {
  uid: string
  shop_uid: string
  /** The shop's identifier of its customer, unique within the shop; null for a patient without an account there */
  shop_customer_id: string | null
  profile: PatientProfile
  /** Since when the data is stored only and not used (restriction of processing); null: it is used */
  restricted_at: number | null
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
}

/** Known fields, and the partner's own under names of lower-case letters, digits and underscores */
export type PatientProfile = {
  /** Given name */
  first_name?: string | null
  /** Family name */
  last_name?: string | null
  /** Mail address */
  email?: string | null
  /** Telephone number */
  phone?: string | null
  /** Date, YYYY-MM-DD; also taken as Unix seconds */
  date_of_birth?: (string | number) | null
  /** male, female or divers */
  gender?: string | null
  /** Street and house number */
  street?: string | null
  /** City */
  city?: string | null
  /** Postal code */
  zip?: string | null
  /** ISO 3166 code of two letters, e.g. DE */
  country_code?: string | null
  /** statutory, private or self_pay */
  insurance_kind?: string | null
  /** Number of the insured person */
  insurance_number?: string | null
  /** Name of the insurance */
  insurance_carrier?: string | null
  /** Language tag; messages are in it where the pages are, else in English */
  language?: string | null
}

export type Consent = {
  uid: string
  patient_uid: string
  /** Purpose of the consent: `data_processing`, the processing of health data; `video`, treatment by video */
  purpose: "data_processing" | "video"
  /** 1 to 64 characters */
  version: string
  /** Language of the text that was shown; null: not known */
  language: string | null
  /** When the patient agreed */
  given_at: number
  /** When the patient withdrew it; null: still valid */
  withdrawn_at: number | null
  /** Unix seconds */
  updated_at: number
}

export type ApiKey = {
  uid: string
  /** Purpose of the key */
  name: string
  /** Permissions of the key */
  permissions: ReadonlyArray<"scheduling:read" | "scheduling:admin" | "scheduling:write" | "prescription:read" | "prescription:external_sign" | "create_prescription_checkout" | "create_treatment_checkout" | "organisation:admin" | "patients:read" | "patients:write" | "patients:admin" | "audit:read" | "intake:read" | "sandbox:clock">
  /** Unix seconds */
  created_at: number
  /** To the minute */
  last_used_at: number | null
  /** Unix seconds; null while the key is valid */
  revoked_at: number | null
}

export type RequestEntry = {
  /** `X-Request-Id` of the answer */
  trace_id: string
  /** When it was answered, in real time */
  at: number
  /** Method of the request */
  method: string
  /** Path without the query, at most 255 characters */
  path: string
  /** HTTP status of the answer */
  status: number
  /** `code` of the error; null without one */
  code: string | null
  /** Milliseconds until the answer */
  duration_ms: number
}

export type RecallsWeek = {
  /** Midnight of its Monday in the organisation's zone */
  week_starts_at: number
  /** Recalls that were due in the week */
  sent: number
  /** Those of them that led to a booking */
  booked: number
  /** Those that did not: the patient objected, the practice cancelled it, or the date has passed */
  lost: number
}

export type Absence = {
  uid: string
  /** The absent doctor; null: all doctors */
  doctor_uid: string | null
  /** Start, Unix seconds */
  from: number
  /** End, Unix seconds; at most 366 days after from */
  to: number
  /** Why; patients do not see it */
  kind: "vacation" | "illness" | "training" | "other"
  /** How many of its appointments have come how far */
  appointments: {
    /** Still to be settled */
    waiting: number
    /** Moved */
    moved: number
    /** Patients who were asked to choose another time */
    offered: number
    /** Cancelled */
    cancelled: number
    /** Could not be settled: they stay as they are */
    left: number
  }
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
}

export type SettledAppointment = {
  appointment: StaffAppointment
  /** What was to become of it */
  step: "move" | "offer" | "cancel"
  /** What became of it; `offered`: the patient was asked, and the appointment's own `status` says whether there is an answer */
  status: "waiting" | "moved" | "offered" | "cancelled" | "left"
  /** The error code of the refusal, of one that was left, or `no_address`; null otherwise */
  code: string | null
}

export type BusySource = {
  uid: string
  doctor_uid: string
  /** `ics`: a file at an address. `caldav`: a CalDAV collection */
  kind: "ics" | "caldav"
  /** As the doctor calls it */
  name: string
  /** Address of the file or of the collection; http or https. `webcal` is taken as https */
  url: string
  /** For HTTP Basic or Digest; null: none */
  username: string | null
  /** Whether all-day events make the day busy */
  all_day_blocks: boolean
  /** After 24 hours without a successful reading: `keep` goes on with the last times, `close` offers no time of the doctor */
  when_stale: "keep" | "close"
  /** Whether it is read and counts */
  active: boolean
  /** `waiting`: not read yet. `failing`: the last reading failed */
  status: "waiting" | "current" | "failing"
  /** Last successful reading */
  last_success_at: number | null
  /** Why the last reading failed, and what to do. While `status` is `current`: the first of what it could not read (`skipped_events`), or a time zone that is not known */
  last_error: string | null
  /** Null while it is not active */
  next_read_at: number | null
  /** Events in the four weeks after the last successful reading */
  events: number
  /** All-day events among them */
  all_day_events: number
  /** Events of the calendar that could not be read, or not wholly, at the last successful reading; what of them can be read counts */
  skipped_events: number
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
}

export type CalendarConnection = {
  uid: string
  /** Where the calendars are kept */
  provider: "microsoft" | "google" | "caldav"
  /** The account at the provider, or the user name */
  account: string
  /** The calendars of the account */
  calendars: ReadonlyArray<ConnectedCalendar>
  /** `waiting`: not read yet. `failing`: the last contact failed */
  status: "waiting" | "current" | "failing"
  /** Why the last contact failed, and what to do */
  last_error: string | null
  /** Last successful reading */
  last_read_at: number | null
  /** Last entry written, changed or removed */
  last_write_at: number | null
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
}

export type ConnectedCalendar = {
  /** 1 to 1024 characters */
  id: string
  /** As the provider has it */
  name: string
  /** Whether its busy times are read; never titles */
  reads: boolean
  /** Whether appointments are written into it; one at most */
  writes: boolean
}

export type OfferedCalendarProvider = {
  /** As in `POST` of a connection */
  provider: "microsoft" | "google"
}

export type DifferingCalendarEntry = {
  appointment_uid: string
  /** Of the appointment */
  start_date: number
  /** Of the appointment */
  end_date: number
  /** The appointment in the doctor's own calendar. `none`: none is written. `missing`: the doctor removed it there. `failing`: it could not be written for an hour */
  state: "none" | "waiting" | "written" | "missing" | "failing"
  /** Its start there; null: it was not moved there */
  calendar_start_date: number | null
}

export type WaitlistEntryOffers = {
  /** Offers made to the entry, the newest first */
  offers: ReadonlyArray<WaitlistEntryOffer>
  /** The newest 50 offers to others of times that the entry wishes, each with the reason */
  passed_over: ReadonlyArray<WaitlistPassedOver>
}

export type WaitlistEntryOffer = {
  uid: string
  doctor_uid: string
  /** Unix seconds */
  start_date: number
  /** Unix seconds */
  end_date: number
  /** The entry's need when the offer was made */
  need: "routine" | "soon" | "urgent"
  /** `lapsed`: left unanswered; `lost`: somebody else was first, or the time is gone */
  status: "offered" | "accepted" | "declined" | "lapsed" | "lost"
  /** Unix seconds */
  offered_at: number
  /** When its mail or SMS goes out: quiet hours delay it */
  sent_at: number
  /** Unix seconds */
  expires_at: number
  /** When it was accepted or declined; null: neither */
  answered_at: number | null
  /** The booking of an accepted one */
  appointment_uid: string | null
}

export type WaitlistPassedOver = {
  offer_uid: string
  /** Who was offered the time */
  waitlist_entry_uid: string
  doctor_uid: string
  /** Unix seconds */
  start_date: number
  /** Unix seconds */
  end_date: number
  /** Unix seconds */
  offered_at: number
  /** `more_need`, `waits_longer`: the other was first in the order; `had_offer`: this entry had an open offer; `asked_before`: it had declined this time or left it unanswered; `need_changed`: its need was another then; `not_waiting`: it was paused, or its wish another */
  because: "more_need" | "waits_longer" | "had_offer" | "asked_before" | "need_changed" | "not_waiting"
}

export type WaitlistOffer = {
  /** Name of the type */
  appointment_type_name: string
  /** Name of the doctor */
  doctor_display_name: string
  /** Unix seconds */
  start_date: number
  /** Unix seconds */
  end_date: number
  /** Until when it can be accepted for certain, or is first come, first served */
  expires_at: number
  /** `lapsed`: left unanswered; `lost`: somebody else was first, or the time is gone */
  status: "offered" | "accepted" | "declined" | "lapsed" | "lost"
  /** The appointment that accepting moves; null: none */
  replaces: {
    appointment_uid: string
    /** Unix seconds */
    start_date: number
    /** Unix seconds */
    end_date: number
  } | null
}

export type SandboxClock = {
  /** Unix seconds */
  now: number
}

export type SeriesAppointment = {
  uid: string
  /** Status of the appointment */
  status: "held" | "confirmed" | "cancelled" | "expired" | "completed" | "no_show"
  doctor_uid: string
  /** Name of the doctor */
  doctor_display_name: string
  patient_uid: string
  /** Name of the patient */
  patient_display_name: string
  /** null without a type */
  appointment_type_uid: string | null
  /** Name of the appointment type; null without a type */
  appointment_type_name: string | null
  /** Why the patient comes; null when not given */
  visit_reason: string | null
  /** What kind of consultation it is */
  meeting_type: "CONSULTATION" | "FOLLOW_UP" | "INITIAL" | "REVIEW" | "ON_DEMAND"
  /** By video or at the practice */
  meeting_format: "DIGITAL" | "IN_PERSON"
  /** Unix seconds */
  start_date: number
  /** Unix seconds */
  end_date: number
  /** Unix seconds */
  created_at: number
  /** The last change of this record; the second it expired, of a hold */
  updated_at: number
  /** Unix seconds; null unless cancelled */
  cancelled_at: number | null
  /** Reason given at cancellation; null without one */
  cancellation_reason: string | null
  /** Rooms, devices and persons that it takes; empty without any */
  resources: ReadonlyArray<TakenResource>
  /** Doctors that it takes beside `doctor_uid`; empty without any */
  further_doctors: ReadonlyArray<FurtherDoctor>
  /** The appointment that it replaced */
  previous_meeting_uid: string | null
  /** The same for all that were booked as one act; null: booked alone */
  series_uid: string | null
  /** The patient's other confirmed appointments at the same time, at most ten, by start */
  overlaps: ReadonlyArray<{
    uid: string
    /** Unix seconds */
    start_date: number
    /** Name of the doctor */
    doctor_display_name: string
  }>
  /** The appointment in the doctor's own calendar. `none`: none is written. `missing`: the doctor removed it there. `failing`: it could not be written for an hour */
  calendar_entry: "none" | "waiting" | "written" | "missing" | "failing"
}

export type CancelledSeries = {
  series_uid: string
  /** By start */
  cancelled: ReadonlyArray<string>
  /** Appointments that changed meanwhile */
  skipped: ReadonlyArray<{
    uid: string
    /** Why it was not cancelled */
    code: string
  }>
}

export type DoctorsWeek = {
  doctor_uid: string
  /** Name of the doctor */
  doctor_display_name: string
  /** Midnight of its Monday in the organisation's zone */
  week_starts_at: number
  /** Appointments of the week that were confirmed, whatever became of them */
  booked: number
  /** Those that took place */
  completed: number
  /** Those that were cancelled; a move is no cancellation */
  cancelled: number
  /** Those to which the patient did not come */
  no_show: number
  /** From the confirmation to the start, on average; null without appointments */
  lead_time_seconds: number | null
  /** Length of those that were not cancelled */
  booked_minutes: number
  /** Length of the doctor's hours, days off and exceptions included */
  offered_minutes: number
  /** Offers of the waiting list for times of the week */
  waitlist_offers: number
  /** Those of them that were accepted */
  refilled_appointments: number
  /** The length of these, which would have been lost */
  refilled_minutes: number
  /** `booked_minutes` by `offered_minutes`, at most 100; null in a week without hours */
  utilisation_percent: number | null
}

export type ResourcesWeek = {
  resource_uid: string
  /** A room, a device, or a person who is no doctor, such as an interpreter */
  kind: "room" | "device" | "person"
  /** Name of the resource */
  name: string
  /** Midnight of its Monday in the organisation's zone */
  week_starts_at: number
  /** Appointments of the week that took it; the seats of a group are one */
  booked: number
  /** Their length */
  booked_minutes: number
}

export type PatientExport = {
  patient: Patient
  /** Every appointment and hold, by start */
  appointments: ReadonlyArray<Appointment>
  /** Doctors' notes on the appointments */
  notes: ReadonlyArray<ExportedNote>
  /** Prescriptions in the patient's name */
  prescriptions: ReadonlyArray<Prescription>
  /** Orders at pharmacies */
  orders: ReadonlyArray<ExportedOrder>
  /** Drafts and orders of the embedded shop */
  shop_orders: ReadonlyArray<ExportedShopOrder>
  /** Mails and texts; their content is not stored */
  messages: ReadonlyArray<ExportedMessage>
  /** Consents of the patient */
  consents: ReadonlyArray<Consent>
  /** Booking sessions */
  sessions: ReadonlyArray<ExportedSession>
  /** PDFs, by addresses that expire */
  files: ReadonlyArray<ExportedFile>
  /** Events about the patient; credentials are null */
  events: ReadonlyArray<Event>
  /** Unix seconds */
  exported_at: number
  /** Records of recalls */
  recalls: ReadonlyArray<Recall>
  /** Records of waitlist_entries */
  waitlist_entries: ReadonlyArray<ExportedWaitlistEntry>
  /** Records of form_responses */
  form_responses: ReadonlyArray<FormResponse>
  /** Records of requests */
  requests: ReadonlyArray<ExportedPatientRequest>
  /** Instructions for the patient, and who booked for them, as booked by FHIR */
  instructions: ReadonlyArray<ExportedInstruction>
  /** Guests of the calls */
  guests: ReadonlyArray<ExportedGuest>
}

export type ExportedNote = {
  appointment_uid: string
  /** The doctor's own note on the appointment */
  note: string
  /** Unix seconds */
  updated_at: number
}

export type ExportedOrder = {
  pharmacy_uid: string
  uid: string
  /** Name of the order in the shop */
  name: string
  /** Status of the order */
  status: "new" | "accepted" | "in_preparation" | "ready_for_pickup" | "shipped" | "completed" | "rejected" | "cancelled"
  /** Reason given for this status; null when none was given */
  status_reason: string | null
  /** Whether the order is paid */
  paid: boolean
  /** Paid for this order less what was refunded, in cents: the most that is routed to the pharmacy */
  paid_amount: number
  /** Refunded for the shop's whole order, in cents */
  refunded_amount: number
  /** A change in the shop that a person has to settle before the order goes on; null without one */
  shop_change: ShopChange | null
  /** The prescription that the order fills; null without one */
  prescription_uid: string | null
  /** Cents */
  shipping_price: number
  /** ISO 4217 */
  currency: string
  /** Ordered articles */
  lines: ReadonlyArray<{
    uid: string
    sku_uid: string
    /** null: the pharmacy does not carry it */
    pharmacy_sku_uid: string | null
    /** Identifier in the pharmacy's own system */
    external_id: string | null
    /** Central pharmaceutical number (PZN); null without one */
    pzn: string | null
    /** Name of the article; may be its strength and form alone */
    display_name: string
    /** Name of its product */
    product_display_name: string
    /** Units */
    quantity: number
    /** Paid for one unit, in cents: `total_price` divided, rounded */
    unit_price: number
    /** Paid for the whole quantity after discounts, in cents; what payouts count */
    total_price: number
  }>
  /** The patient; null when unknown */
  patient: ({
    /** First name */
    first_name: string | null
    /** Last name */
    last_name: string | null
    /** Unix seconds, negative before 1970 */
    date_of_birth: number | null
    /** male, female or divers; null when unknown */
    gender: string | null
  }) | null
  /** Delivery address; null without one */
  shipping_address: (Readonly<Record<string, string | null>>) | null
  /** Carrier and number of the parcel; null without one */
  tracking: Tracking | null
  /** What the pharmacy has reported: articles that are missing, and a message; null: nothing */
  problem: PharmacyOrderProblem | null
  /** The last step, if it could be undone; null: it could not */
  undo: PharmacyOrderUndo | null
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
  /** Unix seconds; null until completed */
  completed_at: number | null
}

export type ExportedShopOrder = {
  /** Identifier of the draft or order */
  id: string
  /** Mail address of the buyer */
  email: string | null
  /** Telephone number of the buyer */
  phone: string | null
  /** As it was sent; null without one */
  billing_address: Readonly<Record<string, unknown>> | null
  /** As it was sent; null without one */
  shipping_address: Readonly<Record<string, unknown>> | null
  /** Order attributes of the checkout */
  attributes: Readonly<Record<string, unknown>> | null
  /** Unix seconds */
  created_at: number
  /** null: not paid */
  paid_at: number | null
}

export type ExportedMessage = {
  uid: string
  /** What it was about, for example `reminder` or `confirmation` */
  kind: string
  /** `email` or `sms` */
  channel: string
  /** Null for messages about other records */
  appointment_uid: string | null
  /** `pending`, `sent`, `failed` or `skipped` */
  status: string
  /** Unix seconds */
  created_at: number
  /** When it was sent; null: it was not */
  sent_at: number | null
}

export type ExportedSession = {
  uid: string
  /** `booking`, `rebooking`, or one that a capability adds */
  mode: string
  /** Chosen on the page; null: none was */
  language: string | null
  /** Chosen on the page; null: none was */
  timezone: string | null
  /** Return URL of the booking */
  return_url: string | null
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  expires_at: number
}

export type ExportedFile = {
  /** Name of the file, for example `prs_….pdf` */
  name: string
  /** Hexadecimal */
  sha256: string
  /** Signed address; whoever has it can read the file */
  url: string
  /** When the URL expires */
  expires_at: number
}

export type ExportedWaitlistEntry = {
  uid: string
  patient_uid: string
  appointment_type_uid: string
  /** Doctors to choose from; empty: any */
  doctor_uids: ReadonlyArray<string>
  /** First start that suits, Unix seconds; default now */
  from: number
  /** Starts before it suit, Unix seconds; at most 180 days after `from`, which is the default */
  to: number
  /** Weekdays that suit, 0 = Monday, in the doctor's zone; empty: all */
  weekdays: ReadonlyArray<number>
  /** Times of the day that suit, in the doctor's zone; empty: all */
  times: ReadonlyArray<{
    /** Minutes from midnight (540 = 09:00) */
    from: number
    /** Minutes from midnight (540 = 09:00) */
    to: number
  }>
  /** The patient's confirmed appointment that an earlier time replaces; null: none */
  appointment_uid: string | null
  /** How much the patient needs it: `urgent` is asked first, then `soon`; set by keys and staff alone */
  need: "routine" | "soon" | "urgent"
  /** Why it is needed, in the practice's words; null: none was given, and always in events and for the patient */
  need_reason: string | null
  /** `offered`: an offer is open; `paused`: three offers were left unanswered; `booked`: one was accepted */
  status: "waiting" | "offered" | "paused" | "booked" | "ended"
  /** Offers that were made so far */
  offers_made: number
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
  /** Times that were offered */
  offers: ReadonlyArray<WaitlistEntryOffer>
}

export type FormResponse = {
  /** Where it was asked */
  door: "entry" | "intake" | "request"
  form_uid: string | null
  form_version: number
  answers: FormAnswers
  /** Whether it is more than a draft */
  complete: boolean
  /** What was added to it */
  files: ReadonlyArray<ReadableFormFile>
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
}

/** Answers by `link_id`; a list where the item repeats */
export type FormAnswers = Readonly<Record<string, (string | number | boolean) | (ReadonlyArray<string | number | boolean>)>>

export type ReadableFormFile = {
  uid: string
  /** As it was sent, on one line */
  name: string
  /** Bytes of what is stored */
  size: number
  /** Of what is stored, hexadecimal */
  sha256: string
  /** Nobody reads it before it is `clean` */
  status: "scanning" | "clean" | "rejected"
  /** What it is by its content */
  media_type: "application/pdf" | "image/jpeg" | "image/png"
  /** An attachment, for five minutes; null unless it is `clean` */
  url: string | null
  expires_at: number | null
}

export type ExportedPatientRequest = {
  uid: string
  patient_uid: string
  request_type_uid: string
  /** To whom it goes; null: the practice */
  doctor_uid: string | null
  /** How far it is */
  status: "open" | "taken" | "answered" | "closed"
  /** Whether it is open or taken, and its time has passed */
  overdue: boolean
  /** How it was closed; null until then */
  outcome: ("done" | "refused" | "appointment" | "prescription") | null
  /** Who takes care of it: the key or the person */
  taken_by: string | null
  prescription_uid: string | null
  /** When it is overdue */
  due_at: number
  answered_at: number | null
  closed_at: number | null
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
  /** What the practice has written */
  text: string | null
}

export type ExportedInstruction = {
  appointment_uid: string
  /** As sent; null: none was */
  instruction: string | null
  /** Who booked for the patient: a RelatedPerson, as JSON; null: nobody else */
  related_person: string | null
}

export type ExportedGuest = {
  uid: string
  appointment_uid: string
  /** In what capacity they take part, which everybody in the call sees */
  role: "interpreter" | "relative" | "care"
  /** null after an erasure */
  name: string | null
  agreed_at: number | null
  /** Unix seconds */
  created_at: number
}

export type Erased = {
  /** Unix seconds */
  erased_at: number
  /** What was erased */
  erased: ReadonlyArray<ErasedData>
  /** What is kept, why and until when */
  kept: ReadonlyArray<KeptData>
}

export type ErasedData = {
  /** Kind of data that is gone, for example `profile` */
  what: string
  /** Records */
  count: number
}

export type KeptData = {
  /** Kind of data that is kept, for example `treatments` */
  what: string
  /** Records */
  count: number
  /** Legal basis, and how it is kept */
  why: string
  /** When it is deleted; null: see `why` */
  until: number | null
}

export type MergedPatient = {
  /** The record that stays, as it is after the merge */
  patient: {
    uid: string
    shop_uid: string
    /** The shop's identifier of its customer, unique within the shop; null for a patient without an account there */
    shop_customer_id: string | null
    profile: PatientProfile
    /** Since when the data is stored only and not used (restriction of processing); null: it is used */
    restricted_at: number | null
    /** Unix seconds */
    created_at: number
    /** Unix seconds */
    updated_at: number
  }
  /** The record that is gone */
  merged_patient_uid: string
  moved: MovedRecords
}

export type MovedRecords = {
  appointments: number
  prescriptions: number
  orders: number
  consents: number
  messages: number
  recalls: number
  waitlist_entries: number
  form_responses: number
  requests: number
}

export type Form = {
  uid: string
  /** One text, or one for each language: `{de, en, …}` */
  title: string | Readonly<Record<string, string>>
  /** From 1 on; a change of `items` makes the next one */
  version: number
  /** The questions in their order */
  items: ReadonlyArray<FormItem>
  /** Whether patients are asked it */
  active: boolean
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
}

export type FormItem = {
  link_id: string
  /** What it is: a group of items, a text to read, or a question */
  type: "group" | "display" | "boolean" | "choice" | "string" | "text" | "integer" | "decimal" | "date" | "file"
  /** One text, or one for each language: `{de, en, …}` */
  text: string | Readonly<Record<string, string>>
  /** Whether it must be answered where it is enabled */
  required: boolean
  /** Whether it takes several answers */
  repeats: boolean
  /** What a `choice` offers */
  options: ReadonlyArray<{
    code: string
    /** One text, or one for each language: `{de, en, …}` */
    text: string | Readonly<Record<string, string>>
  }>
  /** Most characters of a `string` (null: 255) or a `text` (null: 2000) */
  max_length: number | null
  /** Smallest number of an `integer` or a `decimal` */
  min: number | null
  /** Largest number of an `integer` or a `decimal` */
  max: number | null
  /** When it is asked; none: always */
  enable_when: ReadonlyArray<{
    /** An earlier item */
    link_id: string
    /** Without an answer only `exists: false` holds; of several answers one is enough, but `!=` counts for all */
    operator: "=" | "!=" | ">" | "<" | "exists"
    /** What it is compared with; for `exists` true or false */
    answer: string | number | boolean
  }>
  /** Whether all conditions must hold, or one */
  enable_behavior: "all" | "any"
  /** Of a `group` */
  items: ReadonlyArray<FormItem>
}

export type EntryState = {
  /** The questions in their order */
  items: ReadonlyArray<FormItem>
  answers: FormAnswers
  /** What was added to it */
  files: ReadonlyArray<FormFile>
  form_uid: string | null
  form_version: number | null
  title: (string | Readonly<Record<string, string>>) | null
  /** Whether an outcome stands */
  answered: boolean
  outcome: ("continue" | "refuse" | "type") | null
  appointment_type_uid: string
  /** What the rule says to the patient */
  text: string | null
}

export type FormFile = {
  uid: string
  /** As it was sent, on one line */
  name: string
  /** Bytes of what is stored */
  size: number
  /** Of what is stored, hexadecimal */
  sha256: string
  /** Nobody reads it before it is `clean` */
  status: "scanning" | "clean" | "rejected"
}

export type EntryOutcome = {
  /** `type`: the session is for another appointment type now */
  outcome: "continue" | "refuse" | "type"
  appointment_type_uid: string
  /** What the rule says to the patient */
  text: string | null
}

export type AskedForm = {
  form_uid: string
  form_version: number
  /** One text, or one for each language: `{de, en, …}` */
  title: string | Readonly<Record<string, string>>
  /** The questions in their order */
  items: ReadonlyArray<FormItem>
  answers: FormAnswers
  /** Whether it is more than a draft */
  complete: boolean
  /** What was added to it */
  files: ReadonlyArray<FormFile>
}

export type ReadForm = {
  /** Where it was asked */
  door: "entry" | "intake" | "request"
  form_uid: string | null
  form_version: number
  title: (string | Readonly<Record<string, string>>) | null
  /** The questions in their order */
  items: ReadonlyArray<FormItem>
  answers: FormAnswers
  /** Whether it is more than a draft */
  complete: boolean
  /** What was added to it */
  files: ReadonlyArray<ReadableFormFile>
  updated_at: number | null
  /** Whether it still keeps the patient out of the call */
  blocks: boolean
  /** Whether the doctor who reads it has not looked since; of others false */
  is_new: boolean
}

export type RequestType = {
  uid: string
  /** One text, or one for each language: `{de, en, …}` */
  name: string | Readonly<Record<string, string>>
  /** What is asked for; a doctor prescribes from a `prescription` */
  kind: "prescription" | "referral" | "certificate" | "callback" | "other"
  form_uid: string
  /** Minutes after which it is overdue */
  answer_within_minutes: number
  /** `doctor`: to whom the patient's last appointment was with */
  recipient: "practice" | "doctor"
  /** Whether patients are offered it */
  active: boolean
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
}

export type ListedPatientRequest = {
  uid: string
  patient_uid: string
  request_type_uid: string
  /** To whom it goes; null: the practice */
  doctor_uid: string | null
  /** How far it is */
  status: "open" | "taken" | "answered" | "closed"
  /** Whether it is open or taken, and its time has passed */
  overdue: boolean
  /** How it was closed; null until then */
  outcome: ("done" | "refused" | "appointment" | "prescription") | null
  /** Who takes care of it: the key or the person */
  taken_by: string | null
  prescription_uid: string | null
  /** When it is overdue */
  due_at: number
  answered_at: number | null
  closed_at: number | null
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
  /** What is asked for; a doctor prescribes from a `prescription` */
  kind: "prescription" | "referral" | "certificate" | "callback" | "other"
  /** Of its type */
  type_name: string | Readonly<Record<string, string>>
}

export type RequestCounts = {
  /** Those that nobody has taken */
  open: number
  /** Those that the caller has taken and not closed */
  mine: number
  /** Those that are overdue */
  overdue: number
}

export type ReadPatientRequest = {
  uid: string
  patient_uid: string
  request_type_uid: string
  /** To whom it goes; null: the practice */
  doctor_uid: string | null
  /** How far it is */
  status: "open" | "taken" | "answered" | "closed"
  /** Whether it is open or taken, and its time has passed */
  overdue: boolean
  /** How it was closed; null until then */
  outcome: ("done" | "refused" | "appointment" | "prescription") | null
  /** Who takes care of it: the key or the person */
  taken_by: string | null
  prescription_uid: string | null
  /** When it is overdue */
  due_at: number
  answered_at: number | null
  closed_at: number | null
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
  /** What is asked for; a doctor prescribes from a `prescription` */
  kind: "prescription" | "referral" | "certificate" | "callback" | "other"
  /** Of its type */
  type_name: string | Readonly<Record<string, string>>
  /** What the practice has written */
  text: string | null
  /** What the patient has answered */
  form: ReadForm | null
}

export type PatientRequest = {
  uid: string
  patient_uid: string
  request_type_uid: string
  /** To whom it goes; null: the practice */
  doctor_uid: string | null
  /** How far it is */
  status: "open" | "taken" | "answered" | "closed"
  /** Whether it is open or taken, and its time has passed */
  overdue: boolean
  /** How it was closed; null until then */
  outcome: ("done" | "refused" | "appointment" | "prescription") | null
  /** Who takes care of it: the key or the person */
  taken_by: string | null
  prescription_uid: string | null
  /** When it is overdue */
  due_at: number
  answered_at: number | null
  closed_at: number | null
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
}

export type OwnPatientRequest = {
  uid: string
  patient_uid: string
  request_type_uid: string
  /** To whom it goes; null: the practice */
  doctor_uid: string | null
  /** How far it is */
  status: "open" | "taken" | "answered" | "closed"
  /** Whether it is open or taken, and its time has passed */
  overdue: boolean
  /** How it was closed; null until then */
  outcome: ("done" | "refused" | "appointment" | "prescription") | null
  /** Who takes care of it: the key or the person */
  taken_by: string | null
  prescription_uid: string | null
  /** When it is overdue */
  due_at: number
  answered_at: number | null
  closed_at: number | null
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
  /** What is asked for; a doctor prescribes from a `prescription` */
  kind: "prescription" | "referral" | "certificate" | "callback" | "other"
  /** Of its type */
  type_name: string | Readonly<Record<string, string>>
  /** Name of the patient */
  patient_display_name: string
}

export type FhirClient = {
  /** Name by which it authenticates */
  client_id: string
  /** Whose it is */
  name: string
  jwks: {
    /** Keys for ES384 or RS384, each with kty and kid */
    keys: ReadonlyArray<Readonly<Record<string, unknown>>>
  } | null
  /** Address of its public keys */
  jwks_uri: string | null
  /** What it may ask for */
  scopes: ReadonlyArray<string>
  /** Whether it gets access tokens */
  active: boolean
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
}

export type StaffPerson = {
  uid: string
  /** Name of the person */
  display_name: string
  /** Mail address; null: none */
  email: string | null
  /** The role; null: the provider named none at the last sign-in */
  role: ("owner" | "reception" | "assistant" | "doctor_assistant" | "billing" | "read_only") | null
  /** Whether the provider's claims give the role, or the practice has set it here */
  role_from: "provider" | "console"
  /** Identifier at the provider, as in the audit log; null until an invitation is accepted */
  subject: string | null
  /** `removed`: may not sign in to this practice */
  status: "invited" | "active" | "removed"
  /** Of an open invitation; null: none */
  invitation_expires_at: number | null
  /** Last sign-in; null: never */
  seen_at: number | null
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
}

export type Calendar = {
  /** Doctors by name, then resources by name */
  subjects: ReadonlyArray<CalendarSubject>
  /** Appointments of the range that were squeezed in, at most 1,000 */
  squeezed_in: ReadonlyArray<string>
  /** Appointments whose join window is open now, whatever the range, at most 1,000 */
  presence: ReadonlyArray<Presence>
}

export type CalendarSubject = {
  /** What it is */
  kind: "doctor" | "room" | "device" | "person"
  /** UID of the doctor or the resource */
  uid: string
  /** Name of the doctor or the resource */
  name: string
  /** Hours for any type, disjoint and by start; they may begin before the range and end after it */
  open: ReadonlyArray<Period>
  /** Busy times from other calendars, by start */
  busy: ReadonlyArray<Period>
  /** Days off for all types */
  days_off: ReadonlyArray<number>
  /** Holidays of the doctor; a day with hours of its own is open nevertheless */
  holidays: ReadonlyArray<Holiday>
  /** Absences of the doctor, and of all doctors, by start */
  absences: ReadonlyArray<{
    uid: string
    /** Why; patients do not see it */
    kind: "vacation" | "illness" | "training" | "other"
    /** Start, Unix seconds */
    from: number
    /** End, Unix seconds */
    to: number
  }>
}

export type Period = {
  /** Start, Unix seconds */
  from: number
  /** End, Unix seconds */
  to: number
}

export type Presence = {
  appointment_uid: string
  /** `waiting`: the patient is in the waiting room; `in_call`: patient and doctor have joined */
  state: "waiting" | "in_call"
  /** Since when */
  since: number
}

export type DateOverrideEffects = {
  /** Starts that would become free, by type and start */
  appearing: ReadonlyArray<{
    appointment_type_uid: string
    /** Unix seconds */
    start_date: number
  }>
  /** Starts that would no longer be free, by type and start */
  disappearing: ReadonlyArray<{
    appointment_type_uid: string
    /** Unix seconds */
    start_date: number
  }>
  /** Confirmed appointments that lie within the doctor's hours and would not, by start; they stay */
  hit: ReadonlyArray<string>
}

export type ResourceEffects = {
  /** Starts that would become free with any doctor; of a change of the resource itself those of 28 days, at most 50,000 */
  appearing: ReadonlyArray<{
    appointment_type_uid: string
    /** Unix seconds */
    start_date: number
  }>
  /** Starts that would no longer be free with any doctor, likewise */
  disappearing: ReadonlyArray<{
    appointment_type_uid: string
    /** Unix seconds */
    start_date: number
  }>
  /** Confirmed appointments with the resource for which it is open and would not be, by start; they stay */
  hit: ReadonlyArray<string>
}

export type SentMessage = {
  uid: string
  /** Subject of the message */
  kind: "reminder" | "confirmation" | "cancellation" | "rebooking" | "recall" | "times_offered" | "calendar_lost" | "waitlist_offer" | "waitlist_paused" | "series" | "request_answered" | "request_running_out" | "request_closed" | "doctor_late"
  /** Channel */
  channel: "email" | "sms"
  /** pending: not sent yet, or to be tried again; skipped: no longer needed when it was due */
  status: "pending" | "sent" | "failed" | "skipped"
  /** Role of the recipient */
  recipient_role: "patient" | "doctor" | "admin"
  /** Identifier of the recipient */
  recipient_uid: string
  /** Null for messages about other records */
  appointment_uid: string | null
  /** The patient who gets the message, or whose appointment it is about; null if there is none */
  patient_uid: string | null
  /** Attempts so far */
  attempts: number
  /** Why it was not sent, or the last attempt failed; null where none has */
  error: string | null
  /** Unix seconds */
  created_at: number
  /** When it was handed over; null until then */
  sent_at: number | null
  /** When somebody told the recipient otherwise, such as by telephone; null: never */
  told_at: number | null
}

export type MessagePreview = {
  /** Subject of the mail */
  subject: string
  /** The mail as plain text */
  text: string
  /** The same as a document in HTML; its logo is an attachment of the mail */
  html: string
}

export type MessageTextPreview = {
  /** Subject of the mail */
  subject: string
  /** The mail as plain text */
  text: string
  /** The same as a document in HTML; its logo is an attachment of the mail */
  html: string
  /** The text message */
  sms: string
}

export type WaitingPatient = {
  appointment_uid: string
  patient_uid: string
  /** Since when the patient is in the waiting room */
  waiting_since: number
}

export type OwnPatient = {
  uid: string
  /** Name of the patient */
  display_name: string
  /** YYYY-MM-DD; null when unknown */
  date_of_birth: string | null
  /** Telephone number; null when unknown */
  phone: string | null
  /** Mail address; null when unknown */
  email: string | null
}

export type PatientCard = {
  uid: string
  /** Name of the patient */
  display_name: string
  /** YYYY-MM-DD; null when unknown */
  date_of_birth: string | null
  /** Telephone number; null when unknown */
  phone: string | null
  /** Mail address; null when unknown */
  email: string | null
  shop_uid: string
  /** The latest 50 appointments with the organisation, by start */
  visits: ReadonlyArray<Appointment>
  /** All that is known of the patient, with the partner's own fields, e.g. of the insurance or of questionnaires */
  profile: {
    /** Given name */
    first_name?: string | null
    /** Family name */
    last_name?: string | null
    /** Mail address */
    email?: string | null
    /** Telephone number */
    phone?: string | null
    /** Date, YYYY-MM-DD; also taken as Unix seconds */
    date_of_birth?: (string | number) | null
    /** male, female or divers */
    gender?: string | null
    /** Street and house number */
    street?: string | null
    /** City */
    city?: string | null
    /** Postal code */
    zip?: string | null
    /** ISO 3166 code of two letters, e.g. DE */
    country_code?: string | null
    /** statutory, private or self_pay */
    insurance_kind?: string | null
    /** Number of the insured person */
    insurance_number?: string | null
    /** Name of the insurance */
    insurance_carrier?: string | null
    /** Language tag; messages are in it where the pages are, else in English */
    language?: string | null
  }
  /** The latest 20 prescriptions */
  prescriptions: ReadonlyArray<PatientsPrescription>
}

export type PatientsPrescription = {
  uid: string
  /** Status of the prescription */
  status: "waiting_for_doctor" | "externally_signed" | "signed" | "dispatched" | "completed" | "cancelled"
  /** The prescriber; null if unknown */
  doctor: {
    uid: string
    /** Name of the doctor */
    display_name: string
  } | null
  /** Unix seconds */
  created_at: number
  /** Prescribed items */
  items: ReadonlyArray<{
    uid: string
    sku_uid: string
    /** Packs */
    quantity: number
    /** How it is taken; null when not given */
    dosage: string | null
    /** The patient's questionnaire; null for items that skip validation */
    anamnesis_uid: string | null
    /** Name of the article; null if unknown */
    article: string | null
  }>
}

export type AppointmentNote = {
  /** The doctor's own words; null without a note */
  note: string | null
  /** Unix seconds; null without a note */
  updated_at: number | null
}

export type WaitingPrescription = {
  uid: string
  /** Status of the prescription */
  status: "waiting_for_doctor" | "externally_signed" | "signed" | "dispatched" | "completed" | "cancelled"
  /** The prescriber; null if unknown */
  doctor: {
    uid: string
    /** Name of the doctor */
    display_name: string
  } | null
  /** A PDF is available */
  rendered: boolean
  /** The signed PDF, else the rendered one; null while there is none */
  file: PrescriptionFile | null
  /** Prescribed items */
  items: ReadonlyArray<{
    uid: string
    sku_uid: string
    /** Packs */
    quantity: number
    /** How it is taken; null when not given */
    dosage: string | null
    /** The patient's questionnaire; null for items that skip validation */
    anamnesis_uid: string | null
    /** Name of the article; null if unknown */
    article: string | null
  }>
  /** Of a PDF that came in signed; null for others */
  signature: Signature | null
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
  /** For whom it is */
  patient: {
    /** Name of the patient; null if unknown */
    display_name: string | null
    /** YYYY-MM-DD; null when unknown */
    date_of_birth: string | null
  }
}

export type StaffRebookedAppointment = {
  /** The new appointment */
  appointment_uid: string
  /** Status of the new appointment */
  status: "confirmed"
  /** The appointment in the doctor's own calendar. `none`: none is written. `missing`: the doctor removed it there. `failing`: it could not be written for an hour */
  calendar_entry: "none" | "waiting" | "written" | "missing" | "failing"
}

export type CalendarFeed = {
  /** When the address was made; null without one */
  created_at: number | null
}

export type InstallationStatus = {
  /** Result of `/readyz` */
  ready: boolean
  /** Why the process is not ready; null where it is */
  reason: string | null
  /** Running versions */
  versions: {
    /** Version of this process */
    service: string
    /** Version of Bun */
    bun: string
    /** Version of PostgreSQL */
    postgresql: string
  }
  /** Processes that reported themselves within the last three minutes, the oldest first */
  replicas: ReadonlyArray<Replica>
  /** The key under which secrets and data keys are sealed */
  master_key: {
    /** The master key that seals now */
    key_id: string
    /** Whether it, or an earlier one that is set, opens the database */
    opens: boolean
    /** Data keys by master key. While more than one is listed, `cli secrets rotate-master-key` is not finished */
    sealed: ReadonlyArray<{
      /** Identifier of the master key, or `vault:` and the version of the transit key */
      key_id: string
      /** Data keys of organisations and pharmacies that it seals */
      data_keys: number
    }>
  }
  /** Mails and text messages of all organisations */
  mails: {
    /** folder: of development; nothing: `SMTP_URL` is not set, and mails wait */
    sent_by: "smtp" | "folder" | "nothing"
    /** Mails and text messages that are not sent yet */
    waiting: number
    /** Those of the last 24 hours that were given up */
    failed: number
    /** The latest, of messages of the last 24 hours; null without one */
    last_sent_at: number | null
  }
  /** What the data takes, and what is left */
  disk: {
    /** Size of the database */
    database_bytes: number
    /** The disk of a local file store, which an embedded database shares; null for a bucket */
    files: {
      /** Free for this process */
      free_bytes: number
      /** Size of the disk */
      total_bytes: number
    } | null
  }
  /** Whether the database's write-ahead log is kept elsewhere */
  backup: {
    /** archive: `archive_mode` is on; stream: a receiver has a replication slot; nothing: the log is not kept */
    kept_by: "archive" | "stream" | "nothing"
    /** archive: the last segment was archived; stream: the receiver is connected */
    working: boolean
    /** The last archived segment; null without one, and for a stream */
    last_at: number | null
  }
  /** Failed requests of this process */
  errors: {
    /** Requests that this process answered with a status from 500 on */
    failed: number
    /** All requests that it has answered */
    answered: number
    /** Start of this process */
    since: number
  }
}

export type Replica = {
  /** Identifier of the process, made at its start */
  uid: string
  /** Name of its machine or container */
  host: string
  /** Its `ROLE` */
  role: "all" | "http" | "worker"
  /** Version of the service that it runs */
  version: string
  /** Unix seconds */
  started_at: number
  /** When it last reported itself; it does so once a minute */
  seen_at: number
}

export type Owner = {
  /** The organisation's or the pharmacy's uid */
  uid: string
  /** What it is */
  kind: "organisation" | "pharmacy"
  /** Its name */
  name: string
  /** Time zone of an organisation; null for a pharmacy */
  timezone: string | null
  /** Identifiers of an organisation's shops */
  shops: ReadonlyArray<string>
  /** Doctors of an organisation */
  doctors: number
  /** When an organisation was made; null for a pharmacy */
  created_at: number | null
}

export type OrganisationState = {
  /** The organisation's or the pharmacy's uid */
  uid: string
  /** Its name */
  name: string
  /** Time zone of an organisation; null for a pharmacy */
  timezone: string | null
  /** Identifiers of an organisation's shops */
  shops: ReadonlyArray<string>
  /** Doctors of an organisation */
  doctors: number
  /** When an organisation was made; null for a pharmacy */
  created_at: number | null
  /** What bookings need */
  setup: {
    /** Whether a doctor has hours */
    hours: boolean
    /** Types that can be booked */
    types: number
    /** Whether imprint and privacy notice are stated */
    legal: boolean
    /** Whether anything was ever booked */
    booked: boolean
  }
  /** Its mails and text messages */
  mails: {
    /** Mails and text messages that are not sent yet */
    waiting: number
    /** Those of the last 24 hours that were given up */
    failed: number
    /** The latest, of messages of the last 24 hours; null without one */
    last_sent_at: number | null
  }
  /** The latest entry of its audit log by somebody else than operators and jobs; null without one */
  last_activity_at: number | null
  /** By name, at most 1,000; former ones last */
  members: ReadonlyArray<{
    /** As actors of the audit log */
    kind: "doctor" | "admin" | "api_key"
    /** Identifier of the record */
    uid: string
    /** Of an admin: the identifier as an actor; null before the first sign-in */
    subject: string | null
    /** Its name */
    name: string
    /** Of an admin, as far as it is known */
    role: ("owner" | "reception" | "assistant" | "doctor_assistant" | "billing" | "read_only") | null
    /** Whether the person may sign in, the doctor is there, the key is valid */
    active: boolean
    /** Of an admin: the last sign-in; of a key: the last use */
    seen_at: number | null
  }>
}

export type JobQueue = {
  /** Name of the queue; `dead_letters` holds what was given up */
  name: string
  /** Jobs that a worker could take now */
  ready: number
  /** Jobs for later, retries among them */
  deferred: number
  /** Jobs that are being worked on */
  active: number
  /** Jobs that failed and are still kept */
  failed: number
}

export type DeadLetter = {
  /** Identifier of the dead letter */
  uid: string
  /** Queue of the job; null where it is not known */
  queue: string | null
  /** Identifiers that the job carries */
  payload: Readonly<Record<string, string>>
  /** Why its last attempt failed; null where unknown */
  error: string | null
  /** Attempts after the first */
  attempts: number
  /** When the job was made */
  made_at: number
  /** When its attempts were used up */
  given_up_at: number
}

export type WebhookBacklog = {
  /** The organisation's or the pharmacy's uid */
  owner_uid: string
  /** Identifier of the subscription */
  subscription_uid: string
  /** URL of its receiver */
  url: string
  /** Whether it takes new deliveries */
  active: boolean
  /** Deliveries that wait for their first or a further attempt */
  pending: number
  /** Deliveries that were given up and are kept */
  failed: number
  /** Event of the oldest pending one; null without one */
  oldest_at: number | null
}

export type ParkedPayout = {
  pharmacy_uid: string
  pharmacy_order_uid: string
  /** Name of the order; null without one */
  pharmacy_order_name: string | null
  /** Part of the payout */
  component_type: "item_rest" | "item_markup" | "shipping"
  /** Cents */
  amount: number
  /** ISO 4217 */
  currency: string
  /** Why the payout is parked */
  parked_reason: string
}

export type WaitingOrder = {
  /** The shop that sent it */
  shop_identifier: string
  /** Identifier of the order at the shop */
  order_id: string
  /** Name of the order at the shop */
  name: string
  /** The last webhook about it */
  topic: "orders/create" | "orders/updated" | "orders/paid" | "orders/cancelled"
  /** no_pharmacy: give the shop a default pharmacy, or a pharmacy every SKU of the order. prescription_not_usable: a prescription that a line names is not signed, is completed or cancelled, or does not hold the article. anamnesis_required: the shop demands an anamnesis for an article, and its line has none */
  reason: "no_pharmacy" | "prescription_not_usable" | "anamnesis_required"
  /** Unix seconds */
  waiting_since: number
}

export type ProvisioningResult = {
  /** Whether anything was changed; never by a dry run */
  applied: boolean
  /** Entries that were written, or that a dry run would write otherwise */
  written: number
  /** Differences found by a dry run; empty otherwise */
  differences: ReadonlyArray<{
    /** List of the file */
    list: string
    /** Place in the list, from 0 */
    index: number
    /** kept: the record has been changed by the interface since, and the entry has not */
    outcome: "created" | "changed" | "kept"
    /** Differing fields; empty for a new record */
    fields: ReadonlyArray<{
      /** A column, with its table where the entry has several */
      field: string
      /** As JSON; null where there is none, and for secrets */
      before: string | null
      /** As JSON; null where there is none, and for secrets */
      after: string | null
    }>
  }>
}

export type Guest = {
  uid: string
  /** In what capacity they take part, which everybody in the call sees */
  role: "interpreter" | "relative" | "care"
  /** Their name, which everybody in the call sees */
  name: string
  /** Where the link goes; null: nowhere */
  email: string | null
  /** Where the link goes by SMS if there is no mail address; null: nowhere */
  phone: string | null
  /** Of the message and the page, BCP 47; null: German */
  language: string | null
  /** When they agreed to keep secret what they hear */
  agreed_at: number | null
  /** Unix seconds */
  created_at: number
}

export type NewGuest = {
  /** In what capacity they take part, which everybody in the call sees */
  role: "interpreter" | "relative" | "care"
  /** Their name, which everybody in the call sees */
  name: string
  /** Where the link goes; null: nowhere */
  email?: string | null
  /** Where the link goes by SMS if there is no mail address; null: nowhere */
  phone?: string | null
  /** Of the message and the page, BCP 47; null: German */
  language?: string | null
}

export type AuditEntry = {
  /** Identifier of the entry; later entries of an owner have larger numbers */
  id: string
  /** When it happened, in real time */
  at: number
  /** The operation, for example `management.appointments.one`; `….denied` where it was refused; `job.…`, `cli` */
  action: string
  /** The actor */
  actor: {
    /** By which credential it was done; `system` for jobs */
    kind: "patient" | "api_key" | "action_link" | "doctor" | "admin" | "pharmacy" | "operator" | "system" | "anonymous"
    /** Identifier of the key, the patient, the person or the job */
    uid: string
  }
  /** Identifier of the record; null for lists */
  subject: string | null
  /** The request's `X-Purpose` */
  purpose: string | null
  /** The request's trace, as `X-Request-Id` names it */
  trace_id: string
  /** The caller's network: /24 of an IPv4 address, /48 of an IPv6 one */
  address: string | null
}

export type ListAppointmentsResponse = {
  /** The records of the page */
  data: ReadonlyArray<StaffAppointment>
  /** Rows in all pages */
  totalRegistries: number
  /** Pages of `limit` rows, rounded up */
  totalPages: number
  /** Cursor for `after`; opaque; null at the end */
  next: string | null
}

export type BookAppointmentRequest = NewPatientBooking | NewCustomerBooking

export type CancelAppointmentRequest = {
  /** Why it is cancelled */
  reason: string
}

export type CancelAppointmentsRequest = {
  /** If omitted: all doctors */
  doctor_uid?: string | null
  /** Starting at or after, Unix seconds */
  from: number
  /** Starting before, Unix seconds */
  to: number
  /** Why they are cancelled */
  reason: string
  /** Change nothing: return what would be cancelled */
  dry_run?: boolean | null
}

export type CreateActionLinkRequest = {
  /** The action that the link offers to the patient */
  action: "join" | "rebook" | "cancel"
}

export type CreateActionLinkResponse = {
  /** The action that the link permits */
  action: "join" | "rebook" | "cancel"
  /** `aac_…`: the only credential of the link */
  code: string
  /** The hosted page of the link */
  url: string
  /** 7 days after the appointment's end */
  expires_at: number
}

export type ListAppointmentTypesResponse = {
  /** Every record */
  data: ReadonlyArray<AppointmentType>
}

export type ListRemindersResponse = {
  /** Every record */
  data: ReadonlyArray<Reminder>
}

export type CreateReminderRequest = {
  /** Who is reminded */
  recipient_role: "patient" | "doctor" | "admin"
  /** Minutes before the start */
  minutes_before: number
  /** Whether an e-mail is sent */
  send_email?: boolean | null
  /** Whether a text message is sent */
  send_sms?: boolean | null
  /** Whether the reminder fires */
  active?: boolean | null
}

export type UpdateReminderRequest = {
  /** Who is reminded */
  recipient_role?: ("patient" | "doctor" | "admin") | null
  /** Minutes before the start */
  minutes_before?: number | null
  /** Whether an e-mail is sent */
  send_email?: boolean | null
  /** Whether a text message is sent */
  send_sms?: boolean | null
  /** Whether the reminder fires */
  active?: boolean | null
}

export type ListAvailabilityRulesResponse = {
  /** Every record */
  data: ReadonlyArray<AvailabilityRule>
}

export type CreateAvailabilityRuleRequest = {
  /** 0 = Monday … 6 = Sunday */
  weekday: number
  /** Minutes from midnight (540 = 09:00) */
  start_time: number
  /** Minutes from midnight (540 = 09:00) */
  end_time: number
  /** Buffer between appointments, minutes */
  buffer_minutes?: number | null
  /** Slots start at or after it, Unix seconds; null without a bound */
  valid_from?: number | null
  /** Slots start before it, Unix seconds; null without a bound */
  valid_until?: number | null
  /** Whether the rule counts */
  active?: boolean | null
  /** One appointment type; null means all */
  appointment_type_uid?: string | null
}

export type ReplaceAvailabilityRulesRequest = {
  /** The windows of the week; none: no weekly hours */
  rules: ReadonlyArray<{
    /** 0 = Monday … 6 = Sunday */
    weekday: number
    /** Minutes from midnight (540 = 09:00) */
    start_time: number
    /** Minutes from midnight (540 = 09:00) */
    end_time: number
    /** Buffer between appointments, minutes */
    buffer_minutes?: number | null
  }>
}

export type UpdateAvailabilityRuleRequest = {
  /** 0 = Monday … 6 = Sunday */
  weekday?: number | null
  /** Minutes from midnight (540 = 09:00) */
  start_time?: number | null
  /** Minutes from midnight (540 = 09:00) */
  end_time?: number | null
  /** Buffer between appointments, minutes */
  buffer_minutes?: number | null
  /** Slots start at or after it, Unix seconds; null keeps the bound */
  valid_from?: number | null
  /** Slots start before it, Unix seconds; null keeps the bound */
  valid_until?: number | null
  /** Whether the rule counts */
  active?: boolean | null
  /** One appointment type; null keeps it */
  appointment_type_uid?: string | null
  /** true removes the bound */
  clear_valid_from?: boolean | null
  /** true removes the bound */
  clear_valid_until?: boolean | null
  /** true removes the scope: the rule then counts for all types */
  clear_appointment_type?: boolean | null
}

export type ListDateOverridesResponse = {
  /** The records of the page */
  data: ReadonlyArray<DateOverride>
  /** Rows in all pages */
  totalRegistries: number
  /** Pages of `limit` rows, rounded up */
  totalPages: number
  /** Cursor for `after`; opaque; null at the end */
  next: string | null
}

export type CreateDateOverrideRequest = NewDayOff | NewWindow

export type UpdateDateOverrideRequest = {
  /** UTC midnight of a date, Unix seconds */
  date?: number | null
  /** true: nothing can be booked on the date */
  day_off?: boolean | null
  /** Minutes from midnight; null keeps it */
  start_time?: number | null
  /** Minutes from midnight; null keeps it */
  end_time?: number | null
  /** Buffer between appointments, minutes */
  buffer_minutes?: number | null
  /** One appointment type; null keeps it */
  appointment_type_uid?: string | null
  /** true removes the scope: the override then counts for all types */
  clear_appointment_type?: boolean | null
}

export type ListNotificationSubscriptionsResponse = {
  /** Every record */
  data: ReadonlyArray<NotificationSubscription>
}

export type CreateNotificationSubscriptionRequest = NewSubscriptionToOne | NewSubscriptionToSeveral

export type CreateNotificationSubscriptionResponse = {
  uid: string
  /** http or https address that deliveries are sent to */
  url: string
  /** Whether deliveries are sent */
  active: boolean
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
  /** The first kind of events that are sent */
  notification_type: "PATIENT_DOCTOR_MEETING_UPDATED" | "REBOOKED" | "APPOINTMENT_REMINDER_DUE" | "PATIENT_CREATED" | "SUBSCRIPTION_FAILING" | "PRESCRIPTION_RENDERED" | "RECALL_DUE" | "TIMES_OFFERED" | "BUSY_SOURCE_FAILING" | "CALENDAR_CONNECTION_FAILING" | "WAITLIST_OFFERED" | "WAITLIST_ACCEPTED" | "WAITLIST_PAUSED" | "PATIENT_MERGED" | "PATIENT_EXPORTED" | "PATIENT_ERASED" | "REQUEST_CREATED" | "REQUEST_ANSWERED" | "REQUEST_RUNNING_OUT" | "REQUEST_CLOSED" | "DOCTOR_LATE" | "WAITING"
  /** Every kind of events that are sent */
  notification_types: ReadonlyArray<"PATIENT_DOCTOR_MEETING_UPDATED" | "REBOOKED" | "APPOINTMENT_REMINDER_DUE" | "PATIENT_CREATED" | "SUBSCRIPTION_FAILING" | "PRESCRIPTION_RENDERED" | "RECALL_DUE" | "TIMES_OFFERED" | "BUSY_SOURCE_FAILING" | "CALENDAR_CONNECTION_FAILING" | "WAITLIST_OFFERED" | "WAITLIST_ACCEPTED" | "WAITLIST_PAUSED" | "PATIENT_MERGED" | "PATIENT_EXPORTED" | "PATIENT_ERASED" | "REQUEST_CREATED" | "REQUEST_ANSWERED" | "REQUEST_RUNNING_OUT" | "REQUEST_CLOSED" | "DOCTOR_LATE" | "WAITING">
  /** `whsec_…`; signs deliveries (Standard Webhooks) */
  secret: string
}

export type UpdateNotificationSubscriptionRequest = {
  /** Whether deliveries are sent */
  active?: boolean | null
  /** 1 to 2048 characters */
  url?: string | null
}

export type RotateNotificationSubscriptionSecretResponse = {
  /** `whsec_…`; signs deliveries (Standard Webhooks) */
  secret: string
}

export type ListNotificationDeliveriesResponse = {
  /** The records of the page */
  data: ReadonlyArray<WebhookDelivery>
  /** Rows in all pages */
  totalRegistries: number
  /** Pages of `limit` rows, rounded up */
  totalPages: number
  /** Cursor for `after`; opaque; null at the end */
  next: string | null
}

export type ListPublicAppointmentTypesResponse = {
  /** Every record */
  data: ReadonlyArray<PublicAppointmentType>
}

export type SearchSlotsRequest = {
  shop_uid: string
  appointment_type_uid: string
  /** Unix seconds */
  from: number
  /** Unix seconds; at most 31 days after from */
  to: number
  doctor_uid?: string | null
  /** Slots of these doctors alone; not together with doctor_uid */
  doctor_uids?: ReadonlyArray<string> | null
  /** The first so many slots alone */
  limit?: number | null
  /** IANA time zone, e.g. Europe/Berlin */
  timezone?: string | null
}

export type SearchSlotsResponse = {
  /** Free slots, by start and then by doctor */
  slots: ReadonlyArray<Slot>
}

export type CreateBookingSessionRequest = NewSessionForBooking | NewSessionForRebooking | NewSessionWithoutTime

export type CreateSessionHoldRequest = {
  doctor_uid: string
  appointment_type_uid: string
  /** Unix seconds */
  start_date: number
  /** If omitted in a rebooking session: that of the appointment to replace */
  visit_reason?: string | null
}

export type BookSessionAppointmentRequest = {
  /** If omitted: the free doctor with the fewest appointments on that day; required where patients choose the doctor */
  doctor_uid?: string | null
  /** Unix seconds */
  start_date: number
  /** If omitted in a rebooking session: that of the appointment to replace */
  visit_reason?: string | null
}

export type ConfirmSessionHoldRequest = {
  /** If omitted: that of the hold; blank: cleared */
  visit_reason?: string | null
}

export type CancelPatientAppointmentRequest = {
  /** Why it is cancelled */
  reason?: string | null
}

export type RebookPatientAppointmentRequest = {
  /** Unix seconds */
  new_start_date: number
  /** Required when the type's mode is any_doctor_same_organisation */
  new_doctor_uid?: string | null
  /** Duration and availability of the new time; the original's when left out, as long as that can be booked */
  appointment_type_uid?: string | null
  /** Limits of the type and the doctor do not count; for API keys and administrators */
  over_limit?: boolean | null
}

export type CreateHoldRequest = {
  doctor_uid: string
  appointment_type_uid: string
  /** Unix seconds */
  start_date: number
  /** If omitted in a rebooking session: that of the appointment to replace */
  visit_reason?: string | null
  shop_uid: string
  /** The shop's identifier of the customer */
  shop_customer_id: string | number
  patient_profile_fields?: (ReadonlyArray<{
    field: string
    /** The field's value; text, unless the field is one of the partner's own */
    value: unknown
    /** Where the value comes from */
    source?: "shop" | null
  }>) | null
  /** One of the type's formats; if omitted by video, where the type has it */
  meeting_format?: ("DIGITAL" | "IN_PERSON") | null
  /** Limits of the type and the doctor do not count; for API keys and administrators */
  over_limit?: boolean | null
}

export type GetActionLinkResponse = {
  /** The action that the link permits */
  action: "join" | "rebook" | "cancel"
  /** Unix seconds */
  appointment_start: number
  /** Unix seconds */
  appointment_end: number
  /** Name of the doctor */
  doctor_display_name: string
  /** Name of the appointment type; the kind of meeting where it has none */
  appointment_type_name: string
  /** Whether the room can be entered, and when it opens */
  join_window: {
    /** Whether the room can be entered now */
    state: "too_early" | "open" | "too_late"
    /** When the room opens, Unix seconds: 10 minutes before the start */
    opens_at: number
  }
  /** Whether the appointment can be moved now */
  rebook_allowed: boolean
  /** Whether the appointment can be cancelled now */
  cancel_allowed: boolean
  /** Whether what the link is for has been done */
  already_actioned: boolean
  /** Only of a rebook link */
  doctor_uid?: string
  /** Only of a rebook link */
  rebooking_mode?: "same_doctor_only" | "any_doctor_same_organisation"
}

export type BookFollowUpRequest = {
  patient_uid: string
  appointment_type_uid: string
  /** Unix seconds */
  start_date: number
  /** Why the patient comes; null: not given */
  visit_reason?: string | null
  /** One of the type's formats; if omitted by video, where the type has it */
  meeting_format?: ("DIGITAL" | "IN_PERSON") | null
}

export type ListArticlesResponse = {
  /** Every record */
  data: ReadonlyArray<Article>
}

export type ListBookingTokenSecretsResponse = {
  /** Every record */
  data: ReadonlyArray<{
    /** Public name of the secret, sent as `kid` in tokens */
    key_id: string
    /** Unix seconds */
    created_at: number
    /** Unix seconds; null while the secret is valid */
    revoked_at: number | null
  }>
}

export type CreateBookingTokenSecretResponse = {
  /** Public name of the secret, sent as `kid` in tokens */
  key_id: string
  /** HMAC key, its characters are the key, not decoded; keep it secret */
  secret: string
}

export type GetBookingTokenSecretResponse = {
  /** Public name of the secret, sent as `kid` in tokens */
  key_id: string
  /** HMAC key, its characters are the key, not decoded; keep it secret */
  secret: string
  /** Unix seconds */
  created_at: number
}

export type ListPharmacyProductsResponse = {
  /** The records of the page */
  data: ReadonlyArray<PharmacyProduct>
  /** Rows in all pages */
  totalRegistries: number
  /** Pages of `limit` rows, rounded up */
  totalPages: number
  /** Cursor for `after`; opaque; null at the end */
  next: string | null
}

export type ListPharmacySkusResponse = {
  /** The records of the page */
  data: ReadonlyArray<PharmacySku>
  /** Rows in all pages */
  totalRegistries: number
  /** Pages of `limit` rows, rounded up */
  totalPages: number
  /** Cursor for `after`; opaque; null at the end */
  next: string | null
}

/** Rows `{uid, price?, stock?, external_id?, if_match?}`; each succeeds or fails on its own */
export type UpdatePharmacySkusRequest = {
  /** an array of at most 1000 item(s) */
  data: ReadonlyArray<unknown>
}

export type UpdatePharmacySkusResponse = {
  /** Every record */
  data: ReadonlyArray<BulkResult>
}

export type UpdatePharmacySkuRequest = {
  /** Price of one unit in euro cents */
  price?: number | null
  /** Units in stock; below 0 when oversold */
  stock?: number | null
  /** 1 to 255 characters */
  external_id?: string | null
}

export type UpdatePharmacySkuStockRequest = {
  /** Units in stock; below 0 when oversold */
  stock: number
}

export type UpdatePharmacySkuExternalIdRequest = {
  /** 1 to 255 characters */
  external_id: string
}

export type ListPharmacyWebhooksResponse = {
  /** Every record */
  data: ReadonlyArray<PharmacyWebhook>
}

export type CreatePharmacyWebhookRequest = {
  /** 1 to 2048 characters */
  url: string
  /** Types of the events that are sent */
  event_types: ReadonlyArray<"subscription.failing" | "pharmacy_manager.send_prescription" | "pharmacy_order.created" | "pharmacy_order.status_updated" | "pharmacy_order.completed" | "pharmacy_sku.updated">
}

export type CreatePharmacyWebhookResponse = {
  uid: string
  /** http or https address that deliveries are sent to */
  url: string
  /** Whether deliveries are sent */
  active: boolean
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
  /** Types of the events that are sent */
  event_types: ReadonlyArray<"patient_doctor_meeting_updated" | "rebooked" | "scheduling.appointment_reminder_due" | "patient.created" | "subscription.failing" | "prescription.render" | "prescription.rendered" | "pharmacy_manager.send_prescription" | "pharmacy_order.created" | "pharmacy_order.status_updated" | "pharmacy_order.completed" | "pharmacy_sku.updated" | "recall.due" | "scheduling.times_offered" | "busy_source.failing" | "calendar_connection.failing" | "waitlist.offered" | "waitlist.accepted" | "waitlist.paused" | "patient.merged" | "patient.exported" | "patient.erased" | "request.created" | "request.answered" | "request.running_out" | "request.closed" | "scheduling.doctor_late" | "scheduling.waiting">
  /** `whsec_…`; signs deliveries (Standard Webhooks) */
  secret: string
}

export type ListPharmacyOrdersResponse = {
  /** The records of the page */
  data: ReadonlyArray<PharmacyOrder>
  /** Rows in all pages */
  totalRegistries: number
  /** Pages of `limit` rows, rounded up */
  totalPages: number
  /** Cursor for `after`; opaque; null at the end */
  next: string | null
}

export type UpdatePharmacyOrderStatusRequest = {
  /** Status of the order */
  status: "new" | "accepted" | "in_preparation" | "ready_for_pickup" | "shipped" | "completed" | "rejected" | "cancelled"
  /** Carrier and number of the parcel; null without one */
  tracking?: Tracking | null
  /** Why */
  reason?: string | null
}

export type ReportPharmacyOrderProblemRequest = {
  /** At most 2000 characters; blank counts as none */
  message?: string | null
  /** Lines that are not, or only partly, available, each with what is missing */
  missing?: ReadonlyArray<{
    line_uid: string
    /** Units of the line that are missing */
    quantity: number
  }> | null
}

export type AcceptPharmacyOrderChangeRequest = {
  /** uid of the change, from the order's `shop_change` */
  uid: string
}

export type ListPayoutsResponse = {
  /** The records of the page */
  data: ReadonlyArray<Payout>
  /** Rows in all pages */
  totalRegistries: number
  /** Pages of `limit` rows, rounded up */
  totalPages: number
  /** Cursor for `after`; opaque; null at the end */
  next: string | null
}

export type ListPrescriptionsResponse = {
  /** The records of the page */
  data: ReadonlyArray<ListedPrescription>
  /** Rows in all pages */
  totalRegistries: number
  /** Pages of `limit` rows, rounded up */
  totalPages: number
  /** Cursor for `after`; opaque; null at the end */
  next: string | null
}

export type RenderPrescriptionResponse = {
  uid: string
  /** What has happened, as text */
  message: string
}

export type SignPrescriptionExternallyResponse = {
  uid: string
  /** The prescription's status */
  status: "EXTERNALLY_SIGNED"
}

export type CancelPrescriptionRequest = {
  /** 1 to 2000 characters, trimmed */
  reason: string
}

export type CancelPrescriptionResponse = {
  uid: string
  /** The prescription's status */
  status: "CANCELLED"
}

export type CreatePrescriptionCheckoutRequest = NewPrescriptionCheckout | NewPrescriptionsAlone | NewPrescriptionDraftOrder | ReservedPrescriptionCheckout

export type CreateTreatmentCheckoutRequest = NewTreatmentCheckout | NewTreatmentDraftOrder

export type CreateReservationResponse = {
  /** Draft order that holds the reservation */
  reserved_draft_order_id: string
  /** Unix seconds */
  expires_at: number
}

export type MoveAppointmentsRequest = {
  /** The absent doctor; if omitted, all doctors */
  doctor_uid?: string | null
  /** The room or device that is closed: only appointments that take it, which keep their time where another is free */
  resource_uid?: string | null
  /** Also appointments in which `doctor_uid` is a further doctor */
  including_further?: boolean | null
  /** Also to doctors of another specialty than the appointment's own */
  any_specialty?: boolean | null
  /** Starting at or after, Unix seconds */
  from: number
  /** Starting before, Unix seconds; the absence ends here */
  to: number
  /** Change nothing: return what would be moved where */
  dry_run?: boolean | null
}

export type GetIssuerConfigurationResponse = Readonly<Record<string, unknown>>

export type ReceiveStorefrontWebhookResponse = {
  /** Always ok */
  status: "ok"
}

export type ListBookableDoctorsResponse = {
  /** Every record */
  data: ReadonlyArray<DoctorSummary>
}

export type ListDoctorSettingsResponse = {
  /** Every record */
  data: ReadonlyArray<DoctorAppointmentTypeSetting>
}

export type PutDoctorSettingRequest = {
  /** Whether the doctor takes appointments of the type */
  active?: boolean | null
  /** Minimum notice for booking this doctor, minutes; wins over the type's value, also when 0; null: the type's value */
  booking_min_notice_minutes?: number | null
}

export type ListResourcesResponse = {
  /** Every record */
  data: ReadonlyArray<Resource>
  /** Always null: the list has no further page */
  next: string | null
}

export type CreateResourceRequest = {
  /** A room, a device, or a person who is no doctor, such as an interpreter */
  kind: "room" | "device" | "person"
  /** Name of the resource */
  name: string
  /** Where it is, as patients read it; null: not stated */
  site?: string | null
  /** true: free whenever no appointment takes it; false: within its own hours alone */
  always_available?: boolean | null
  /** Whether appointments can take it */
  active?: boolean | null
}

export type UpdateResourceRequest = {
  /** A room, a device, or a person who is no doctor, such as an interpreter */
  kind?: ("room" | "device" | "person") | null
  name?: string | null
  /** Where it is, as patients read it; null: not stated */
  site?: string | null
  /** true: free whenever no appointment takes it; false: within its own hours alone */
  always_available?: boolean | null
  /** Whether appointments can take it */
  active?: boolean | null
}

export type ListResourceAvailabilityRulesResponse = {
  /** Every record */
  data: ReadonlyArray<ResourceAvailabilityRule>
  /** Always null: the list has no further page */
  next: string | null
}

export type ListResourceDateOverridesResponse = {
  /** The records of the page */
  data: ReadonlyArray<ResourceDateOverride>
  /** Rows in all pages */
  totalRegistries: number
  /** Pages of `limit` rows, rounded up */
  totalPages: number
  /** Cursor for `after`; opaque; null at the end */
  next: string | null
}

export type ListDoctorsResponse = {
  /** The records of the page */
  data: ReadonlyArray<Doctor>
  /** Rows in all pages */
  totalRegistries: number
  /** Pages of `limit` rows, rounded up */
  totalPages: number
  /** Cursor for `after`; opaque; null at the end */
  next: string | null
}

export type CreateDoctorRequest = {
  /** Name of the doctor */
  display_name: string
  /** Mail address for notices; null: none */
  email?: string | null
  /** Telephone number for notices; null: none */
  phone?: string | null
  /** IANA zone in which availability is meant; null: the organisation's */
  timezone?: string | null
  /** As printed on prescriptions; null: none */
  profession?: string | null
  /** Of the practice, as printed on prescriptions; null: none */
  address?: string | null
  /** Title before the name on pages, unless the name begins with it; null: none */
  title?: string | null
  /** Specialty as patients read it; null: none */
  specialty?: string | null
  specialty_code?: SpecialtyCode | null
  /** Languages that the doctor speaks, BCP 47 */
  languages?: ReadonlyArray<string> | null
  /** Most appointments of any type that the doctor takes in a period; all of them hold */
  limits?: (ReadonlyArray<{
    /** Calendar day, week from Monday, or calendar month */
    per: "day" | "week" | "month"
    /** Most appointments that start in one of these periods */
    max: number
  }>) | null
  /** The region whose public holidays count; null: of a doctor the organisation's, of an organisation none */
  holiday_region?: string | null
  /** Further closed days */
  extra_holidays?: ReadonlyArray<Holiday> | null
  /** Picture as a data URI (PNG or JPEG, at most 64 KiB); null: none */
  picture?: string | null
}

export type UpdateDoctorRequest = {
  display_name?: string | null
  /** Mail address for notices; null: none */
  email?: string | null
  /** Telephone number for notices; null: none */
  phone?: string | null
  /** IANA zone in which availability is meant */
  timezone?: string | null
  /** As printed on prescriptions; null: none */
  profession?: string | null
  /** Of the practice, as printed on prescriptions; null: none */
  address?: string | null
  /** Title before the name on pages, unless the name begins with it; null: none */
  title?: string | null
  /** Specialty as patients read it; null: none */
  specialty?: string | null
  specialty_code?: SpecialtyCode | null
  /** Languages that the doctor speaks, BCP 47 */
  languages?: ReadonlyArray<string> | null
  /** Most appointments of any type that the doctor takes in a period; all of them hold */
  limits?: (ReadonlyArray<{
    /** Calendar day, week from Monday, or calendar month */
    per: "day" | "week" | "month"
    /** Most appointments that start in one of these periods */
    max: number
  }>) | null
  /** The region whose public holidays count; null: of a doctor the organisation's, of an organisation none */
  holiday_region?: string | null
  /** Further closed days */
  extra_holidays?: ReadonlyArray<Holiday> | null
  /** Picture as a data URI (PNG or JPEG, at most 64 KiB); null: none */
  picture?: string | null
}

export type ListShopsResponse = {
  /** The records of the page */
  data: ReadonlyArray<Shop>
  /** Rows in all pages */
  totalRegistries: number
  /** Pages of `limit` rows, rounded up */
  totalPages: number
  /** Cursor for `after`; opaque; null at the end */
  next: string | null
}

export type CreateShopRequest = {
  /** 1 to 255 characters */
  shop_identifier: string
  /** Display name; null: its shop_identifier */
  name?: string | null
  /** Pharmacy of orders that name none */
  default_pharmacy_uid?: string | null
  /** The pharmacies that its orders may go to, the default one included; null: all of the installation's */
  pharmacy_uids?: ReadonlyArray<string> | null
  /** `patient`: the patient chooses, so that an order without the attribute `pharmacy_uid` waits for a person; `any`: the default pharmacy, else the cheapest, gets it */
  pharmacy_choice?: ("any" | "patient") | null
  /** Articles that the shop sells only with an anamnesis: an order whose line has none, or a flag that skips it, waits for a person */
  anamnesis_sku_uids?: ReadonlyArray<string> | null
  /** The storefront of its checkouts. Replaced as a whole; responses contain no secrets */
  storefront?: (({
    /** The service's own checkout page */
    kind: "embedded"
    /** Signs the storefront's order webhooks; null: the present one stays, or one is generated */
    webhook_secret?: string | null
  }) | {
    /** A Shopify shop */
    kind: "shopify"
    /** 1 to 255 characters */
    shop_domain: string
    /** 1 to 1024 characters */
    admin_access_token: string
    /** 1 to 1024 characters */
    storefront_access_token: string
    /** 1 to 1024 characters */
    webhook_secret: string
  }) | null
}

export type UpdateShopRequest = {
  /** 1 to 255 characters */
  shop_identifier?: string | null
  name?: string | null
  /** Pharmacy of orders that name none */
  default_pharmacy_uid?: string | null
  /** The pharmacies that its orders may go to, the default one included; null: all of the installation's */
  pharmacy_uids?: ReadonlyArray<string> | null
  /** `patient`: the patient chooses, so that an order without the attribute `pharmacy_uid` waits for a person; `any`: the default pharmacy, else the cheapest, gets it */
  pharmacy_choice?: ("any" | "patient") | null
  /** Articles that the shop sells only with an anamnesis: an order whose line has none, or a flag that skips it, waits for a person */
  anamnesis_sku_uids?: ReadonlyArray<string> | null
  /** The storefront of its checkouts. Replaced as a whole; responses contain no secrets */
  storefront?: (({
    /** The service's own checkout page */
    kind: "embedded"
    /** Signs the storefront's order webhooks; null: the present one stays, or one is generated */
    webhook_secret?: string | null
  }) | {
    /** A Shopify shop */
    kind: "shopify"
    /** 1 to 255 characters */
    shop_domain: string
    /** 1 to 1024 characters */
    admin_access_token: string
    /** 1 to 1024 characters */
    storefront_access_token: string
    /** 1 to 1024 characters */
    webhook_secret: string
  }) | null
}

export type ListPatientsResponse = {
  /** The records of the page */
  data: ReadonlyArray<Patient>
  /** Rows in all pages */
  totalRegistries: number
  /** Pages of `limit` rows, rounded up */
  totalPages: number
  /** Cursor for `after`; opaque; null at the end */
  next: string | null
}

export type CreatePatientRequest = {
  shop_uid: string
  /** The shop's identifier of its customer, unique within the shop; null for a patient without an account there */
  shop_customer_id?: (string | number) | null
  profile?: PatientProfile | null
}

export type UpdatePatientRequest = {
  /** The shop's identifier of its customer, unique within the shop; null for a patient without an account there */
  shop_customer_id?: (string | number) | null
  profile?: PatientProfile | null
}

export type ListConsentsResponse = {
  /** Every record */
  data: ReadonlyArray<Consent>
}

export type GiveConsentsRequest = {
  /** Purpose of the consent: `data_processing`, the processing of health data; `video`, treatment by video */
  purpose: "data_processing" | "video"
  /** 1 to 64 characters */
  version: string
  language?: string | null
}

export type ListApiKeysResponse = {
  /** Every record */
  data: ReadonlyArray<ApiKey>
}

export type CreateApiKeyRequest = {
  /** Purpose of the key */
  name: string
  /** Permissions of the key */
  permissions: ReadonlyArray<"scheduling:read" | "scheduling:admin" | "scheduling:write" | "prescription:read" | "prescription:external_sign" | "create_prescription_checkout" | "create_treatment_checkout" | "organisation:admin" | "patients:read" | "patients:write" | "patients:admin" | "audit:read" | "intake:read" | "sandbox:clock">
}

export type CreateApiKeyResponse = {
  uid: string
  /** Purpose of the key */
  name: string
  /** Permissions of the key */
  permissions: ReadonlyArray<"scheduling:read" | "scheduling:admin" | "scheduling:write" | "prescription:read" | "prescription:external_sign" | "create_prescription_checkout" | "create_treatment_checkout" | "organisation:admin" | "patients:read" | "patients:write" | "patients:admin" | "audit:read" | "intake:read" | "sandbox:clock">
  /** Unix seconds */
  created_at: number
  /** To the minute */
  last_used_at: number | null
  /** Unix seconds; null while the key is valid */
  revoked_at: number | null
  /** Shown only here */
  key: string
}

export type ListRequestsResponse = {
  /** Every record */
  data: ReadonlyArray<RequestEntry>
}

export type ListRecallsResponse = {
  /** The records of the page */
  data: ReadonlyArray<Recall>
  /** Rows in all pages */
  totalRegistries: number
  /** Pages of `limit` rows, rounded up */
  totalPages: number
  /** Cursor for `after`; opaque; null at the end */
  next: string | null
}

export type CreateRecallRequest = {
  patient_uid: string
  appointment_type_uid: string
  /** The doctor to book; null: any */
  doctor_uid?: string | null
  /** When the patient is to come again, YYYY-MM-DD */
  due_date: string
  /** Days before `due_date` on which the patient is asked, at 9:00 of the patient's zone */
  lead_days?: number | null
  /** A sentence of the practice in the message; null: none */
  message_text?: string | null
}

export type UpdateRecallRequest = {
  /** The doctor to book; null: any */
  doctor_uid?: string | null
  /** When the patient is to come again, YYYY-MM-DD */
  due_date?: string | null
  /** Days before `due_date` on which the patient is asked, at 9:00 of the patient's zone */
  lead_days?: number | null
  /** A sentence of the practice in the message; null: none */
  message_text?: string | null
  /** `cancelled` ends it */
  status?: "cancelled" | null
}

export type GetRecallStatisticsResponse = {
  /** Every record */
  data: ReadonlyArray<RecallsWeek>
}

export type CreateOwnRecallRequest = {
  patient_uid: string
  appointment_type_uid: string
  /** When the patient is to come again, YYYY-MM-DD */
  due_date: string
  /** Days before `due_date` on which the patient is asked, at 9:00 of the patient's zone */
  lead_days?: number | null
  /** A sentence of the practice in the message; null: none */
  message_text?: string | null
}

export type ListAbsencesResponse = {
  /** Every record */
  data: ReadonlyArray<Absence>
  /** Always null: the list has no further page */
  next: string | null
}

export type CreateAbsenceRequest = {
  /** The absent doctor; null: all doctors */
  doctor_uid?: string | null
  /** Start, Unix seconds */
  from: number
  /** End, Unix seconds; at most 366 days after from */
  to: number
  /** Why; patients do not see it */
  kind?: ("vacation" | "illness" | "training" | "other") | null
  /** The reason that patients of cancelled appointments get */
  message?: string | null
  /** `move`: to its first free time, as bulk moves do; `offer`: the patient is asked to choose another time, by mail, else by SMS; `cancel`; `keep`: it stays as it is */
  appointments?: ("keep" | "move" | "offer" | "cancel") | null
  /** Also to doctors of another specialty than the appointment's own */
  any_specialty?: boolean | null
  /** What becomes of single appointments, instead of `appointments` */
  choices?: (ReadonlyArray<{
    appointment_uid: string
    /** `move`: to its first free time, as bulk moves do; `offer`: the patient is asked to choose another time, by mail, else by SMS; `cancel`; `keep`: it stays as it is */
    step: "keep" | "move" | "offer" | "cancel"
  }>) | null
  /** How many appointments the caller expects in the time: with another number nothing is changed (409) */
  expected?: number | null
}

export type UpdateAbsenceRequest = {
  /** Start, Unix seconds */
  from?: number | null
  /** End, Unix seconds; at most 366 days after from */
  to?: number | null
  /** Why; patients do not see it */
  kind?: ("vacation" | "illness" | "training" | "other") | null
}

export type ListAbsenceAppointmentsResponse = {
  /** Every record */
  data: ReadonlyArray<SettledAppointment>
}

export type AskAgainForAbsenceRequest = {
  /** How many the caller expects to be asked: with another number nobody is (409) */
  expected?: number | null
}

export type ListBusySourcesResponse = {
  /** Every record */
  data: ReadonlyArray<BusySource>
  /** Always null: the list has no further page */
  next: string | null
}

export type CreateBusySourceRequest = {
  /** `ics`: a file at an address. `caldav`: a CalDAV collection */
  kind: "ics" | "caldav"
  /** As the doctor calls it */
  name: string
  /** Address of the file or of the collection; http or https. `webcal` is taken as https */
  url: string
  /** For HTTP Basic or Digest; null: none */
  username?: string | null
  /** Whether all-day events make the day busy */
  all_day_blocks?: boolean | null
  /** After 24 hours without a successful reading: `keep` goes on with the last times, `close` offers no time of the doctor */
  when_stale?: ("keep" | "close") | null
  /** Whether it is read and counts */
  active?: boolean | null
  /** For HTTP Basic or Digest; never returned */
  password?: string | null
}

export type UpdateBusySourceRequest = {
  name?: string | null
  /** 1 to 2048 characters */
  url?: string | null
  /** For HTTP Basic or Digest; null: none */
  username?: string | null
  /** Whether all-day events make the day busy */
  all_day_blocks?: boolean | null
  /** After 24 hours without a successful reading: `keep` goes on with the last times, `close` offers no time of the doctor */
  when_stale?: ("keep" | "close") | null
  /** Whether it is read and counts */
  active?: boolean | null
  /** For HTTP Basic or Digest; never returned */
  password?: string | null
}

export type ListCalendarConnectionsResponse = {
  /** Every record */
  data: ReadonlyArray<CalendarConnection>
  /** Always null: the list has no further page */
  next: string | null
}

export type CreateOwnCalendarConnectionRequest = {
  /** `microsoft` and `google` where the service has their settings */
  provider: "microsoft" | "google" | "caldav"
  /** Of `caldav`: address of the calendar, or of the account's calendars */
  url?: string | null
  /** Of `caldav` */
  username?: string | null
  /** Of `caldav`; never returned */
  password?: string | null
}

export type CreateOwnCalendarConnectionResponse = ({
  uid: string
  /** Where the calendars are kept */
  provider: "microsoft" | "google" | "caldav"
  /** The account at the provider, or the user name */
  account: string
  /** The calendars of the account */
  calendars: ReadonlyArray<ConnectedCalendar>
  /** `waiting`: not read yet. `failing`: the last contact failed */
  status: "waiting" | "current" | "failing"
  /** Why the last contact failed, and what to do */
  last_error: string | null
  /** Last successful reading */
  last_read_at: number | null
  /** Last entry written, changed or removed */
  last_write_at: number | null
  /** Unix seconds */
  created_at: number
  /** Unix seconds */
  updated_at: number
}) | {
  uid: string
  /** The provider's page where the doctor allows it, within ten minutes */
  authorize_url: string
}

export type UpdateOwnCalendarConnectionRequest = {
  /** Only named calendars and sent fields change */
  calendars?: (ReadonlyArray<{
    /** 1 to 1024 characters */
    id: string
    /** Whether its busy times are read; never titles */
    reads?: boolean | null
    /** Whether appointments are written into it; one at most */
    writes?: boolean | null
  }>) | null
}

export type ListCalendarProvidersResponse = {
  /** Every record */
  data: ReadonlyArray<OfferedCalendarProvider>
}

export type ListDifferingCalendarEntriesResponse = {
  /** Every record */
  data: ReadonlyArray<DifferingCalendarEntry>
}

export type ListWaitlistEntriesResponse = {
  /** The records of the page */
  data: ReadonlyArray<WaitlistEntry>
  /** Rows in all pages */
  totalRegistries: number
  /** Pages of `limit` rows, rounded up */
  totalPages: number
  /** Cursor for `after`; opaque; null at the end */
  next: string | null
}

export type CreateWaitlistEntryRequest = {
  patient_uid: string
  appointment_type_uid: string
  /** Doctors to choose from; empty: any */
  doctor_uids?: ReadonlyArray<string> | null
  /** First start that suits, Unix seconds; default now */
  from?: number | null
  /** Starts before it suit, Unix seconds; at most 180 days after `from`, which is the default */
  to?: number | null
  /** Weekdays that suit, 0 = Monday, in the doctor's zone; empty: all */
  weekdays?: ReadonlyArray<number> | null
  /** Times of the day that suit, in the doctor's zone; empty: all */
  times?: ReadonlyArray<{
    /** Minutes from midnight (540 = 09:00) */
    from: number
    /** Minutes from midnight (540 = 09:00) */
    to: number
  }> | null
  /** The patient's confirmed appointment that an earlier time replaces; null: none */
  appointment_uid?: string | null
  /** How much the patient needs it: `urgent` is asked first, then `soon`; set by keys and staff alone */
  need?: ("routine" | "soon" | "urgent") | null
  /** Why it is needed, in the practice's words; kept sealed. At most 2000 characters */
  need_reason?: string | null
}

export type UpdateWaitlistEntryRequest = {
  /** Doctors to choose from; empty: any */
  doctor_uids?: ReadonlyArray<string> | null
  /** First start that suits, Unix seconds; default now */
  from?: number | null
  /** Starts before it suit, Unix seconds; at most 180 days after `from`, which is the default */
  to?: number | null
  /** Weekdays that suit, 0 = Monday, in the doctor's zone; empty: all */
  weekdays?: ReadonlyArray<number> | null
  /** Times of the day that suit, in the doctor's zone; empty: all */
  times?: ReadonlyArray<{
    /** Minutes from midnight (540 = 09:00) */
    from: number
    /** Minutes from midnight (540 = 09:00) */
    to: number
  }> | null
  /** The patient's confirmed appointment that an earlier time replaces; null: none */
  appointment_uid?: string | null
  /** How much the patient needs it: `urgent` is asked first, then `soon`; set by keys and staff alone */
  need?: ("routine" | "soon" | "urgent") | null
  /** Why it is needed, in the practice's words; kept sealed. At most 2000 characters */
  need_reason?: string | null
  /** `waiting` goes on after a pause, `paused` gets no offers, `ended` is final */
  status?: ("waiting" | "paused" | "ended") | null
}

export type CreateOwnWaitlistEntryRequest = {
  /** The session's type, which is the default */
  appointment_type_uid?: string | null
  /** Doctors to choose from; empty: any */
  doctor_uids?: ReadonlyArray<string> | null
  /** First start that suits, Unix seconds; default now */
  from?: number | null
  /** Starts before it suit, Unix seconds; at most 180 days after `from`, which is the default */
  to?: number | null
  /** Weekdays that suit, 0 = Monday, in the doctor's zone; empty: all */
  weekdays?: ReadonlyArray<number> | null
  /** Times of the day that suit, in the doctor's zone; empty: all */
  times?: ReadonlyArray<{
    /** Minutes from midnight (540 = 09:00) */
    from: number
    /** Minutes from midnight (540 = 09:00) */
    to: number
  }> | null
  /** An own confirmed appointment that an earlier time replaces; default that of a rebooking session */
  appointment_uid?: string | null
}

export type MoveSandboxClockRequest = ClockAdvance | ClockTime

export type BookAppointmentSeriesRequest = {
  /** If omitted: the free doctor with the fewest appointments on that day; required where patients choose the doctor */
  doctor_uid?: string | null
  /** Unix seconds */
  start_date: number
  /** If omitted in a rebooking session: that of the appointment to replace */
  visit_reason?: string | null
  appointment_type_uid: string
  shop_uid: string
  /** A patient of the shop; this or shop_customer_id */
  patient_uid?: string | null
  /** The shop's own identifier; the patient is made or updated */
  shop_customer_id?: (string | number) | null
  patient_profile_fields?: (ReadonlyArray<{
    field: string
    /** The field's value; text, unless the field is one of the partner's own */
    value: unknown
    /** Where the value comes from */
    source?: "shop" | null
  }>) | null
  /** One of the type's formats; if omitted by video, where the type has it */
  meeting_format?: ("DIGITAL" | "IN_PERSON") | null
  /** Limits of the type and the doctor do not count; for API keys and administrators */
  over_limit?: boolean | null
  /** Appointments in the series */
  count: number
  /** Weeks from one to the next; the wall-clock time is kept */
  interval_weeks: number
  /** Where a start is not free: `fail` books nothing, `skip` leaves it out, `shift` takes the nearest free start within three days */
  on_conflict?: ("fail" | "skip" | "shift") | null
  /** Regular starts that are left out, as the plan has them */
  except?: ReadonlyArray<number> | null
  /** Plan only: nothing is booked, and the status is 200 */
  dry_run?: boolean | null
}

export type BookAppointmentSeriesResponse = {
  /** Nothing is booked */
  series_uid: null
  /** By start */
  appointments: ReadonlyArray<SeriesAppointment>
  /** Starts that are left out */
  skipped: ReadonlyArray<{
    /** Unix seconds */
    start_date: number
    /** Why it is not booked */
    code: "slot_taken" | "slot_not_offered"
  }>
}

export type BookAppointmentSeriesResponse201 = {
  series_uid: string
  /** By start */
  appointments: ReadonlyArray<SeriesAppointment>
  /** Starts that are left out */
  skipped: ReadonlyArray<{
    /** Unix seconds */
    start_date: number
    /** Why it is not booked */
    code: "slot_taken" | "slot_not_offered"
  }>
}

export type CancelAppointmentSeriesRequest = {
  /** Why they are cancelled */
  reason: string
  /** Only those starting at or after; if omitted: all that have not begun */
  from?: number | null
}

export type GetStatisticsResponse = {
  /** Every record */
  data: ReadonlyArray<DoctorsWeek>
}

export type GetResourceStatisticsResponse = {
  /** Every record */
  data: ReadonlyArray<ResourcesWeek>
}

export type ErasePatientRightsRequest = {
  /** Why, for the record; kept sealed */
  reason: string
  /** Prescriptions of the patient in another name or spelling, erased as well */
  prescription_uids?: ReadonlyArray<string> | null
}

export type MergePatientRequest = {
  /** The record that stays */
  into: string
  /** Change nothing: return what would be the result */
  dry_run?: boolean | null
}

export type RestrictPatientRightsRequest = {
  /** Whether the patient's data is stored only and not used */
  restricted: boolean
}

export type ListFormsResponse = {
  /** Every record */
  data: ReadonlyArray<Form>
  /** Always null: the list has no further page */
  next: string | null
}

export type CreateFormRequest = {
  /** One text, or one for each language: `{de, en, …}` */
  title: string | Readonly<Record<string, string>>
  /** The questions in their order */
  items: ReadonlyArray<{
    link_id: string
    /** What it is: a group of items, a text to read, or a question */
    type: "group" | "display" | "boolean" | "choice" | "string" | "text" | "integer" | "decimal" | "date" | "file"
    /** One text, or one for each language: `{de, en, …}` */
    text: string | Readonly<Record<string, string>>
    /** Whether it must be answered where it is enabled */
    required?: boolean | null
    /** Whether it takes several answers */
    repeats?: boolean | null
    /** What a `choice` offers */
    options?: (ReadonlyArray<{
      code: string
      /** One text, or one for each language: `{de, en, …}` */
      text: string | Readonly<Record<string, string>>
    }>) | null
    /** Most characters of a `string` (null: 255) or a `text` (null: 2000) */
    max_length?: number | null
    /** Smallest number of an `integer` or a `decimal` */
    min?: number | null
    /** Largest number of an `integer` or a `decimal` */
    max?: number | null
    /** When it is asked; none: always */
    enable_when?: (ReadonlyArray<{
      /** An earlier item */
      link_id: string
      /** Without an answer only `exists: false` holds; of several answers one is enough, but `!=` counts for all */
      operator: "=" | "!=" | ">" | "<" | "exists"
      /** What it is compared with; for `exists` true or false */
      answer: string | number | boolean
    }>) | null
    /** Whether all conditions must hold, or one */
    enable_behavior?: ("all" | "any") | null
    /** Of a `group` */
    items?: ReadonlyArray<FormItem> | null
  }>
  /** Whether patients are asked it */
  active?: boolean | null
}

export type UpdateFormRequest = {
  /** One text, or one for each language: `{de, en, …}` */
  title?: (string | Readonly<Record<string, string>>) | null
  /** The questions in their order */
  items?: (ReadonlyArray<{
    link_id: string
    /** What it is: a group of items, a text to read, or a question */
    type: "group" | "display" | "boolean" | "choice" | "string" | "text" | "integer" | "decimal" | "date" | "file"
    /** One text, or one for each language: `{de, en, …}` */
    text: string | Readonly<Record<string, string>>
    /** Whether it must be answered where it is enabled */
    required?: boolean | null
    /** Whether it takes several answers */
    repeats?: boolean | null
    /** What a `choice` offers */
    options?: (ReadonlyArray<{
      code: string
      /** One text, or one for each language: `{de, en, …}` */
      text: string | Readonly<Record<string, string>>
    }>) | null
    /** Most characters of a `string` (null: 255) or a `text` (null: 2000) */
    max_length?: number | null
    /** Smallest number of an `integer` or a `decimal` */
    min?: number | null
    /** Largest number of an `integer` or a `decimal` */
    max?: number | null
    /** When it is asked; none: always */
    enable_when?: (ReadonlyArray<{
      /** An earlier item */
      link_id: string
      /** Without an answer only `exists: false` holds; of several answers one is enough, but `!=` counts for all */
      operator: "=" | "!=" | ">" | "<" | "exists"
      /** What it is compared with; for `exists` true or false */
      answer: string | number | boolean
    }>) | null
    /** Whether all conditions must hold, or one */
    enable_behavior?: ("all" | "any") | null
    /** Of a `group` */
    items?: ReadonlyArray<FormItem> | null
  }>) | null
  /** Whether patients are asked it */
  active?: boolean | null
}

export type AnswerSessionEntryRequest = {
  /** Answers by `link_id`; a list where the item repeats; of unknown and disabled items they are dropped */
  answers?: Readonly<Record<string, unknown>> | null
}

export type AnswerIntakeRequest = {
  /** Answers by `link_id`; a list where the item repeats; of unknown and disabled items they are dropped */
  answers?: Readonly<Record<string, unknown>> | null
  /** False stores a draft */
  complete?: boolean | null
}

export type GetAppointmentIntakeResponse = {
  /** In the order in which they were answered first, then those that nobody has begun */
  data: ReadonlyArray<ReadForm>
}

export type ListRequestTypesResponse = {
  /** Every record */
  data: ReadonlyArray<RequestType>
  /** Always null: the list has no further page */
  next: string | null
}

export type CreateRequestTypeRequest = {
  /** One text, or one for each language: `{de, en, …}` */
  name: string | Readonly<Record<string, string>>
  /** What is asked for; a doctor prescribes from a `prescription` */
  kind: "prescription" | "referral" | "certificate" | "callback" | "other"
  form_uid: string
  /** Minutes after which it is overdue */
  answer_within_minutes: number
  /** `doctor`: to whom the patient's last appointment was with */
  recipient?: ("practice" | "doctor") | null
  /** Whether patients are offered it */
  active?: boolean | null
}

export type UpdateRequestTypeRequest = {
  /** One text, or one for each language: `{de, en, …}` */
  name?: (string | Readonly<Record<string, string>>) | null
  /** What is asked for; a doctor prescribes from a `prescription` */
  kind?: ("prescription" | "referral" | "certificate" | "callback" | "other") | null
  form_uid?: string | null
  /** Minutes after which it is overdue */
  answer_within_minutes?: number | null
  /** `doctor`: to whom the patient's last appointment was with */
  recipient?: ("practice" | "doctor") | null
  /** Whether patients are offered it */
  active?: boolean | null
}

export type ListPatientRequestsResponse = {
  /** The records of the page */
  data: ReadonlyArray<ListedPatientRequest>
  /** Rows in all pages */
  totalRegistries: number
  /** Pages of `limit` rows, rounded up */
  totalPages: number
  /** Cursor for `after`; opaque; null at the end */
  next: string | null
}

export type AnswerPatientRequestRequest = {
  /** 1 to 2000 characters, trimmed */
  text: string
}

export type ClosePatientRequestRequest = {
  /** What became of it */
  outcome: "done" | "refused" | "appointment" | "prescription"
  /** At most 2000 characters; blank counts as none */
  text?: string | null
  prescription_uid?: string | null
}

export type ListOwnPatientRequestsResponse = {
  /** Every record */
  data: ReadonlyArray<OwnPatientRequest>
}

export type CreateSessionRequestRequest = {
  request_type_uid: string
  /** Answers by `link_id`; a list where the item repeats; of unknown and disabled items they are dropped */
  answers?: Readonly<Record<string, unknown>> | null
}

export type CreateSessionRequestResponse = {
  uid: string
  /** Nobody has taken it yet */
  status: "open"
  /** Unix seconds */
  due_at: number
  /** The patient's page of it */
  url: string
}

export type ListFhirClientsResponse = {
  /** Every record */
  data: ReadonlyArray<FhirClient>
  /** Always null: the list has no further page */
  next: string | null
}

export type CreateFhirClientRequest = {
  /** 1 to 255 characters */
  client_id: string
  /** Whose it is */
  name: string
  jwks?: {
    /** Keys for ES384 or RS384, each with kty and kid */
    keys: ReadonlyArray<Readonly<Record<string, unknown>>>
  } | null
  /** Address of its public keys */
  jwks_uri?: string | null
  /** What it may ask for */
  scopes: ReadonlyArray<string>
  /** Whether it gets access tokens */
  active?: boolean | null
}

export type UpdateFhirClientRequest = {
  name?: string | null
  /** Public keys, a JWK set; these or jwks_uri */
  jwks?: {
    /** Keys for ES384 or RS384, each with kty and kid */
    keys: ReadonlyArray<Readonly<Record<string, unknown>>>
  } | null
  /** 1 to 2048 characters */
  jwks_uri?: string | null
  /** What it may ask for */
  scopes?: ReadonlyArray<string> | null
  /** Whether it gets access tokens */
  active?: boolean | null
}

export type ListStaffPeopleResponse = {
  /** Every record */
  data: ReadonlyArray<StaffPerson>
  /** Always null: the list has no further page */
  next: string | null
}

export type CreateStaffPersonRequest = {
  /** Name of the person */
  display_name: string
  /** Mail address, to which the link is sent */
  email: string
  /** What a person may do in the practice's workspace: `owner` everything; the table of roles in Rule 1.9.12 has the others */
  role: "owner" | "reception" | "assistant" | "doctor_assistant" | "billing" | "read_only"
}

export type CreateStaffPersonResponse = {
  uid: string
  /** Link for the person, valid for seven days and once; it is not shown again */
  invitation_url: string
  /** Unix seconds */
  invitation_expires_at: number
}

export type UpdateStaffPersonRequest = {
  display_name?: string | null
  /** Mail address; null: none */
  email?: string | null
  /** What a person may do in the practice's workspace: `owner` everything; the table of roles in Rule 1.9.12 has the others */
  role?: ("owner" | "reception" | "assistant" | "doctor_assistant" | "billing" | "read_only") | null
}

export type CreateStaffTokenResponse = {
  /** Bearer token for /v1/doctor, /v1/admin and /v1/operator; it is not shown again */
  token: string
  /** Unix seconds */
  expires_at: number
}

export type PreviewDateOverrideRequest = PreviewOfOverride | PreviewOfDeletion

export type PreviewResourceChangeRequest = {
  /** The fields to change; if omitted, the resource is deleted */
  changes?: ({
    /** A room, a device, or a person who is no doctor, such as an interpreter */
    kind?: ("room" | "device" | "person") | null
    name?: string | null
    /** Where it is, as patients read it; null: not stated */
    site?: string | null
    /** true: free whenever no appointment takes it; false: within its own hours alone */
    always_available?: boolean | null
    /** Whether appointments can take it */
    active?: boolean | null
  }) | null
}

export type ListMessagesResponse = {
  /** The records of the page */
  data: ReadonlyArray<SentMessage>
  /** Rows in all pages */
  totalRegistries: number
  /** Pages of `limit` rows, rounded up */
  totalPages: number
  /** Cursor for `after`; opaque; null at the end */
  next: string | null
}

export type ListWaitingPatientsResponse = {
  /** Every record */
  data: ReadonlyArray<WaitingPatient>
}

export type AnnounceDelayRequest = {
  /** Minutes later than planned; 0: on time after all */
  minutes: number
  /** Appointments that start within so many minutes from now on */
  within_minutes?: number | null
}

export type AnnounceDelayResponse = {
  /** Every record */
  data: ReadonlyArray<StaffAppointment>
}

export type FindOwnPatientsResponse = {
  /** Every record */
  data: ReadonlyArray<OwnPatient>
}

export type PutAppointmentNoteRequest = {
  /** The whole note; null or blank removes it */
  note: string | null
}

export type ListWaitingPrescriptionsResponse = {
  /** Every record */
  data: ReadonlyArray<WaitingPrescription>
}

export type CreateOwnPrescriptionRequest = {
  patient_uid: string
  /** Prescribed articles */
  items: ReadonlyArray<{
    sku_uid: string
    /** Packs */
    quantity: number
    /** How it is taken; null: not stated */
    dosage?: string | null
  }>
}

export type MoveOwnAppointmentRequest = {
  /** Unix seconds */
  new_start_date: number
}

export type UploadSignedPrescriptionRequest = {
  /** Signed PDF in base64, at most 10 MiB decoded; with or without line breaks and a data: prefix */
  pdf_base64: string
}

export type CreateOwnCalendarFeedResponse = {
  /** Secret address of the calendar; whoever has it reads the times */
  url: string
  /** Unix seconds */
  created_at: number
}

export type ListOwnersResponse = {
  /** The records of the page */
  data: ReadonlyArray<Owner>
  /** Rows in all pages */
  totalRegistries: number
  /** Pages of `limit` rows, rounded up */
  totalPages: number
  /** Cursor for `after`; opaque; null at the end */
  next: string | null
}

export type ListJobQueuesResponse = {
  /** Every record */
  data: ReadonlyArray<JobQueue>
}

export type ListDeadLettersResponse = {
  /** Every record */
  data: ReadonlyArray<DeadLetter>
}

export type ListWebhookBacklogResponse = {
  /** Every record */
  data: ReadonlyArray<WebhookBacklog>
}

export type ReplayWebhookBacklogRequest = {
  /** The organisation's or the pharmacy's uid */
  owner_uid: string
}

export type ReplayWebhookBacklogResponse = {
  /** Deliveries that were given up and are sent again */
  replayed: number
}

export type ListParkedPayoutsResponse = {
  /** Every record */
  data: ReadonlyArray<ParkedPayout>
}

export type ResumeParkedPayoutsRequest = {
  pharmacy_uid: string
  pharmacy_order_uid: string
}

export type ResumeParkedPayoutsResponse = {
  /** Orders whose payouts are on their way again */
  orders: ReadonlyArray<string>
}

export type ListWaitingOrdersResponse = {
  /** Every record */
  data: ReadonlyArray<WaitingOrder>
}

export type RetryWaitingOrdersResponse = {
  /** Orders that waited and were tried again */
  tried: number
}

export type ReleaseWaitingOrderRequest = {
  /** 1 to 255 characters */
  shop_identifier: string
  /** 1 to 255 characters */
  order_id: string
}

export type ApplyProvisioningFileRequest = {
  /** A provisioning file, as `cli provision --schema` describes it */
  file: Readonly<Record<string, unknown>>
  /** Show the differences and change nothing */
  dry_run?: boolean | null
  /** Write every entry, also those that have not changed in the file */
  reset?: boolean | null
}

export type ListOwnGuestsResponse = {
  /** Every record */
  data: ReadonlyArray<Guest>
  /** Always null: the list has no further page */
  next: string | null
}

export type InviteOwnGuestResponse = {
  uid: string
  /** The guest's page */
  url: string
  /** When the join window closes */
  expires_at: number
}

export type ListAuditResponse = {
  /** Entries in the order of their making */
  data: ReadonlyArray<AuditEntry>
  /** Send it as `after` for what follows; null at the end */
  next: string | null
}

export type PreviewHolidaysRequest = {
  /** The region whose public holidays count; null: of a doctor the organisation's, of an organisation none */
  holiday_region?: string | null
  /** Further closed days */
  extra_holidays?: ReadonlyArray<Holiday> | null
}

export type PreviewHolidaysResponse = {
  /** Confirmed appointments that would be on a holiday, by start; at most 500 */
  appointments: ReadonlyArray<Appointment>
  /** How many there are */
  count: number
}

export type ListHolidaysResponse = {
  /** Every record */
  data: ReadonlyArray<Holiday>
}

/** For a patient who is known */
export type NewPatientBooking = {
  /** If omitted: the free doctor with the fewest appointments on that day; required where patients choose the doctor */
  doctor_uid?: string | null
  /** Unix seconds */
  start_date: number
  /** If omitted in a rebooking session: that of the appointment to replace */
  visit_reason?: string | null
  appointment_type_uid: string
  shop_uid: string
  /** A patient of the shop; this or shop_customer_id */
  patient_uid: string
  /** One of the type's formats; if omitted by video, where the type has it */
  meeting_format?: ("DIGITAL" | "IN_PERSON") | null
  /** Limits of the type and the doctor do not count; for API keys and administrators */
  over_limit?: boolean | null
  /** Book at this start whatever hours, grid, notice, buffers and limits say, over one taken time at most; needs `doctor_uid`, takes no resources */
  squeeze_in?: boolean | null
}

/** For a customer of the shop, who is made a patient where there is none yet */
export type NewCustomerBooking = {
  /** If omitted: the free doctor with the fewest appointments on that day; required where patients choose the doctor */
  doctor_uid?: string | null
  /** Unix seconds */
  start_date: number
  /** If omitted in a rebooking session: that of the appointment to replace */
  visit_reason?: string | null
  appointment_type_uid: string
  shop_uid: string
  /** The shop's own identifier; the patient is made or updated */
  shop_customer_id: string | number
  patient_profile_fields?: (ReadonlyArray<{
    field: string
    /** The field's value; text, unless the field is one of the partner's own */
    value: unknown
    /** Where the value comes from */
    source?: "shop" | null
  }>) | null
  /** One of the type's formats; if omitted by video, where the type has it */
  meeting_format?: ("DIGITAL" | "IN_PERSON") | null
  /** Limits of the type and the doctor do not count; for API keys and administrators */
  over_limit?: boolean | null
  /** Book at this start whatever hours, grid, notice, buffers and limits say, over one taken time at most; needs `doctor_uid`, takes no resources */
  squeeze_in?: boolean | null
}

/** Nothing can be booked on the date */
export type NewDayOff = {
  /** UTC midnight of a date, Unix seconds */
  date: number
  /** true: nothing can be booked on the date */
  day_off: true
  /** One appointment type; null means all */
  appointment_type_uid?: string | null
}

/** Other hours than the weekly rules */
export type NewWindow = {
  /** UTC midnight of a date, Unix seconds */
  date: number
  /** true: nothing can be booked on the date */
  day_off?: false | null
  /** Minutes from midnight; null for a day off */
  start_time: number
  /** Minutes from midnight; null for a day off */
  end_time: number
  /** Buffer between appointments, minutes */
  buffer_minutes?: number | null
  /** One appointment type; null means all */
  appointment_type_uid?: string | null
}

/** One kind of events */
export type NewSubscriptionToOne = {
  /** Events that are sent; either this or notification_types */
  notification_type: "PATIENT_DOCTOR_MEETING_UPDATED" | "REBOOKED" | "APPOINTMENT_REMINDER_DUE" | "PATIENT_CREATED" | "SUBSCRIPTION_FAILING" | "PRESCRIPTION_RENDERED" | "RECALL_DUE" | "TIMES_OFFERED" | "BUSY_SOURCE_FAILING" | "CALENDAR_CONNECTION_FAILING" | "WAITLIST_OFFERED" | "WAITLIST_ACCEPTED" | "WAITLIST_PAUSED" | "PATIENT_MERGED" | "PATIENT_EXPORTED" | "PATIENT_ERASED" | "REQUEST_CREATED" | "REQUEST_ANSWERED" | "REQUEST_RUNNING_OUT" | "REQUEST_CLOSED" | "DOCTOR_LATE" | "WAITING"
  /** 1 to 2048 characters */
  url: string
}

/** Several kinds of events */
export type NewSubscriptionToSeveral = {
  /** Several kinds of events; instead of notification_type */
  notification_types: ReadonlyArray<"PATIENT_DOCTOR_MEETING_UPDATED" | "REBOOKED" | "APPOINTMENT_REMINDER_DUE" | "PATIENT_CREATED" | "SUBSCRIPTION_FAILING" | "PRESCRIPTION_RENDERED" | "RECALL_DUE" | "TIMES_OFFERED" | "BUSY_SOURCE_FAILING" | "CALENDAR_CONNECTION_FAILING" | "WAITLIST_OFFERED" | "WAITLIST_ACCEPTED" | "WAITLIST_PAUSED" | "PATIENT_MERGED" | "PATIENT_EXPORTED" | "PATIENT_ERASED" | "REQUEST_CREATED" | "REQUEST_ANSWERED" | "REQUEST_RUNNING_OUT" | "REQUEST_CLOSED" | "DOCTOR_LATE" | "WAITING">
  /** 1 to 2048 characters */
  url: string
}

/** Something new is booked */
export type NewSessionForBooking = {
  /** Whether something new is booked, an appointment is moved, or neither */
  mode: "booking"
  appointment_type_uid: string
  /** Unix seconds */
  from: number
  /** Unix seconds */
  to: number
  return_url?: string | null
  /** The patient's booking token, where it is not sent in its header */
  booking_token?: string | null
}

/** An appointment is moved; its type, and the 31 days from now on, unless others are named */
export type NewSessionForRebooking = {
  /** Whether something new is booked, an appointment is moved, or neither */
  mode: "rebooking"
  appointment_type_uid?: string | null
  /** The appointment to replace; required for rebooking */
  appointment_uid: string
  /** Unix seconds */
  from?: number | null
  /** Unix seconds */
  to?: number | null
  return_url?: string | null
  /** The patient's booking token, where it is not sent in its header */
  booking_token?: string | null
}

/** No time is booked in it */
export type NewSessionWithoutTime = {
  /** Whether something new is booked, an appointment is moved, or neither */
  mode: "request"
  return_url?: string | null
  /** The patient's booking token, where it is not sent in its header */
  booking_token?: string | null
}

/** The customer is asked to pay */
export type NewPrescriptionCheckout = {
  /** From a reservation: that draft order is updated, no checkout is created, `checkout_type` is ignored */
  reserved_draft_order_id?: null
  /** Signed prescriptions */
  prescriptions?: ReadonlyArray<{
    /** 1 to 255 characters */
    id: string
    /** Signed PDF in base64, at most 10 MiB decoded; with or without line breaks and a data: prefix */
    pdf_base64: string
  }> | null
  /** Ordered articles */
  lines: ReadonlyArray<{
    sku_uid: string
    /** Units */
    quantity: number
    /** The `id` of the prescription that the line belongs to; null without one */
    prescription_id?: string | null
  }>
  patient_data: CheckoutPatient
  /** Contact data of the buyer */
  buyerIdentity?: BuyerIdentity | null
  /** How the customer gets the checkout */
  checkout_type?: ("checkout_link" | "draft_order") | null
  /** Whether it was paid already; shown on the order */
  prepaid?: boolean | null
  /** The caller's identifier of the order */
  external_order_id?: string | null
  /** Way and price of delivery; shown on the order */
  delivery?: ({
    /** At most 2000 characters; blank counts as none */
    delivery_type?: string | null
    /** Cents */
    delivery_price?: number | null
  }) | null
  /** A payment that was made already; shown on the order */
  transaction?: ({
    /** At most 2000 characters; blank counts as none */
    transaction_id?: string | null
    /** Cents */
    transaction_amount?: number | null
  }) | null
  /** Ignored with `checkout_link` */
  billing_address?: CheckoutAddress | null
  /** Ignored with `checkout_link` */
  shipping_address?: CheckoutAddress | null
}

/** Prescriptions without articles to order */
export type NewPrescriptionsAlone = {
  /** From a reservation: that draft order is updated, no checkout is created, `checkout_type` is ignored */
  reserved_draft_order_id?: null
  /** Signed prescriptions */
  prescriptions: ReadonlyArray<{
    /** 1 to 255 characters */
    id: string
    /** Signed PDF in base64, at most 10 MiB decoded; with or without line breaks and a data: prefix */
    pdf_base64: string
  }>
  /** Ordered articles */
  lines?: (ReadonlyArray<{
    sku_uid: string
    /** Units */
    quantity: number
    /** The `id` of the prescription that the line belongs to; null without one */
    prescription_id?: string | null
  }>) | null
  patient_data: CheckoutPatient
  /** Contact data of the buyer */
  buyerIdentity?: BuyerIdentity | null
  /** How the customer gets the checkout */
  checkout_type?: ("checkout_link" | "draft_order") | null
  /** Whether it was paid already; shown on the order */
  prepaid?: boolean | null
  /** The caller's identifier of the order */
  external_order_id?: string | null
  /** Way and price of delivery; shown on the order */
  delivery?: ({
    /** At most 2000 characters; blank counts as none */
    delivery_type?: string | null
    /** Cents */
    delivery_price?: number | null
  }) | null
  /** A payment that was made already; shown on the order */
  transaction?: ({
    /** At most 2000 characters; blank counts as none */
    transaction_id?: string | null
    /** Cents */
    transaction_amount?: number | null
  }) | null
  /** Ignored with `checkout_link` */
  billing_address?: CheckoutAddress | null
  /** Ignored with `checkout_link` */
  shipping_address?: CheckoutAddress | null
}

/** A draft order of which the customer is not told */
export type NewPrescriptionDraftOrder = {
  /** From a reservation: that draft order is updated, no checkout is created, `checkout_type` is ignored */
  reserved_draft_order_id?: null
  /** Signed prescriptions */
  prescriptions?: ReadonlyArray<{
    /** 1 to 255 characters */
    id: string
    /** Signed PDF in base64, at most 10 MiB decoded; with or without line breaks and a data: prefix */
    pdf_base64: string
  }> | null
  /** Ordered articles */
  lines: ReadonlyArray<{
    sku_uid: string
    /** Units */
    quantity: number
    /** The `id` of the prescription that the line belongs to; null without one */
    prescription_id?: string | null
  }>
  patient_data: CheckoutPatient
  /** Contact data of the buyer */
  buyerIdentity: BuyerIdentity
  /** How the customer gets the checkout */
  checkout_type: "draft_order_without_checkout_request"
  /** Whether it was paid already; shown on the order */
  prepaid?: boolean | null
  /** The caller's identifier of the order */
  external_order_id?: string | null
  /** Way and price of delivery; shown on the order */
  delivery?: ({
    /** At most 2000 characters; blank counts as none */
    delivery_type?: string | null
    /** Cents */
    delivery_price?: number | null
  }) | null
  /** A payment that was made already; shown on the order */
  transaction?: ({
    /** At most 2000 characters; blank counts as none */
    transaction_id?: string | null
    /** Cents */
    transaction_amount?: number | null
  }) | null
  /** Ignored with `checkout_link` */
  billing_address?: CheckoutAddress | null
  /** Ignored with `checkout_link` */
  shipping_address?: CheckoutAddress | null
}

/** A reserved draft order is updated */
export type ReservedPrescriptionCheckout = {
  /** From a reservation: that draft order is updated, no checkout is created, `checkout_type` is ignored */
  reserved_draft_order_id: string
  /** Signed prescriptions */
  prescriptions?: ReadonlyArray<{
    /** 1 to 255 characters */
    id: string
    /** Signed PDF in base64, at most 10 MiB decoded; with or without line breaks and a data: prefix */
    pdf_base64: string
  }> | null
  /** Ordered articles */
  lines?: (ReadonlyArray<{
    sku_uid: string
    /** Units */
    quantity: number
    /** The `id` of the prescription that the line belongs to; null without one */
    prescription_id?: string | null
  }>) | null
  patient_data: CheckoutPatient
  /** Contact data of the buyer */
  buyerIdentity?: BuyerIdentity | null
  /** Whether it was paid already; shown on the order */
  prepaid?: boolean | null
  /** The caller's identifier of the order */
  external_order_id?: string | null
  /** Way and price of delivery; shown on the order */
  delivery?: ({
    /** At most 2000 characters; blank counts as none */
    delivery_type?: string | null
    /** Cents */
    delivery_price?: number | null
  }) | null
  /** A payment that was made already; shown on the order */
  transaction?: ({
    /** At most 2000 characters; blank counts as none */
    transaction_id?: string | null
    /** Cents */
    transaction_amount?: number | null
  }) | null
  /** Ignored with `checkout_link` */
  billing_address?: CheckoutAddress | null
  /** Ignored with `checkout_link` */
  shipping_address?: CheckoutAddress | null
}

/** The customer is asked to pay */
export type NewTreatmentCheckout = {
  /** Ordered articles */
  lines: ReadonlyArray<{
    sku_uid: string
    /** Units */
    quantity: number
    /** The patient's questionnaire; null without one */
    anamnesis_id?: string | null
  }>
  /** Contact data of the buyer */
  buyerIdentity?: BuyerIdentity | null
  /** How the customer gets the checkout */
  checkout_type?: ("checkout_link" | "draft_order") | null
}

/** A draft order of which the customer is not told */
export type NewTreatmentDraftOrder = {
  /** Ordered articles */
  lines: ReadonlyArray<{
    sku_uid: string
    /** Units */
    quantity: number
    /** The patient's questionnaire; null without one */
    anamnesis_id?: string | null
  }>
  /** Contact data of the buyer */
  buyerIdentity: BuyerIdentity
  /** How the customer gets the checkout */
  checkout_type: "draft_order_without_checkout_request"
}

/** Moves the clock by a duration */
export type ClockAdvance = {
  /** Seconds forward */
  advance_seconds: number
}

/** Moves the clock to an instant */
export type ClockTime = {
  /** Not before the present time */
  now: number
}

/** A new or changed override */
export type PreviewOfOverride = {
  /** The new or changed override; if omitted, `override_uid` is deleted */
  override: {
    /** UTC midnight of a date, Unix seconds */
    date: number
    /** true: nothing can be booked on the date */
    day_off?: boolean | null
    /** Minutes from midnight; null for a day off */
    start_time?: number | null
    /** Minutes from midnight; null for a day off */
    end_time?: number | null
    /** Buffer between appointments, minutes */
    buffer_minutes?: number | null
    /** One appointment type; null means all */
    appointment_type_uid?: string | null
  }
  /** The override to change or delete; if omitted, a new one is created */
  override_uid?: string | null
}

/** An override is deleted */
export type PreviewOfDeletion = {
  /** The new or changed override; if omitted, `override_uid` is deleted */
  override?: null
  /** The override to change or delete; if omitted, a new one is created */
  override_uid: string
}

/** Stable machine-readable code */
export type ProblemCode = "already_used" | "anamnesis_required" | "appointment_cancelled" | "appointment_completed" | "appointment_expired" | "appointment_held" | "appointment_no_show" | "appointment_not_started" | "body_too_large" | "both_have_accounts" | "doctor_has_appointments" | "draft_order_completed" | "files_off" | "forbidden" | "form_in_use" | "has_anamnesis" | "idempotency_key_reused" | "in_progress" | "intake_missing" | "internal" | "invalid_request" | "line_already_prescribed" | "malformed_json" | "method_not_allowed" | "no_pharmacy" | "not_cancellable" | "not_confirmable" | "not_confirmed" | "not_found" | "not_possible_any_more" | "not_rendered" | "not_waiting_for_doctor" | "nothing_to_undo" | "number_changed" | "order_changed" | "order_not_paid" | "order_not_shipped" | "overloaded" | "patient_restricted" | "precondition_failed" | "prescription_already_accepted" | "prescription_not_signed" | "prescription_not_usable" | "reminder_exists" | "rendered_again" | "reopening_too_late" | "request_closed" | "reservation_expired" | "slot_taken" | "status_not_allowed" | "storefront_refused" | "storefront_unavailable" | "subscription_inactive" | "token_audience" | "token_expired" | "token_key_unknown" | "token_malformed" | "token_not_yet_valid" | "token_shop_unknown" | "token_signature" | "token_too_long" | "too_many_appointments" | "too_many_entries" | "too_many_files" | "too_many_guests" | "too_many_holds" | "too_many_open_requests" | "too_many_requests" | "too_many_subscriptions" | "unauthenticated" | "unavailable" | "unknown_route" | "unsupported_media_type" | "waitlist_entry_over"

export type Problem = {
  /** What went wrong and what to do */
  error: string
  code: ProblemCode
  /** Identifies this request in the service's logs and traces */
  trace_id: string
}

export type InvalidRequest = {
  /** Every error, as `field: message`; nested fields as `lines[0].quantity` */
  error: ReadonlyArray<string>
  code: ProblemCode
  /** Identifies this request in the service's logs and traces */
  trace_id: string
}
