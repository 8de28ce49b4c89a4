/**
 * Ids of FHIR resources, which have 1 to 64 characters `A-Z a-z 0-9 - .`: always the same for a record. A uid that fits is the id, with `.`
 * in place of `_`; any other has a short id, `h-` and its MD5. Schedules and slots are no records: their ids are built of short forms of
 * their doctor and type. Rule 20.4.
 */

const SHORT = /^h-[0-9a-f]{32}$/
const FITTING = /^[A-Za-z0-9_-]{1,64}$/
const md5 = (text: string) => new Bun.CryptoHasher("md5").update(text).digest("hex")

const fits = (uid: string) => FITTING.test(uid) && !SHORT.test(uid)
export const fhirId = (uid: string) => (fits(uid) ? uid.replaceAll("_", ".") : `h-${md5(uid)}`)

/** What an id of a record says: its uid, the MD5 of a uid that does not fit, or nothing. */
export type Named = { readonly uid: string } | { readonly md5: string } | undefined
export const namedBy = (id: string): Named => {
  if (SHORT.test(id)) return { md5: id.slice(2) }
  return /^[A-Za-z0-9.-]{1,64}$/.test(id) ? { uid: id.replaceAll(".", "_") } : undefined
}

/** Sixteen hexadecimal digits for a doctor or a type. */
export const shortOf = (uid: string) => md5(uid).slice(0, 16)

export interface SchedulePlace {
  readonly doctor: string
  readonly type: string
}
/** The short forms of a doctor and a type. */
export const pairOf = (doctor_uid: string, type_uid: string) => `${shortOf(doctor_uid)}-${shortOf(type_uid)}`
export const PAIR_LENGTH = 33
export const scheduleId = (doctor_uid: string, type_uid: string) => `s-${pairOf(doctor_uid, type_uid)}`
/** The short forms in a schedule's id. */
export const scheduleIn = (id: string): SchedulePlace | undefined => {
  const [, doctor, type] = /^s-([0-9a-f]{16})-([0-9a-f]{16})$/.exec(id) ?? []
  return doctor === undefined || type === undefined ? undefined : { doctor, type }
}

export interface SlotPlace extends SchedulePlace {
  /** Unix seconds. */
  readonly start: number
}

/** What follows a slot's pair in its id, with `-` between them. */
export const startDigits = (start: number) => start.toString(36)

export const slotId = (doctor_uid: string, type_uid: string, start: number) =>
  `${pairOf(doctor_uid, type_uid)}-${startDigits(start)}`
/** The short forms in a slot's id, and its start: seven digits suffice until the year 4453. */
export const slotIn = (id: string): SlotPlace | undefined => {
  const [, doctor, type, digits = ""] = /^([0-9a-f]{16})-([0-9a-f]{16})-(0|[1-9a-z][0-9a-z]{0,6})$/.exec(id) ?? []
  if (doctor === undefined || type === undefined) return
  return { doctor, type, start: Number.parseInt(digits, 36) }
}
