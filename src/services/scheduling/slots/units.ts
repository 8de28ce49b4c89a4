/** Which resources and further doctors an appointment takes (Rules 18.2). */
import { DAY } from "../../../schemas/seconds.ts"
import { busyTimes, firstEndingAfter, meets } from "./busy.ts"
import type { BookableType, Hours, Needed, Surroundings, Unit } from "./calendar.ts"
import { openTimes } from "./offered.ts"
import { spanAt, zoneOf } from "./zones.ts"

/** What an appointment takes beside its doctor. */
export interface Units {
  readonly resource_uids: ReadonlyArray<string>
  readonly further_doctor_uids: ReadonlyArray<string>
}
export const noUnits: Units = { resource_uids: [], further_doctor_uids: [] }

interface Candidate extends Unit {
  readonly isFree: (start: number, end: number) => boolean
}

/** The unit of a uid among those of one kind. */
const keyOf = (kind: Unit["kind"], uid: string) => `${kind} ${uid}`
const keysOf = ({ resource_uids, doctor_uids = [] }: Needed) =>
  resource_uids === undefined
    ? doctor_uids.map((uid) => keyOf("doctor", uid))
    : resource_uids.map((uid) => keyOf("resource", uid))

const candidateOf = (unit: Unit, type: string, range: { readonly from: number; readonly to: number }): Candidate => {
  const busy = busyTimes(unit.starts, unit.ends)
  const isOpen = unit.hours === null ? () => true : coveredBy(unit.hours, type, range)
  const isFree = (start: number, end: number) => {
    const next = busy.starts[firstEndingAfter(busy, start)]
    const isKept = unit.gaps !== undefined && meets(unit.gaps, start, end)
    return (next === undefined || next >= end) && !isKept && isOpen(start, end)
  }
  return { ...unit, isFree }
}

/** Whether the hours are open for the whole of a time: adjacent windows are one. Type null: hours without a scope. */
export const coveredBy = (hours: Hours, type: string | null, range: { readonly from: number; readonly to: number }) => {
  const open = openTimes(hours, type, range)
  return (start: number, end: number) => {
    const at = firstEndingAfter(open, start)
    const begin = open.starts[at]
    return begin !== undefined && begin <= start && (open.ends[at] ?? start) >= end
  }
}

/** Whether each entry can have a key of its own, none of them `used`: a matching by augmenting paths. */
const isPossible = (wanted: ReadonlyArray<ReadonlyArray<string>>, used: ReadonlySet<string>): boolean => {
  const entryOf = new Map<string, number>()
  const place = (entry: number, seen: Set<string>): boolean =>
    (wanted[entry] ?? []).some((key) => {
      if (used.has(key) || seen.has(key)) return false
      seen.add(key)
      const other = entryOf.get(key)
      if (other !== undefined && !place(other, seen)) return false
      entryOf.set(key, entry)
      return true
    })
  return wanted.every((_, entry) => place(entry, new Set()))
}

/** One key for each entry: the first of its keys with which the later entries are still possible. Undefined if there is none. */
const assigned = (wanted: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> | undefined => {
  const used = new Set<string>()
  for (const [entry, keys] of wanted.entries()) {
    const later = wanted.slice(entry + 1)
    const key = keys.find((one) => !used.has(one) && isPossible(later, new Set([...used, one])))
    if (key === undefined) return undefined
    used.add(key)
  }
  return [...used]
}

/**
 * The units of a type around `range` (starts, and the ends of the last ones). `choose` returns those for an appointment of a doctor, who
 * is none of them, or undefined: `kept` first, then those with the fewest appointments on that day of the organisation, then by uid.
 */
export const unitsOf = (
  type: BookableType,
  { timezone, units }: Surroundings,
  range: { readonly from: number; readonly to: number }
) => {
  const { requirements = [] } = type
  const candidates = new Map(units.map((unit) => [keyOf(unit.kind, unit.uid), candidateOf(unit, type.uid, range)]))
  const zone = zoneOf(timezone)
  const dayOf = (instant: number) => Math.floor((instant + spanAt(zone, instant).offset) / DAY)
  const freeAt = new Map<string, ReadonlySet<string>>()

  const free = (start: number, end: number): ReadonlySet<string> => {
    const time = `${start} ${end}`
    const known = freeAt.get(time)
    if (known !== undefined) return known
    const found = new Set([...candidates].flatMap(([key, one]) => (one.isFree(start, end) ? [key] : [])))
    freeAt.set(time, found)
    return found
  }
  /** One entry for each unit needed: the keys that can be it. */
  const choices = (doctor_uid: string, start: number, end: number) => {
    const available = free(start, end)
    const self = keyOf("doctor", doctor_uid)
    return requirements.flatMap((needed) => {
      const keys = keysOf(needed).filter((key) => key !== self && available.has(key))
      return Array.from({ length: needed.count }, () => keys)
    })
  }
  const possible = new Map<string, boolean>()
  const furthers = new Set(requirements.flatMap(({ doctor_uids = [] }) => doctor_uids))

  /** Whether there are units for the appointment. */
  const areThere = (doctor_uid: string, start: number, end: number): boolean => {
    if (requirements.length === 0) return true
    // Doctors who are no candidates themselves have the same choices
    const key = `${start} ${end} ${furthers.has(doctor_uid) ? doctor_uid : ""}`
    const known = possible.get(key)
    if (known !== undefined) return known
    const found = isPossible(choices(doctor_uid, start, end), new Set())
    possible.set(key, found)
    return found
  }

  const choose = (doctor_uid: string, start: number, end: number, kept: Units = noUnits): Units | undefined => {
    const day = dayOf(start)
    const isKept = new Set([
      ...kept.resource_uids.map((uid) => keyOf("resource", uid)),
      ...kept.further_doctor_uids.map((uid) => keyOf("doctor", uid))
    ])
    const rank = new Map(
      [...candidates].map(([key, { uid, starts }]) => [
        key,
        { uid, kept: isKept.has(key) ? 0 : 1, count: starts.filter((one) => dayOf(one) === day).length }
      ])
    )
    const preferred = (a: string, b: string) => {
      const [one, other] = [rank.get(a), rank.get(b)]
      if (one === undefined || other === undefined) return 0
      return one.kept - other.kept || one.count - other.count || (one.uid < other.uid ? -1 : 1)
    }
    const lists = choices(doctor_uid, start, end).map((keys) => keys.toSorted(preferred))
    const keys = assigned(lists)
    if (keys === undefined) return undefined
    const chosen = keys.flatMap((key) => candidates.get(key) ?? [])
    const uidsOf = (of: Unit["kind"]) => chosen.flatMap(({ kind, uid }) => (kind === of ? [uid] : [])).toSorted()
    return { resource_uids: uidsOf("resource"), further_doctor_uids: uidsOf("doctor") }
  }
  return { areThere, choose }
}
