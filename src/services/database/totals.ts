/** Pages and totals of lists. */
import { Effect, Schema } from "effect"
import type { Page, Place } from "../../schemas/paging.ts"
import { invalid } from "../../schemas/problems.ts"
import { DAY } from "../../schemas/seconds.ts"

/** LIMIT and OFFSET of a page, with one extra row that shows whether there is a next page. */
export const windowOf = ({ page, limit }: Page) => ({ limit: limit + 1, offset: page * limit })

/** Rows of a list to read; `reversed`: counted from the end, and in the opposite order. */
export interface Window extends ReturnType<typeof windowOf> {
  readonly reversed: boolean
}

/** A page by number, with one extra row: in the second half of `total` rows it is read from the end, so at most half are skipped. */
export const fromNearerEnd = <A, E, R>(
  { page, limit }: Page,
  total: number,
  read: (window: Window) => Effect.Effect<ReadonlyArray<A>, E, R>
): Effect.Effect<ReadonlyArray<A>, E, R> => {
  const offset = page * limit
  const wanted = Math.min(limit + 1, total - offset)
  if (wanted <= 0) return Effect.succeed([])
  if (offset <= total / 2) return read({ offset, limit: wanted, reversed: false })
  const mirrored = { offset: total - offset - wanted, limit: wanted, reversed: true }
  return Effect.map(read(mirrored), (rows) => rows.toReversed())
}

/**
 * A page of a list, read with one extra row. The total is derived if this is the last page of an offset-based list; otherwise `count` is
 * run.
 */
export const pageOf = <A, P extends Place, E, R, E2, R2>(
  { page, limit, after }: Page<P>,
  read: Effect.Effect<ReadonlyArray<A>, E, R>,
  placeOf: (row: A) => P,
  count: Effect.Effect<number, E2, R2>
) =>
  Effect.gen(function* () {
    const found = yield* read
    const rows = found.slice(0, limit)
    const end = rows.at(-1)
    const last = found.length > limit && end !== undefined ? placeOf(end) : null
    const isKnown = after === undefined && last === null && (rows.length > 0 || page === 0)
    const total = isKnown ? page * limit + rows.length : yield* count
    return { rows, last, total, limit }
  })

/** As `pageOf`, for lists of up to millions of rows: a page by number is read from the nearer end of the list. */
export const longPageOf = <A, P extends Place, E, R, E2, R2>(
  query: Page<P>,
  read: (window: Window) => Effect.Effect<ReadonlyArray<A>, E, R>,
  placeOf: (row: A) => P,
  count: Effect.Effect<number, E2, R2>
) =>
  query.page === 0 || query.after !== undefined
    ? pageOf(query, read({ ...windowOf(query), reversed: false }), placeOf, count)
    : Effect.flatMap(count, (total) => pageOf(query, fromNearerEnd(query, total, read), placeOf, Effect.succeed(total)))

/** Extra column of a page: the summed size of its rows, by which an answer that is too large is detected. */
export const Held = { held: Schema.Number }
const HeldRow = Schema.Struct(Held)

/**
 * The rows of a page, unless their summed size exceeds `most`: then `Invalid` for `limit`, and the statement has not read the large
 * columns. Rule 2.5.9.
 */
export const ensurePageFits = <A extends typeof HeldRow.Type>(rows: ReadonlyArray<A>, most: number, what: string) => {
  const held = rows[0]?.held ?? 0
  return held > most
    ? invalid("limit", `these records hold ${held} ${what} together, and an answer at most ${most}: ask for fewer`)
    : Effect.succeed(rows.map(({ held: _, ...row }) => row))
}

/** A range of Unix seconds, both ends inclusive; undefined is unbounded. */
export interface Range {
  readonly from: number | undefined
  readonly to: number | undefined
}

/** The whole UTC days of a range, `[first, last)` in days since 1970. */
export const wholeDays = ({ from, to }: Range) => ({
  first: from === undefined ? undefined : Math.ceil(from / DAY),
  last: to === undefined ? undefined : Math.floor((to + 1) / DAY)
})

/** A range of under two days, which may contain no whole day, is counted row by row. */
export const isShort = ({ from, to }: Range) => from !== undefined && to !== undefined && to - from < 2 * DAY

/** The parts of the range outside of its whole days. */
export const partialDays = (range: Range): ReadonlyArray<Range> => {
  const { first, last } = wholeDays(range)
  return [
    ...(first === undefined ? [] : [{ from: range.from, to: first * DAY - 1 }]),
    ...(last === undefined ? [] : [{ from: last * DAY, to: range.to }])
  ]
}
