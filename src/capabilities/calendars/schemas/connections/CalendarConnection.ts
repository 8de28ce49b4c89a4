/** Calendars of a doctor at Microsoft, Google or a CalDAV server, read and written (Rule 3.15). */
import { Schema, Struct } from "effect"
import { NotFoundError } from "../../../../schemas/DomainError.ts"
import {
  body,
  described,
  Flag,
  listOf,
  Opaque,
  oneOf,
  optional,
  UnixSeconds,
  withExample
} from "../../../../schemas/fields.ts"
import { AppointmentUid, uid } from "../../../../schemas/ids.ts"
import { statusIn } from "../BusySource.ts"

export class CalendarConnectionNotFound extends NotFoundError("CalendarConnectionNotFound", "Calendar connection") {}

export const CalendarConnectionUid = uid("CalendarConnectionUid", "ccn")
export type CalendarConnectionUid = typeof CalendarConnectionUid.Type

export const providers = ["microsoft", "google", "caldav"] as const
export type ProviderName = (typeof providers)[number]
/** Those at which the doctor allows it by a page of theirs. */
export const grantingProviders = ["microsoft", "google"] as const
export type GrantingProvider = (typeof grantingProviders)[number]

const Id = Opaque(1_024).annotations({
  description: "The provider's identifier of the calendar",
  examples: ["primary"]
})
const reads = described(Flag, "Whether its busy times are read; never titles")
const writes = described(Flag, "Whether appointments are written into it; one at most")

export const ConnectedCalendar = Schema.Struct({
  id: Id,
  name: Schema.String.annotations({ description: "As the provider has it", examples: ["Calendar"] }),
  reads,
  writes
}).annotations({ identifier: "ConnectedCalendar" })
export type ConnectedCalendar = typeof ConnectedCalendar.Type

const provider = described(oneOf(...providers), "Where the calendars are kept")

export const CalendarConnection = Schema.Struct({
  uid: CalendarConnectionUid,
  provider,
  account: Schema.String.annotations({
    description: "The account at the provider, or the user name",
    examples: ["ada@example.org"]
  }),
  calendars: described(Schema.Array(ConnectedCalendar), "The calendars of the account"),
  status: statusIn("contact"),
  last_error: Schema.NullOr(Schema.String).annotations({
    description: "Why the last contact failed, and what to do",
    examples: ["The permission was withdrawn: connect the calendar again"]
  }),
  last_read_at: described(Schema.NullOr(UnixSeconds), "Last successful reading"),
  last_write_at: described(Schema.NullOr(UnixSeconds), "Last entry written, changed or removed"),
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}).annotations({ identifier: "CalendarConnection" })
export type CalendarConnection = typeof CalendarConnection.Type

const absent = Schema.optionalWith(Schema.NullOr(Opaque(2_048)), { exact: true })
export const NewCalendarConnection = withExample(
  body({
    provider: described(oneOf(...providers), "`microsoft` and `google` where the service has their settings"),
    url: absent.annotations({ description: "Of `caldav`: address of the calendar, or of the account's calendars" }),
    username: absent.annotations({ description: "Of `caldav`" }),
    password: absent.annotations({ description: "Of `caldav`; never returned" })
  }),
  { provider: "google" }
)
export type NewCalendarConnection = typeof NewCalendarConnection.Type

/** The attempt to connect, or the connection. */
export const CreatedConnection = Schema.Union(
  CalendarConnection,
  Schema.Struct({
    uid: CalendarConnectionUid,
    authorize_url: described(Schema.String, "The provider's page where the doctor allows it, within ten minutes")
  }).annotations({ identifier: "CalendarConnectionAttempt" })
)
export type CreatedConnection = typeof CreatedConnection.Type

export const OfferedProvider = Schema.Struct({
  provider: described(oneOf(...grantingProviders), "As in `POST` of a connection")
}).annotations({ identifier: "OfferedCalendarProvider" })

export const CalendarConnectionChanges = body({
  calendars: listOf(
    Schema.Struct({
      id: Id,
      reads: optional(reads),
      writes: optional(writes)
    }),
    { max: 250, description: "Only named calendars and sent fields change" }
  ).pipe(optional)
})
export type CalendarConnectionChanges = typeof CalendarConnectionChanges.Type

/** Why a contact failed, as stored; the sentence is what a doctor reads. */
export const connectionFaults = {
  grant: "The permission was withdrawn: connect the calendar again",
  throttled: "The provider asks for fewer requests: it goes on by itself",
  unreachable: "The provider does not answer: it is tried again",
  refused: "The provider refuses the request: it is tried again",
  gone: "The calendar is no longer there: choose another one"
} as const
export type ConnectionFault = keyof typeof connectionFaults
export const ConnectionFault = Schema.Literal(...Struct.keys(connectionFaults))

/** What of an appointment stands in the doctor's own calendar. */
export const CalendarEntryState = Schema.Literal("none", "waiting", "written", "missing", "failing").annotations({
  description:
    "The appointment in the doctor's own calendar. `none`: none is written. `missing`: the doctor removed it there. `failing`: it could not be written for an hour"
})

export class CalendarEntryNotFound extends NotFoundError("CalendarEntryNotFound", "Calendar entry") {}

export const DifferingEntry = Schema.Struct({
  appointment_uid: AppointmentUid,
  start_date: described(UnixSeconds, "Of the appointment"),
  end_date: described(UnixSeconds, "Of the appointment"),
  state: CalendarEntryState,
  calendar_start_date: described(Schema.NullOr(UnixSeconds), "Its start there; null: it was not moved there")
}).annotations({ identifier: "DifferingCalendarEntry" })
export type DifferingEntry = typeof DifferingEntry.Type
