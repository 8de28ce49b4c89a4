/** Periods of time, in Unix seconds. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Disjoint and ascending: start, end, start, end … */
export const joined = (ranges: ReadonlyArray<Range>): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = found.at(-1)
    if (last !== undefined && start <= last) found[found.length - 1] = Math.max(last, end)
    else found.push(start, end)
  }
  return found
}
