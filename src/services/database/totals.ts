/** Totals of paginated lists. */
import { Effect } from "effect"
import type { Page, Place } from "../../schemas/paging.ts"
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
export const brokenDays = (range: Range): ReadonlyArray<Range> => {
  const { first, last } = wholeDays(range)
  return [
    ...(first === undefined ? [] : [{ from: range.from, to: first * DAY - 1 }]),
    ...(last === undefined ? [] : [{ from: last * DAY, to: range.to }])
  ]
}
