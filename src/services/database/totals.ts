/** Totals of paginated lists. */
import { Effect, Schema } from "effect"
import type { Page, Place } from "../../schemas/paging.ts"
import { invalid } from "../../schemas/problems.ts"
import { DAY } from "../../schemas/seconds.ts"

/** Rows that a page is read with: one beyond it, by which it is seen whether there are more. */
export const windowOf = ({ page, limit }: Page) => ({ limit: limit + 1, offset: page * limit })

/**
 * A page of a list, of what was read with one row beyond it. The total follows from the last page of those counted from the
 * start, else `count` is asked.
 */
export const pageOf = <A, P extends Place, E, R, E2, R2>(
  { page, limit, after }: Page<P>,
  read: Effect.Effect<ReadonlyArray<A>, E, R>,
  placeOf: (row: A) => P,
  count: Effect.Effect<{ readonly total: number }, E2, R2>
) =>
  Effect.gen(function* () {
    const found = yield* read
    const rows = found.slice(0, limit)
    const end = rows.at(-1)
    const last = found.length > limit && end !== undefined ? placeOf(end) : null
    const isKnown = after === undefined && last === null && (rows.length > 0 || page === 0)
    const total = isKnown ? page * limit + rows.length : (yield* count).total
    return { rows, last, total, limit }
  })

/** What a page reads besides its rows: how much all of them hold, by which one too large for an answer is known. */
export const Held = { held: Schema.Number }
const HeldRow = Schema.Struct(Held)

/**
 * The rows of a page, unless they hold more than `most` together: then `Invalid`, which names `limit`. Their statement leaves out
 * what they hold in that case, so that it is not read. Rule 2.5.9.
 */
export const ensurePageFits = <A extends typeof HeldRow.Type>(rows: ReadonlyArray<A>, most: number, what: string) => {
  const held = rows[0]?.held ?? 0
  return held > most
    ? invalid("limit", `these records hold ${held} ${what} together, and an answer at most ${most}: ask for fewer`)
    : Effect.succeed(rows.map(({ held: _, ...row }) => row))
}

/** A range of Unix seconds, both ends included; undefined is open. */
export interface Range {
  readonly from: number | undefined
  readonly to: number | undefined
}

/** The whole UTC days of a range, `[first, last)` in days since 1970. */
export const wholeDays = ({ from, to }: Range) => ({
  first: from === undefined ? undefined : Math.ceil(from / DAY),
  last: to === undefined ? undefined : Math.floor((to + 1) / DAY)
})

/** A range within two days, which may hold no whole one, is counted row by row. */
export const isShort = ({ from, to }: Range) => from !== undefined && to !== undefined && to - from < 2 * DAY

/** What of the range lies outside of its whole days. */
export const partialDays = (range: Range): ReadonlyArray<Range> => {
  const { first, last } = wholeDays(range)
  return [
    ...(first === undefined ? [] : [{ from: range.from, to: first * DAY - 1 }]),
    ...(last === undefined ? [] : [{ from: last * DAY, to: range.to }])
  ]
}
