/**
 * Ids of FHIR resources, which have 1 to 64 characters `A-Z a-z 0-9 - .`: always the same for a record. A uid that fits is the id, with `.`
 * in place of `_`; any other has a short id, `h-` and its MD5. Schedules and slots are no records: their ids are built of short forms of
 * their doctor and type. Rule 20.4.
 */
import { createHmac } from "node:crypto"
import type { DerivedKeys } from "../sealing/SecretBox.ts"

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
export const scheduleId = (doctor_uid: string, type_uid: string) => `s-${shortOf(doctor_uid)}-${shortOf(type_uid)}`
/** The short forms in a schedule's id. */
export const scheduleIn = (id: string): SchedulePlace | undefined => {
  const [, doctor, type] = /^s-([0-9a-f]{16})-([0-9a-f]{16})$/.exec(id) ?? []
  return doctor === undefined || type === undefined ? undefined : { doctor, type }
}

export interface SlotPlace extends SchedulePlace {
  /** Unix seconds. */
  readonly start: number
}

/** Digits of a slot's signature. */
const SIGNATURE = 20
/** Purpose of the key by which ids of slots are signed. */
export const SLOT_ID_PURPOSE = "fhir-slot-id"

const signed = (key: Uint8Array, organisation_uid: string, place: string) =>
  createHmac("sha256", key).update(`${organisation_uid}\n${place}`).digest("hex").slice(0, SIGNATURE)

/** Writes and reads ids of an organisation's slots. */
export const slotIds = (keys: DerivedKeys, organisation_uid: string) => {
  const shorts = new Map<string, string>()
  const short = (uid: string) => {
    const known = shorts.get(uid) ?? shortOf(uid)
    shorts.set(uid, known)
    return known
  }
  const idOf = (doctor_uid: string, type_uid: string, start: number) => {
    const place = `${short(doctor_uid)}-${short(type_uid)}-${start.toString(36)}`
    return `${place}-${signed(keys[0], organisation_uid, place)}`
  }
  const placeIn = (id: string): SlotPlace | undefined => {
    const [, place = "", doctor = "", type = "", start = "", signature] =
      /^(([0-9a-f]{16})-([0-9a-f]{16})-([0-9a-z]{1,9}))-([0-9a-f]{20})$/.exec(id) ?? []
    if (signature === undefined || !keys.some((key) => signed(key, organisation_uid, place) === signature)) return
    return { doctor, type, start: Number.parseInt(start, 36) }
  }
  return { idOf, placeIn } as const
}
