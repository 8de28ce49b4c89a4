/** Totals of paginated lists. */
import { Effect } from "effect"
import type { Page } from "../schemas/paging.ts"
import { DAY } from "../schemas/seconds.ts"

/** Rows in all pages: follows from a page that is the last one, else `count` is asked. */
export const totalOf = <E, R>({ page, limit }: Page, rows: number, count: Effect.Effect<number, E, R>) =>
  rows < limit && (rows > 0 || page === 0) ? Effect.succeed(page * limit + rows) : count

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
