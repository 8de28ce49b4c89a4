/**
 * The slots of a page as columns, since an object for each of ten thousand would cost more than finding them. In the order of pages: by
 * start, doctor and type. Rule 20.6.
 */

import { MINUTE } from "../../../schemas/seconds.ts"

/** A doctor and a type, with the doctor's zone. */
export interface Place {
  readonly doctor_uid: string
  readonly type_uid: string
  readonly timezone: string
}

export interface SlotColumns {
  /** By doctor and type. */
  readonly places: ReadonlyArray<Place>
  /** Index into `places`. */
  readonly placeAt: Uint32Array
  /** Unix seconds. */
  readonly starts: Float64Array
  readonly ends: Float64Array
  /** 1: free, 0: busy. */
  readonly isFree: Uint8Array
}

/** The last slot of a page. */
export type Position = readonly [start: number, doctor_uid: string, type_uid: string]

type Pair = Pick<Place, "doctor_uid" | "type_uid">
const textOf = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const byPair = (a: Pair, b: Pair) => textOf(a.doctor_uid, b.doctor_uid) || textOf(a.type_uid, b.type_uid)
const nameOf = ({ doctor_uid, type_uid }: Pair) => JSON.stringify([doctor_uid, type_uid])

/** Slots of one type. */
export interface Part {
  readonly type_uid: string
  readonly duration_minutes: number
  readonly doctors: ReadonlyArray<Pick<Place, "doctor_uid" | "timezone">>
  /** Index into `doctors`. */
  readonly doctorAt: ArrayLike<number>
  /** Unix seconds. */
  readonly starts: ArrayLike<number>
  /** 1: free, 0: busy. Undefined: all are free. */
  readonly isFree?: ArrayLike<number>
  /** Ends that do not follow from the duration, by index. */
  readonly ends?: Iterable<readonly [at: number, end: number]>
  /** False: slots after the last one were left out. */
  readonly isWhole?: boolean
}

/** The first index of a sorted list whose number is not below the value. */
const indexFrom = (sorted: Float64Array, value: number) => {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? value) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** The places with a slot, in order. */
const placesOf = (parts: ReadonlyArray<Part>): ReadonlyArray<Place> => {
  const known = new Map<string, Place>()
  for (const { type_uid, doctors, doctorAt } of parts) {
    const used = new Uint8Array(doctors.length)
    for (let at = 0; at < doctorAt.length; at++) used[doctorAt[at] as number] = 1 // a valid index
    for (const [at, { doctor_uid, timezone }] of doctors.entries())
      if (used[at] === 1) known.set(nameOf({ doctor_uid, type_uid }), { doctor_uid, type_uid, timezone })
  }
  return [...known.values()].sort(byPair)
}

/**
 * The slots of these parts from `from` on and before `to`, after the position, up to where none is missing, of these statuses. Of several
 * with the same place and start a free one counts.
 *
 * Start, place and whether it is free are packed into one number, so that the native sort can be used: the product of a year's seconds and
 * of all doctors and types is a safe integer. Loops, since for ten thousand slots functions of arrays take as long as finding them.
 */
export const slotColumns = (
  parts: ReadonlyArray<Part>,
  { from, to }: { readonly from: number; readonly to: number },
  after: Position | undefined,
  statuses: ReadonlySet<string>
): SlotColumns => {
  const places = placesOf(parts)
  const indexes = new Map(places.map((place, at) => [nameOf(place), at]))
  const step = 2 * Math.max(1, places.length)
  const durations = new Float64Array(places.length)
  const ends = new Map<number, number>()
  const keys = new Float64Array(parts.reduce((sum, { starts }) => sum + starts.length, 0))
  let [filled, last, isSorted] = [0, Number.NEGATIVE_INFINITY, true]
  let end = (to - from) * step
  // The casts, here and below: valid indices; a check for each would only cost time
  for (const { type_uid, duration_minutes, doctors, doctorAt, starts, isFree, isWhole, ends: own = [] } of parts) {
    const placeOf = doctors.map(({ doctor_uid }) => indexes.get(nameOf({ doctor_uid, type_uid })))
    const keyAt = (at: number) =>
      ((starts[at] as number) - from) * step + 2 * (placeOf[doctorAt[at] as number] as number)
    for (let at = 0; at < starts.length; at++) {
      const key = keyAt(at) + (isFree === undefined ? 1 : (isFree[at] as number))
      if (key < last) isSorted = false
      last = key
      keys[filled++] = key
    }
    for (const [at, instant] of own) ends.set(keyAt(at), instant)
    for (const place of placeOf) if (place !== undefined) durations[place] = duration_minutes * MINUTE
    if (isWhole === false) end = Math.min(end, last + 1)
  }
  if (!isSorted) keys.sort()
  const later = places.findIndex(
    (place) => after !== undefined && byPair(place, { doctor_uid: after[1], type_uid: after[2] }) > 0
  )
  const first = after === undefined ? 0 : (after[0] - from) * step + (later === -1 ? step : 2 * later)
  const within = keys.subarray(indexFrom(keys, first), indexFrom(keys, end))
  const wants = [statuses.has("busy"), statuses.has("free")]
  let count = 0
  for (let at = 0; at < within.length; at++) {
    const key = within[at] as number
    const free = key - 2 * Math.floor(key / 2)
    const next = within[at + 1]
    // A free one follows a busy one of the same place and start
    const isRepeated = next === key || (free === 0 && next === key + 1)
    if (!isRepeated && wants[free] === true) within[count++] = key
  }
  const columns = {
    placeAt: new Uint32Array(count),
    starts: new Float64Array(count),
    ends: new Float64Array(count),
    isFree: new Uint8Array(count)
  }
  for (let at = 0; at < count; at++) {
    const key = within[at] as number
    // Division, since `%` of such numbers is several times as slow
    const since = Math.floor(key / step)
    const rest = key - since * step
    const place = rest >>> 1
    const start = since + from
    columns.placeAt[at] = place
    columns.starts[at] = start
    columns.ends[at] =
      (ends.size === 0 ? undefined : ends.get(key - (rest & 1))) ?? start + (durations[place] as number)
    columns.isFree[at] = rest & 1
  }
  return { places, ...columns }
}

/** The first `count` slots of successive columns. */
export const firstOf = (all: ReadonlyArray<SlotColumns>, count: number): ReadonlyArray<SlotColumns> => {
  let left = count
  return all.flatMap((one) => {
    const taken = Math.min(left, one.starts.length)
    left -= taken
    if (taken === 0) return []
    const { places, placeAt, starts, ends, isFree } = one
    return [
      {
        places,
        placeAt: placeAt.subarray(0, taken),
        starts: starts.subarray(0, taken),
        ends: ends.subarray(0, taken),
        isFree: isFree.subarray(0, taken)
      }
    ]
  })
}

export const countOf = (all: ReadonlyArray<SlotColumns>) => all.reduce((sum, { starts }) => sum + starts.length, 0)

export const lastOf = (all: ReadonlyArray<SlotColumns>): Position | undefined => {
  const last = all.at(-1)
  const place = last?.places[last.placeAt.at(-1) ?? 0]
  const start = last?.starts.at(-1)
  return place === undefined || start === undefined ? undefined : [start, place.doctor_uid, place.type_uid]
}
