/**
 * A second, plain implementation of what an appointment takes: lists that are searched from the start, and choices by trying all. All
 * hours are 8:00 to 18:00 UTC on every day. It shares nothing with the service.
 */
const DAY = 86_400

export interface Needed {
  readonly kind: "room" | "doctor"
  readonly uids: ReadonlyArray<string>
  readonly count: number
}
export interface Limit {
  readonly per: "day" | "week"
  readonly max: number
  readonly scope: "doctor" | "organisation"
}
export interface Type {
  readonly uid: string
  readonly minutes: number
  readonly before: number
  readonly after: number
  readonly step: number | null
  readonly seats: number
  readonly needs: ReadonlyArray<Needed>
  readonly limits: ReadonlyArray<Limit>
}
export interface Doctor {
  readonly uid: string
  readonly buffer: number
  readonly limits: ReadonlyArray<Omit<Limit, "scope">>
}
export interface Units {
  readonly rooms: ReadonlyArray<string>
  readonly further: ReadonlyArray<string>
}
export interface Appointment extends Units {
  readonly uid: string
  readonly doctor: string
  readonly type: Type
  readonly patient: string
  readonly start: number
  readonly end: number
  /** Of the doctor's hours when it was booked, minutes. */
  readonly buffer: number
  readonly status: "held" | "confirmed" | "cancelled" | "completed"
  readonly expires: number
}
export interface World {
  readonly doctors: ReadonlyArray<Doctor>
  readonly types: ReadonlyArray<Type>
  readonly appointments: ReadonlyArray<Appointment>
}

export const isLive = ({ status, expires }: Appointment, now: number) =>
  status === "confirmed" || (status === "held" && expires > now)

const open = (start: number) => Math.floor(start / DAY) * DAY + 8 * 3600
const close = (start: number) => open(start) + 10 * 3600
const periodOf = (per: Limit["per"], start: number) => {
  const day = Math.floor(start / DAY)
  return per === "day" ? day : Math.floor((day + 3) / 7)
}

/** Every choice of units, the most preferred first; an earlier requirement comes first. */
const choices = function* (
  needs: ReadonlyArray<ReadonlyArray<string>>,
  chosen: ReadonlyArray<string>
): Generator<ReadonlyArray<string>> {
  const [first, ...others] = needs
  if (first === undefined) return yield chosen
  for (const one of first) if (!chosen.includes(one)) yield* choices(others, [...chosen, one])
}

interface Asked {
  readonly doctor: Doctor
  readonly type: Type
  readonly patient: string
  readonly start: number
  readonly end: number
  readonly now: number
  readonly moved?: Appointment | undefined
  readonly kept?: Units | undefined
}

const isFull = (world: World, { doctor, type, start, now, moved }: Asked) => {
  const counted = world.appointments.filter((one) => one !== moved && (isLive(one, now) || one.status === "completed"))
  const isFullBy = (limit: Omit<Limit, "scope">, counts: (one: Appointment) => boolean) => {
    const isIn = (one: Appointment) => counts(one) && periodOf(limit.per, one.start) === periodOf(limit.per, start)
    return counted.filter(isIn).length >= limit.max && !(moved !== undefined && isIn(moved))
  }
  return (
    doctor.limits.some((limit) => isFullBy(limit, (one) => one.doctor === doctor.uid)) ||
    type.limits.some((limit) =>
      isFullBy(limit, (one) => one.type === type && (limit.scope === "organisation" || one.doctor === doctor.uid))
    )
  )
}

