/** The feed URL with which a doctor's calendar program reads the doctor's appointments (Rule 8.4.7). */
import { Schema } from "effect"
import { described, UnixSeconds } from "../../../schemas/fields.ts"

/** Whether a feed URL exists. */
export const CalendarFeed = Schema.Struct({
  created_at: described(Schema.NullOr(UnixSeconds), "When the address was made; null without one")
}).annotations({ identifier: "CalendarFeed" })

/** A new feed URL: the only response that contains it. */
export const NewCalendarFeed = Schema.Struct({
  url: Schema.String.annotations({
    description: "Secret address of the calendar; whoever has it reads the times",
    examples: ["https://example.org/v1/calendar-feeds/cal_example"]
  }),
  created_at: UnixSeconds
}).annotations({ identifier: "NewCalendarFeed" })
