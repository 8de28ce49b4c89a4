/** Busy times of one doctor: disjoint `[start, end)` in Unix seconds, ascending. Made by `busyTimes`. */
export interface Busy {
  readonly starts: Float64Array
  readonly ends: Float64Array
}

/**
 * Merges intervals, given as two parallel lists in order of start, into disjoint ones. Intervals may overlap: a rebooking hold may
 * overlap the appointment that it replaces.
 */
export const busyTimes = (starts: ArrayLike<number>, ends: ArrayLike<number>): Busy => {
  const merged = { starts: new Float64Array(starts.length), ends: new Float64Array(starts.length) }
  let count = 0
  for (let i = 0; i < starts.length; i++) {
    // The casts here and below: valid indices; the loops are too hot for checks
    const start = starts[i] as number
    const end = ends[i] as number
    const before = merged.ends[count - 1]
    if (before !== undefined && start <= before) merged.ends[count - 1] = Math.max(before, end)
    else {
      merged.starts[count] = start
      merged.ends[count] = end
      count++
    }
  }
  return { starts: merged.starts.subarray(0, count), ends: merged.ends.subarray(0, count) }
}

/** Index of the first busy time that ends after `instant`; the number of busy times when none does. */
export const firstEndingAfter = (busy: Busy, instant: number): number => {
  let low = 0
  let high = busy.ends.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((busy.ends[middle] as number) > instant) high = middle
    else low = middle + 1
  }
  return low
}

/** Whether `[start, end)` meets a busy time. */
export const meets = (busy: Busy, start: number, end: number): boolean => {
  const next = busy.starts[firstEndingAfter(busy, start)]
  return next !== undefined && next < end
}
