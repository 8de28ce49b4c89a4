/** Slot search, holds and confirmation (Rules 3.8, 4.3 to 4.5). */
import { Schema } from "effect"
import {
  body,
  Count,
  described,
  EXAMPLE_TIME,
  integer,
  later,
  listOf,
  memberOf,
  Opaque,
  oneOf,
  optional,
  optionalReason,
  TimeZone,
  UnixSeconds,
  withDefault,
  withExample
} from "../fields.ts"
import { withForms } from "../forms.ts"
import {
  AppointmentTypeUid,
  AppointmentUid,
  BookingSessionUid,
  DoctorUid,
  lookedUp,
  optionalUid,
  ShopUid
} from "../ids.ts"
import { isAbsent, withRules } from "../rules.ts"
import { DAY } from "../seconds.ts"
import { AppointmentStatus } from "./AppointmentStates.ts"

const search = withExample(
  body({
    shop_uid: ShopUid,
    appointment_type_uid: AppointmentTypeUid,
    from: UnixSeconds,
    to: UnixSeconds.annotations({
      description: "Unix seconds; at most 31 days after from",
      examples: [UnixSeconds.make(EXAMPLE_TIME + 7 * DAY)]
    }),
    doctor_uid: optionalUid(DoctorUid),
    doctor_uids: optional(
      listOf(DoctorUid, { max: 100, description: "Slots of these doctors alone; not together with doctor_uid" })
    ),
    limit: optional(integer(1, 10_000, "The first so many slots alone")),
    timezone: withDefault(TimeZone, TimeZone.make("Europe/Berlin"))
  }),
  {
    shop_uid: "shop_demo",
    appointment_type_uid: "aty_demo_consultation",
    from: EXAMPLE_TIME,
    to: EXAMPLE_TIME + 7 * DAY,
    doctor_uids: ["doc_demo_1", "doc_demo_2"],
    limit: 100,
    timezone: "Europe/Berlin"
  }
)

export const SlotSearch = withRules(search, [
  ({ doctor_uid, doctor_uids }) =>
    isAbsent(doctor_uid) || isAbsent(doctor_uids)
      ? []
      : [{ field: "doctor_uids", message: "cannot be sent together with doctor_uid" }]
])
export type SlotSearch = typeof SlotSearch.Type

export const Slot = Schema.Struct({
  doctor_uid: DoctorUid,
  doctor_name: described(Schema.String, "Name of the doctor"),
  start_date: UnixSeconds,
  end_date: UnixSeconds.annotations({ examples: [UnixSeconds.make(EXAMPLE_TIME + 1200)] }),
  timezone: described(Schema.String, "IANA zone in which the local times are rendered"),
  start_local: Schema.String.annotations({
    description: "ISO 8601 with offset",
    examples: ["2035-01-08T09:00:00+01:00"]
  }),
  end_local: Schema.String.annotations({
    description: "ISO 8601 with offset",
    examples: ["2035-01-08T09:20:00+01:00"]
  }),
  seats_left: Schema.optionalWith(Schema.Int, { exact: true }).annotations({
    description: "Seats left at the start; only of types with several seats",
    examples: [12]
  })
}).annotations({ identifier: "Slot" })

const coreModes = ["booking", "rebooking"] as const
export const SessionMode = oneOf(...coreModes)

/** By mode, the page below a session's to which its launch code leads. */
export type SessionModes = Readonly<Record<string, `/${string}`>>
const addedModes = new Map<string, SessionModes[string]>()
/** Adds modes of a capability. Called at start. */
export const addSessionModes = (modes: SessionModes) => {
  for (const [mode, page] of Object.entries(modes)) addedModes.set(mode, page)
}
/** The page of a mode that a capability has added; undefined for the core's own. */
export const pageOfMode = (mode: string) => addedModes.get(mode)
const AnyMode = memberOf<string>(() => [...coreModes, ...addedModes.keys()])
const MODE = "Whether something new is booked, an appointment is moved, or neither"

const newBookingSession = withExample(
  body({
    mode: described(AnyMode, MODE),
    appointment_type_uid: optionalUid(AppointmentTypeUid),
    appointment_uid: described(optionalUid(AppointmentUid), "The appointment to replace; required for rebooking"),
    from: optional(UnixSeconds),
    to: optional(UnixSeconds).annotations({
      examples: [UnixSeconds.make(EXAMPLE_TIME + 7 * DAY)]
    }),
    return_url: Schema.optionalWith(Schema.NullOr(Opaque(2048)), { exact: true }).annotations({
      description: "Where the patient goes after booking; null without one",
      examples: ["https://example.org/booked"]
    }),
    booking_token: optional(lookedUp(8_192, "The patient's booking token")).annotations({
      description: "The patient's booking token, where it is not sent in its header",
      examples: ["eyJhbGciOiJIUzI1NiIsImtpZCI6ImJ0c19kZW1vIn0…"]
    })
  }),
  {
    mode: "booking",
    appointment_type_uid: "aty_demo_consultation",
    from: EXAMPLE_TIME,
    to: EXAMPLE_TIME + 7 * DAY,
    return_url: "https://example.org/booked"
  }
)
export const NewBookingSession = withForms(newBookingSession, () => [
  {
    name: "NewSessionForBooking",
    description: "Something new is booked",
    fixed: { mode: ["booking"] },
    required: ["appointment_type_uid", "from", "to"],
    without: ["appointment_uid"]
  },
  {
    name: "NewSessionForRebooking",
    description: "An appointment is moved; its type, and the 31 days from now on, unless others are named",
    fixed: { mode: ["rebooking"] },
    required: ["appointment_uid"]
  },
  ...(addedModes.size === 0
    ? []
    : [
        {
          name: "NewSessionWithoutTime",
          description: "No time is booked in it",
          fixed: { mode: [...addedModes.keys()] },
          without: ["appointment_type_uid", "appointment_uid", "from", "to"]
        }
      ])
])
export type NewBookingSession = typeof NewBookingSession.Type

