/** Calendars kept elsewhere, whose events make a doctor busy (Rule 3.12). */
import { Schema, Struct } from "effect"
import { KeptAsIs } from "../../../schemas/compiled.ts"
import { NotFoundError } from "../../../schemas/DomainError.ts"
import {
  body,
  Count,
  changes,
  described,
  Flag,
  Name,
  named,
  Opaque,
  oneOf,
  UnixSeconds,
  withDefault
} from "../../../schemas/fields.ts"
import { DoctorUid, uid } from "../../../schemas/ids.ts"

export class BusySourceNotFound extends NotFoundError("BusySourceNotFound", "Busy source") {}

export const BusySourceUid = uid("BusySourceUid", "bsy")
export type BusySourceUid = typeof BusySourceUid.Type

const URL_IS = "Address of the file or of the collection; http or https. `webcal` is taken as https"
/** `webcal` is what programs write for the address of a calendar that is had by https. */
const Address = Schema.transform(
  Schema.String.annotations({
    message: () => "must be text of 1 to 2048 characters",
    jsonSchema: { type: "string", description: URL_IS, minLength: 1, maxLength: 2_048 }
  }),
  Opaque(2_048),
  { strict: true, decode: (url) => url.replace(/^webcals?:/i, "https:"), encode: (url) => url }
).annotations({
  description: URL_IS,
  examples: ["https://calendar.example.org/private/basic.ics"],
  [KeptAsIs]: true
})

const fields = {
  kind: described(oneOf("ics", "caldav"), "`ics`: a file at an address. `caldav`: a CalDAV collection"),
  name: Name.annotations({ description: "As the doctor calls it", examples: ["Hospital rota"] }),
  url: Address,
  username: Schema.NullOr(Opaque(255)).annotations({
    description: "For HTTP Basic or Digest; null: none",
    examples: ["ada"]
  }),
  all_day_blocks: described(Flag, "Whether all-day events make the day busy"),
  when_stale: oneOf("keep", "close").annotations({
    description:
      "After 24 hours without a successful reading: `keep` goes on with the last times, `close` offers no time of the doctor"
  }),
  active: described(Flag, "Whether it is read and counts")
}
/** `last`: what happened last, as its description says it. */
export const statusIn = (last: string) =>
  Schema.Literal("waiting", "current", "failing").annotations({
    description: `\`waiting\`: not read yet. \`failing\`: the last ${last} failed`
  })
/** Of what was read at a time, or never, and has a fault, or none. */
export const statusOf = (fault: string | null, readAt: number | null) =>
  fault !== null ? "failing" : readAt === null ? "waiting" : "current"

const password = Schema.NullOr(Opaque(1_024)).annotations({
  description: "For HTTP Basic or Digest; never returned",
  examples: ["correct horse"]
})

export const BusySource = Schema.Struct({
  uid: BusySourceUid,
  doctor_uid: DoctorUid,
  ...fields,
  status: statusIn("reading"),
  last_success_at: described(Schema.NullOr(UnixSeconds), "Last successful reading"),
  last_error: Schema.NullOr(Schema.String).annotations({
    description:
      "Why the last reading failed, and what to do. While `status` is `current`: the first of what it could not read (`skipped_events`), or a time zone that is not known",
    examples: ["The server takes too long: try again later"]
  }),
  next_read_at: described(Schema.NullOr(UnixSeconds), "Null while it is not active"),
  events: described(Count, "Events in the four weeks after the last successful reading"),
  all_day_events: described(Count, "All-day events among them"),
  skipped_events: described(
    Count,
    "Events of the calendar that could not be read, or not wholly, at the last successful reading; what of them can be read counts"
  ),
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}).annotations({ identifier: "BusySource" })
export type BusySource = typeof BusySource.Type

export const NewBusySource = body(
  Struct.evolve(
    { ...fields, password },
    {
      username: (field) => withDefault(field, null),
      password: (field) => withDefault(field, null),
      all_day_blocks: (field) => withDefault(field, true),
      when_stale: (field) => withDefault(field, "keep"),
      active: (field) => withDefault(field, true)
    }
  )
)
export type NewBusySource = typeof NewBusySource.Type

export const BusySourceChanges = changes({ ...Struct.omit(fields, "kind"), password })
export type BusySourceChanges = typeof BusySourceChanges.Type

/** One of the provisioning file. */
export const BusySourceEntry = Schema.Struct({
  uid: named(BusySourceUid),
  doctor_uid: named(DoctorUid),
  ...NewBusySource.fields
})
export type BusySourceEntry = typeof BusySourceEntry.Type

/** Why a reading failed, as stored; the sentence is what a doctor reads. */
export const readingFaults = {
  refused: "The address may not be read: use a public http or https address",
  unreachable: "The server does not answer: check the address, or try again later",
  slow: "The server took over 15 seconds: try again later, or share a smaller calendar",
  unauthorised: "The server refuses the user name or the password",
  not_found: "There is nothing at this address: copy the calendar's address again",
  redirected: "The address leads to another one: enter that one",
  status: "The server answers with an error: try again later",
  too_large: "The calendar is too large: at most 10 MB and 50,000 events in the period; share a smaller one",
  not_a_calendar: "The address leads to a page, not to a calendar: use its iCal (ICS) or CalDAV address",
  cut_short: "The calendar arrived incomplete: it is read again",
  sign_in: "The server wants another sign-in than a user name and a password: share the calendar by a secret address",
  encoding: "The server sends the calendar compressed in a way that is not known: use another address"
} as const
export type ReadingFault = keyof typeof readingFaults
export const ReadingFault = Schema.Literal(...Struct.keys(readingFaults))

/** What a successful reading leaves to be said; each is followed by its detail. */
export const readingNotices = {
  skipped: "Some events could not be read and may not be busy; the first",
  zone: "A time zone is not known and is taken for the doctor's own"
} as const
/** `detail` is the same in all languages: a property and the start of its event, or a zone's name. */
export const ReadingNotice = Schema.Struct({ kind: Schema.Literal("skipped", "zone"), detail: Schema.String })
