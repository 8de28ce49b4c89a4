/** The port for reading a calendar kept elsewhere: only busy ranges come back. */
import { Context, Data, type Effect } from "effect"
import type { AddressRefused } from "../../addresses.ts"

/** Why a calendar cannot be read. */
export type ReadingFault =
  | "refused"
  | "unreachable"
  | "slow"
  | "unauthorised"
  | "not_found"
  | "redirected"
  | "status"
  | "too_large"
  | "not_a_calendar"
  | "cut_short"
  | "sign_in"
  | "encoding"

export interface CalendarRequest {
  readonly kind: "ics" | "caldav"
  readonly url: string
  readonly username: string | null
  readonly password: string | null
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
  readonly notice: { readonly kind: "skipped" | "zone"; readonly detail: string } | null
  readonly tag: string | null
  /** The service's own events among these: when they start, Unix seconds. */
  readonly own: ReadonlyArray<{ readonly uid: string; readonly start: number }>
}

/** The calendar cannot be read now. */
export class CalendarFailed extends Data.TaggedError("CalendarFailed")<{ readonly fault: ReadingFault }> {}

export class CalendarReader extends Context.Tag("scheduling/CalendarReader")<
  CalendarReader,
  {
    /** Whether the address may be read: http(s), and not in a private network unless allowed. */
    readonly examine: (url: string) => Effect.Effect<void, AddressRefused>
    /** `unchanged` if the content still has the request's tag. */
    readonly read: (request: CalendarRequest) => Effect.Effect<CalendarContent | "unchanged", CalendarFailed>
  }
>() {}
