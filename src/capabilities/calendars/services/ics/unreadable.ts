/** Why a calendar file, or an answer with several, is not read. */
export type Unreadable = "not_a_calendar" | "cut_short" | "too_large"

export class CalendarUnreadable extends Error {
  constructor(readonly reason: Unreadable) {
    super(reason)
  }
}
