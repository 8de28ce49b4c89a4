/** Appointment types (Rule 7.3.1). */

import { Record, Schema, Struct } from "effect"
import { addedFields } from "../addedFields.ts"
import {
  body,
  changes,
  described,
  Flag,
  integer,
  LanguageTag,
  later,
  listOf,
  Minutes,
  Name,
  OptionalText,
  oneOf,
  UnixSeconds,
  withDefault
} from "../fields.ts"
import { AppointmentTypeUid, OrganisationUid } from "../ids.ts"
import { NewRequirements, NewTypeLimits, Requirements, TypeLimits } from "./Requirements.ts"
import { SpecialtyCode } from "./specialties.ts"

/** Longest duration of a type, minutes. */
export const DURATION_MAX = 1_440

export const MeetingType = oneOf("CONSULTATION", "FOLLOW_UP", "INITIAL", "REVIEW", "ON_DEMAND").annotations({
  description: "What kind of consultation it is"
})
export type MeetingType = typeof MeetingType.Type
/** The meeting type of an appointment without an appointment type. */
export const meetingTypeNames: Readonly<Record<MeetingType, string>> = {
  CONSULTATION: "Consultation",
  FOLLOW_UP: "Follow-up",
  INITIAL: "Initial appointment",
  REVIEW: "Review",
  ON_DEMAND: "On-demand appointment"
}
export const MeetingFormat = described(oneOf("DIGITAL", "IN_PERSON"), "By video or at the practice")
export type MeetingFormat = typeof MeetingFormat.Type
/** As sent with a booking. */
export const wishedFormat = described(
  MeetingFormat,
  "One of the type's formats; if omitted by video, where the type has it"
)
const Formats = listOf(MeetingFormat, {
  min: 1,
  max: 2,
  description: "How it takes place; no other format is offered or booked",
  example: ["DIGITAL", "IN_PERSON"]
}).pipe(Schema.filter((all) => new Set(all).size === all.length, { message: () => "must not name a format twice" }))
/** The format of an appointment for which none is wished: by video where the type offers it. Rule 7.3.5. */
export const standardFormat = (formats: ReadonlyArray<MeetingFormat>): MeetingFormat =>
  formats.includes("DIGITAL") ? "DIGITAL" : "IN_PERSON"
export const RoomStrategy = oneOf("persistent_per_provider", "per_appointment").annotations({
  description: "One video room per doctor, or one per appointment"
})
export const RebookingMode = oneOf("same_doctor_only", "any_doctor_same_organisation").annotations({
  description: "Whether a moved appointment stays with its doctor"
})
export const DoctorAssignmentMode = oneOf("all_available_doctors", "selected_doctors_only").annotations({
  description: "Every doctor with availability, or only those with an active setting of their own"
})
export const DoctorChoice = oneOf("any", "patient").annotations({
  description: "`patient`: patients choose the doctor, so that a booking names one; `any`: one can be chosen for them"
})

/** Longest buffer of a type, minutes. */
export const BUFFER_MAX = 240
const typeBuffer = (what: string) => integer(0, BUFFER_MAX, what)

/** What patients read about a type. */
const texts = {
  description: OptionalText.annotations({
    description: "What patients read about it; blank counts as none",
    examples: ["For new complaints and questions about your treatment."]
  }),
  preparation: OptionalText.annotations({
    description: "How patients prepare; blank counts as none",
    examples: ["Please have your list of medicines at hand."]
  }),
  cancellation_rule: OptionalText.annotations({
    description: "The rule for cancelling in words; blank counts as none",
    examples: ["Free of charge until 24 hours before."]
  }),
  price: OptionalText.annotations({
    description: "What it costs, as one line; blank counts as none",
    examples: ["Paid by statutory health insurance"]
  })
}

/** Most languages that a type is translated to. */
const TRANSLATIONS_MAX = 20

const Translation = Schema.Struct({
  language: described(LanguageTag, "Language of the texts, BCP 47"),
  name: withDefault(Schema.NullOr(Name).annotations({ description: "Its name; null: the type's own" }), null),
  ...Record.map(texts, (field) => withDefault(field, null))
})

/** Texts in other languages than the practice's; what is null in one is shown as it is in the type. Rule 7.3.4. */
const Translations = listOf(Translation, {
  max: TRANSLATIONS_MAX,
  description: "Name and texts in other languages, for the patients who read them; null: the type's own",
  example: [{ language: "tr", name: "Görüntülü görüşme", preparation: "Lütfen ilaç listenizi hazır bulundurun." }]
}).pipe(
  Schema.filter((all) => {
    const at = all.findIndex(({ language }, i) => all.findIndex((other) => other.language === language) < i)
    return at === -1 ? true : { path: [at, "language"], message: "is there already" }
  })
)