export const BookingSessionCreated = Schema.Struct({
  booking_launch_code: Schema.String.annotations({
    description: "The only credential of the session",
    examples: ["blc_example"]
  }),
  expires_at: UnixSeconds,
  launch_url: Schema.String.annotations({
    description: "Address of the hosted booking page, which carries the launch code",
    examples: ["https://sprechstunde.example/meet/booking/blc_example"]
  })
}).annotations({ identifier: "BookingSessionCreated" })
export type BookingSessionCreated = typeof BookingSessionCreated.Type

/** The session, for the holder of its launch code: without patient data. */
export const BookingSessionContext = Schema.Struct({
  uid: BookingSessionUid,
  shop_uid: ShopUid,
  appointment_type_uid: AppointmentTypeUid,
  appointment_type: Schema.Struct({
    uid: AppointmentTypeUid,
    name: described(Schema.String, "Name of the appointment type"),
    duration_minutes: Count.annotations({ description: "Minutes", examples: [20] })
  }).annotations({ description: "The type that is booked" }),
  start_from: UnixSeconds,
  start_to: UnixSeconds.annotations({ examples: [UnixSeconds.make(EXAMPLE_TIME + 7 * DAY)] }),
  mode: described(SessionMode, "Whether something new is booked or an appointment is moved"),
  return_url: Schema.NullOr(Schema.String).annotations({
    description: "Where the patient goes after booking; null without one",
    examples: ["https://example.org/booked"]
  }),
  expires_at: UnixSeconds
}).annotations({ identifier: "BookingSessionContext" })

/** Null in a session in which no time is booked. */
const unlessNoTime = <S extends Schema.Schema.AnyNoContext>(schema: S) =>
  Schema.Union(schema, ...(addedModes.size === 0 ? [] : [Schema.Null]))
const anyContext = () => {
  const { appointment_type_uid, appointment_type, start_from, start_to } = BookingSessionContext.fields
  return Schema.Struct({
    ...BookingSessionContext.fields,
    appointment_type_uid: unlessNoTime(appointment_type_uid),
    appointment_type: unlessNoTime(appointment_type),
    start_from: unlessNoTime(start_from),
    start_to: unlessNoTime(start_to),
    mode: described(AnyMode, MODE)
  })
}
type AnyContext = ReturnType<typeof anyContext>
export type AnySessionContext = AnyContext["Type"]
/** The same with the modes that capabilities add. */
export const AnySessionContext: Schema.Schema<AnySessionContext, AnyContext["Encoded"]> = later(
  "BookingSessionContext",
  anyContext
)

export const NewHold = body({
  doctor_uid: DoctorUid,
  appointment_type_uid: AppointmentTypeUid,
  start_date: UnixSeconds,
  visit_reason: described(optionalReason, "If omitted in a rebooking session: that of the appointment to replace")
})
export type NewHold = typeof NewHold.Type

/** A booking without a hold in a session, for the session's type. */
export const NewBooking = withExample(
  body({
    doctor_uid: described(
      optionalUid(DoctorUid),
      "If omitted: the free doctor with the fewest appointments on that day; required where patients choose the doctor"
    ),
    start_date: UnixSeconds,
    visit_reason: NewHold.fields.visit_reason
  }),
  { start_date: EXAMPLE_TIME, visit_reason: "Follow-up on blood pressure" }
)
export type NewBooking = typeof NewBooking.Type

export const IgnoredProfileFields = Schema.optionalWith(Schema.Array(Schema.String), { exact: true }).annotations({
  description: "Profile fields of the token or the request whose values could not be used; absent without any",
  examples: [["phone"]]
})

export const Hold = Schema.Struct({
  hold_uid: AppointmentUid,
  expires_at: UnixSeconds,
  ttl_seconds: Count.annotations({ description: "Seconds that the hold lasts", examples: [600] }),
  status: described(AppointmentStatus, "`held`; of a repeated request the current status"),
  visit_reason: described(Schema.NullOr(Schema.String), "Why the patient comes; null when not given"),
  ignored_profile_fields: IgnoredProfileFields
}).annotations({ identifier: "Hold" })
export type Hold = typeof Hold.Type

export const Confirmation = body({
  visit_reason: described(optionalReason, "If omitted: that of the hold; blank: cleared")
})
export type Confirmation = typeof Confirmation.Type

export const Confirmed = Schema.Struct({
  uid: AppointmentUid,
  status: described(Schema.Literal("confirmed"), "Status of the appointment"),
  start_date: UnixSeconds,
  end_date: UnixSeconds.annotations({ examples: [UnixSeconds.make(EXAMPLE_TIME + 1200)] }),
  visit_reason: described(Schema.NullOr(Schema.String), "Why the patient comes; null when not given"),
  ignored_profile_fields: IgnoredProfileFields
}).annotations({ identifier: "ConfirmedAppointment" })
export type Confirmed = typeof Confirmed.Type