/** What the appointment takes; undefined if it cannot be taken. */
export const takes = (world: World, asked: Asked): Units | undefined => {
  const { doctor, type, patient, start, end, now, moved, kept } = asked
  if (isFull(world, asked)) return undefined
  const live = world.appointments.filter((one) => one !== moved && isLive(one, now))
  const group =
    type.seats === 1 ? [] : live.filter((one) => one.type === type && one.doctor === doctor.uid && one.start === start)
  if (group.length > 0)
    return group.length < type.seats && group.every((one) => one.patient !== patient) ? group[0] : undefined
  const isTooNear = live.some((one) => {
    const isOwn = one.doctor === doctor.uid
    if (!isOwn && !one.further.includes(doctor.uid)) return false
    const [before, after, buffer] = isOwn ? [one.type.before, one.type.after, one.buffer] : [0, 0, 0]
    const earlier = Math.max(doctor.buffer, buffer, after + type.before) * 60
    const later = Math.max(doctor.buffer, buffer, type.after + before) * 60
    return !(one.end + earlier <= start || end + later <= one.start)
  })
  if (isTooNear) return undefined
  const takesUnit = (uid: string) => (one: Appointment) =>
    one.rooms.includes(uid) || one.further.includes(uid) || one.doctor === uid
  const isFree = (uid: string) =>
    uid !== doctor.uid &&
    !live.some((one) => {
      // a further doctor's own appointments keep their buffers
      const [before, after] = one.doctor === uid ? [one.type.before, one.type.after] : [0, 0]
      const buffer = one.doctor === uid ? one.buffer : 0
      return (
        takesUnit(uid)(one) &&
        one.start - Math.max(buffer, before) * 60 < end &&
        one.end + Math.max(buffer, after) * 60 > start
      )
    })
  const load = (uid: string) =>
    live.filter((one) => takesUnit(uid)(one) && Math.floor(one.start / DAY) === Math.floor(start / DAY)).length
  const isKept = (uid: string) => kept !== undefined && [...kept.rooms, ...kept.further].includes(uid)
  const inOrder = (uids: ReadonlyArray<string>) =>
    uids
      .filter(isFree)
      .toSorted((a, b) => Number(isKept(b)) - Number(isKept(a)) || load(a) - load(b) || (a < b ? -1 : 1))
  const needs = type.needs.flatMap(({ uids, count }) => Array.from({ length: count }, () => inOrder(uids)))
  const { value: chosen } = choices(needs, []).next() as { readonly value: ReadonlyArray<string> | undefined }
  if (chosen === undefined) return undefined
  const rooms = type.needs.flatMap(({ kind, uids }) => (kind === "room" ? uids : []))
  const [own, further] = [chosen.filter((uid) => rooms.includes(uid)), chosen.filter((uid) => !rooms.includes(uid))]
  return { rooms: own.toSorted(), further: further.toSorted() }
}

/**
 * What the expired hold takes when it is confirmed; undefined if another appointment overlaps. Neither hours nor buffers nor limits count.
 */
export const regains = (world: World, held: Appointment, now: number): Units | undefined => {
  const live = world.appointments.filter((one) => one !== held && isLive(one, now))
  const group =
    held.type.seats === 1
      ? []
      : live.filter((one) => one.type === held.type && one.doctor === held.doctor && one.start === held.start)
  if (group.length > 0)
    return group.length < held.type.seats && group.every((one) => one.patient !== held.patient) ? group[0] : undefined
  const isTaken = (uid: string) =>
    live.some(
      (one) => [one.doctor, ...one.further, ...one.rooms].includes(uid) && one.start < held.end && one.end > held.start
    )
  if (isTaken(held.doctor)) return undefined
  if (![...held.rooms, ...held.further].some(isTaken)) return held
  // another one of the requirement: as for a doctor who has neither buffers nor limits
  const type = { ...held.type, before: 0, after: 0, limits: [] }
  const others = live.map((one) => ({ ...one, buffer: 0, type: { ...one.type, before: 0, after: 0 } }))
  const doctor = { uid: held.doctor, buffer: 0, limits: [] }
  return takes({ ...world, appointments: others }, { ...held, type, doctor, now, kept: held })
}

/** Whether the start is one of the doctor's for the type. */
export const isCandidate = (doctor: Doctor, type: Type, start: number, now: number) => {
  const step = (type.step ?? type.minutes + doctor.buffer) * 60
  const after = start - open(start)
  return start >= now && after >= 0 && after % step === 0 && start + type.minutes * 60 <= close(start)
}
