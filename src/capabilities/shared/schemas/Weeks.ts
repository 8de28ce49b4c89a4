/** A range of weeks, for figures by week. */
import { Schema } from "effect"
import { query, queryTime } from "../../../schemas/fields.ts"

/** Maximum weeks in a response. */
export const WEEKS_MAX = 60

const moment = (what: string) => Schema.optionalWith(queryTime(what), { exact: true })

export const WeeksQuery = query({
  from: moment("The week of this second is the first one; by default the one twelve weeks ago"),
  to: moment(`The week of this second is the last one; by default this one. At most ${WEEKS_MAX} weeks`)
})
export type WeeksQuery = typeof WeeksQuery.Type
