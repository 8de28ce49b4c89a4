/**
 * The slots of a page as columns, since an object for each of ten thousand would cost more than finding them. In the order of pages: by
 * start, doctor and type. Rule 20.6.
 */

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
  readonly isFree: (at: number) => boolean
}

/** The last slot of a page. */
export type Position = readonly [start: number, doctor_uid: string, type_uid: string]

type Pair = Pick<Place, "doctor_uid" | "type_uid">
const textOf = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const byPair = (a: Pair, b: Pair) => textOf(a.doctor_uid, b.doctor_uid) || textOf(a.type_uid, b.type_uid)

/**
 * Packs a start and a place into one number, so that the native sort can be used: the product of a year's seconds and all doctors and types
 * is a safe integer.
 */
export const packing = (some: Iterable<Place>, from: number) => {
  const unique = new Map<string, Map<string, Place>>()
  for (const place of some) {
    const own = unique.get(place.doctor_uid) ?? new Map<string, Place>()
    unique.set(place.doctor_uid, own.set(place.type_uid, place))
  }
  const places = [...unique.values()].flatMap((own) => [...own.values()]).sort(byPair)
  const indexes = new Map<string, Map<string, number>>()
  for (const [at, { doctor_uid, type_uid }] of places.entries())
    indexes.set(doctor_uid, (indexes.get(doctor_uid) ?? new Map<string, number>()).set(type_uid, at))
  const indexOf = (doctor_uid: string, type_uid: string) => indexes.get(doctor_uid)?.get(type_uid) ?? 0
  const keyOf = (start: number, place: number) => (start - from) * places.length + place
  /** The least key after a position. */
  const firstAfter = ([start, doctor_uid, type_uid]: Position) => {
    const later = places.findIndex((place) => byPair(place, { doctor_uid, type_uid }) > 0)
    return keyOf(start, later === -1 ? places.length : later)
  }
  /** The columns of sorted keys. */
  const columnsOf = (
    keys: Float64Array,
    endOf: (start: number, place: Place, key: number) => number,
    isFreeKey: (key: number) => boolean
  ): SlotColumns => {
    const placeAt = Uint32Array.from(keys, (key) => key % places.length)
    const starts = Float64Array.from(keys, (key, at) => (key - (placeAt[at] ?? 0)) / places.length + from)
    // The cast: an index of `places`
    const ends = Float64Array.from(keys, (key, at) => endOf(starts[at] ?? 0, places[placeAt[at] ?? 0] as Place, key))
    return { places, placeAt, starts, ends, isFree: (at) => isFreeKey(keys[at] ?? 0) }
  }
  return { indexOf, keyOf, firstAfter, columnsOf }
}

/** The first `count` slots of successive columns. */
export const firstOf = (all: ReadonlyArray<SlotColumns>, count: number): ReadonlyArray<SlotColumns> => {
  let left = count
  return all.flatMap((one) => {
    const taken = Math.min(left, one.starts.length)
    left -= taken
    if (taken === 0) return []
    const { placeAt, starts, ends } = one
    return [
      {
        ...one,
        placeAt: placeAt.subarray(0, taken),
        starts: starts.subarray(0, taken),
        ends: ends.subarray(0, taken)
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
