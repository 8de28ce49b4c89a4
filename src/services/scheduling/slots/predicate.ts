/** What decides about a start beside the doctor's own calendar: limits, resources and further doctors. Made once for the calendars read. */
import { MINUTE } from "../../../schemas/seconds.ts"
import type { BookableType, DoctorCalendar, Group, Range, Surroundings } from "./calendar.ts"
import type { Admits } from "./cut.ts"
import { fullFor, fullForAll, type Moved } from "./limits.ts"
import { type Units, unitsOf } from "./units.ts"

export interface Conditions {
  /** An appointment that this one replaces: within one period the move is exempt from limits. */
  readonly moved?: Moved | undefined
  /** Units that are taken again if they are free: those of the replaced appointment. */
  readonly kept?: Units | undefined
  /** A resource or further doctor that is not taken, though it may be free. */
  readonly avoids?: { readonly kind: "resource" | "doctor"; readonly uid: string } | undefined
  /** Limits do not count. */
  readonly over_limit?: boolean | undefined
}

export const predicateOf = (
  type: BookableType,
  surroundings: Surroundings,
  { from, to }: Pick<Range, "from" | "to">,
  { moved, kept, avoids, over_limit = false }: Conditions = {}
) => {
  const taken = surroundings.units.filter(({ kind, uid }) => kind !== avoids?.kind || uid !== avoids.uid)
  const units = unitsOf(type, { ...surroundings, units: taken }, { from, to: to + type.duration_minutes * MINUTE })
  const isFullForAll = fullForAll(type, surroundings, moved)
  const fullByDoctor = new Map<string, (start: number) => boolean>()
  const isFullFor = (doctor: DoctorCalendar) => {
    const isFull = fullByDoctor.get(doctor.doctor_uid) ?? fullFor(doctor, type, moved)
    fullByDoctor.set(doctor.doctor_uid, isFull)
    return isFull
  }
  /** A seat in a group needs no units of its own. */
  const admits: Admits = (doctor, start, end, group) =>
    (over_limit || !(isFullForAll(start) || isFullFor(doctor)(start))) &&
    (group !== undefined || units.areThere(doctor.doctor_uid, start, end))

  /** The units of an appointment: the group's, or those chosen. */
  const unitsFor = (doctor_uid: string, start: number, end: number, group: Group | undefined): Units | undefined =>
    group ?? units.choose(doctor_uid, start, end, kept)

  return { admits, unitsFor }
}

/** The lowest seat that is free; 1 of a group that nobody is in. */
export const nextSeat = (
  { seats = 1 }: Pick<BookableType, "seats">,
  seatsTaken: ReadonlyArray<number> = []
): number | undefined => {
  const taken = new Set(seatsTaken)
  return Array.from({ length: seats }, (_, at) => at + 1).find((seat) => !taken.has(seat))
}