/** The fields that an organisation sets, in create, update and provisioning. */
const fields = {
  name: Name,
  meeting_type: MeetingType,
  duration_minutes: integer(1, DURATION_MAX, "Minutes").annotations({ examples: [20] }),
  hold_ttl_seconds: integer(1, 86_400, "Lifetime of a tentative hold, seconds").annotations({ examples: [600] }),
  room_strategy: RoomStrategy,
  rebooking_mode: RebookingMode,
  booking_min_notice_minutes: Minutes("Least notice for booking, minutes; a doctor's own value wins"),
  cancellation_min_notice_minutes: Minutes("Least notice for cancelling, minutes"),
  rebooking_min_notice_minutes: Minutes("Least notice for rebooking, minutes"),
  doctor_assignment_mode: DoctorAssignmentMode,
  doctor_choice: DoctorChoice,
  allow_patient_rebooking: described(Flag, "Whether patients may move their own appointments of this type"),
  ...texts,
  translations: Translations,
  requirements: NewRequirements,
  buffer_before_minutes: typeBuffer("Time that the doctor has free before an appointment, minutes"),
  buffer_after_minutes: typeBuffer("Time that the doctor has free after an appointment, minutes"),
  slot_step_minutes: Schema.NullOr(
    integer(5, 240, "Starts at multiples of it from a window's start, minutes")
  ).annotations({
    description: "Starts at multiples of it from a window's start, minutes; null: one after another",
    examples: [15]
  }),
  closed_on_holidays: described(Flag, "Whether it is not offered on holidays"),
  seats: integer(1, 200, "Patients who share a start; with more than 1 it is a group"),
  limits: NewTypeLimits,
  specialty_code: SpecialtyCode,
  formats: Formats,
  active: described(Flag, "Whether it can be booked")
}

/** An appointment type in the management interface. */
export const AppointmentType = Schema.Struct({
  uid: AppointmentTypeUid,
  organisation_uid: OrganisationUid,
  ...fields,
  requirements: Requirements,
  limits: TypeLimits,
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}).annotations({ identifier: "AppointmentType" })
export type AppointmentType = typeof AppointmentType.Type

/** The fields that patients see, those of the presentation last. */
export const PublicAppointmentType = AppointmentType.pick(
  "uid",
  "name",
  "duration_minutes",
  "hold_ttl_seconds",
  "booking_min_notice_minutes",
  "doctor_assignment_mode",
  "allow_patient_rebooking",
  "rebooking_mode",
  "description",
  "preparation",
  "cancellation_rule",
  "price",
  "translations",
  "formats"
)
export type PublicAppointmentType = typeof PublicAppointmentType.Type

const presentation = { ...texts, translations: Translations, formats: Formats }

/** A type in the patients' list; the presentation is there with `include=presentation`. Rule 3.9.2. */
export const ListedAppointmentType = Schema.Struct({
  ...PublicAppointmentType.fields,
  ...Record.map(presentation, (field) => Schema.optionalWith(field, { exact: true }))
}).annotations({ identifier: "PublicAppointmentType" })

export type ListedAppointmentType = typeof ListedAppointmentType.Type

export const withoutPresentation: (type: PublicAppointmentType) => ListedAppointmentType = Struct.omit(
  ...Struct.keys(presentation)
)

export const NewAppointmentType = body(
  Struct.evolve(fields, {
    booking_min_notice_minutes: (field) => withDefault(field, 0),
    cancellation_min_notice_minutes: (field) => withDefault(field, 0),
    rebooking_min_notice_minutes: (field) => withDefault(field, 0),
    doctor_assignment_mode: (field) => withDefault(field, "all_available_doctors"),
    doctor_choice: (field) => withDefault(field, "any"),
    allow_patient_rebooking: (field) => withDefault(field, false),
    description: (field) => withDefault(field, null),
    preparation: (field) => withDefault(field, null),
    cancellation_rule: (field) => withDefault(field, null),
    price: (field) => withDefault(field, null),
    translations: (field) => withDefault(field, []),
    requirements: (field) => withDefault(field, []),
    buffer_before_minutes: (field) => withDefault(field, 0),
    buffer_after_minutes: (field) => withDefault(field, 0),
    slot_step_minutes: (field) => withDefault(field, null),
    closed_on_holidays: (field) => withDefault(field, true),
    seats: (field) => withDefault(field, 1),
    limits: (field) => withDefault(field, []),
    specialty_code: (field) => withDefault(field, "ALLG"),
    formats: (field) => withDefault(field, ["DIGITAL", "IN_PERSON"]),
    active: (field) => withDefault(field, true)
  })
)
export type NewAppointmentType = typeof NewAppointmentType.Type

export const AppointmentTypeChanges = changes(fields)
export type AppointmentTypeChanges = typeof AppointmentTypeChanges.Type

/** Fields that capabilities add to types. */
export const typeFields = addedFields()

/** The same three with the fields that capabilities add. */
export const WholeType: Schema.Schema<AppointmentType, typeof AppointmentType.Encoded> = later("AppointmentType", () =>
  Schema.Struct({ ...AppointmentType.fields, ...typeFields.schemas() })
)
export const NewWholeType: Schema.Schema<NewAppointmentType, typeof NewAppointmentType.Encoded> = later(
  "NewAppointmentType",
  () => body({ ...NewAppointmentType.fields, ...typeFields.withDefaults() })
)
export const WholeTypeChanges: Schema.Schema<AppointmentTypeChanges, typeof AppointmentTypeChanges.Encoded> = later(
  "AppointmentTypeChanges",
  () => changes({ ...fields, ...typeFields.schemas() })
)
