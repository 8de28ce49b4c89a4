/** The port to servers of calendars: files that are read, and CalDAV (RFC 4791). Rule 3.12. */
import { Context, Data, type Effect } from "effect"
import type { AddressRefused } from "../../../services/addresses.ts"
import type { ReadingFault, ReadingNotice } from "../schemas/BusySource.ts"

/** The server does not do what was asked. */
export class CalendarFailed extends Data.TaggedError("CalendarFailed")<{
  readonly fault: ReadingFault
  /** Of the answer, where there is one. */
  readonly status?: number
  /** Seconds for which the server asks to be left alone, where it does. */
  readonly rest?: number | undefined
}> {}

/** An address with the credentials for it; null: none. */
export interface CalendarAccess {
  readonly url: string
  readonly username: string | null
  readonly password: string | null
}

export interface CalendarRequest extends CalendarAccess {
  readonly kind: "ics" | "caldav"
  /** Tag of the last reading's content, if there is any: a calendar that still has it is not read again. */
  readonly tag: string | null
  /** IANA zone of all-day events and of floating times. */
  readonly timezone: string
  /** The period whose ranges are wanted, `[from, to)`, Unix seconds. */
  readonly from: number
  readonly to: number
  /** Events in `[now, now + 28 days)` are counted. */
  readonly now: number
  readonly all_day_blocks: boolean
  /** UIDs of the service's own events: they do not count. Default: none. */
  readonly own?: ReadonlyArray<string>
}

export interface CalendarContent {
  /** start, end, start, end …: disjoint, ascending, Unix seconds. */
  readonly ranges: ReadonlyArray<number>
  /** Blocking events in the next four weeks, and the all-day ones among them, whether or not these block. */
  readonly events: number
  readonly all_day_events: number
  /** Events of which something could not be read. */
  readonly skipped_events: number
  /** What the reading leaves to be said; `detail`: a property and the start of its event, or a zone's name. */
  readonly notice: typeof ReadingNotice.Type | null
  readonly tag: string | null
  /** The service's own events among these: when they start, Unix seconds. */
  readonly own: ReadonlyArray<{ readonly uid: string; readonly start: number }>
}

export interface ServerRequest {
  readonly method: "GET" | "PUT" | "DELETE" | "PROPFIND" | "REPORT"
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}
export interface ServerAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}

export class CalendarServers extends Context.Tag("calendars/CalendarServers")<
  CalendarServers,
  {
    /** Whether the address may be read: http(s), and not in a private network unless allowed. */
    readonly examine: (url: string) => Effect.Effect<void, AddressRefused>
    /** `unchanged` if the content still has the request's tag. */
    readonly read: (request: CalendarRequest) => Effect.Effect<CalendarContent | "unchanged", CalendarFailed>
    /** The calendars of a CalDAV account, or the one at the address. */
    readonly collections: (
      access: CalendarAccess
    ) => Effect.Effect<ReadonlyArray<{ readonly href: string; readonly name: string }>, CalendarFailed>
    /** An answer of any status but 401, 429 and those of 500 and over. */
    readonly send: (access: CalendarAccess, request: ServerRequest) => Effect.Effect<ServerAnswer, CalendarFailed>
  }
>() {}
