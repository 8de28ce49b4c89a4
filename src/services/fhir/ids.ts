/**
 * Ids of FHIR resources, which have 1 to 64 characters `A-Z a-z 0-9 - .`: always the same for a record. A uid that fits is the id, with `.`
 * in place of `_`; any other has a short id, `h-` and its MD5. Schedules and slots are no records: their ids are built of short forms of
 * their doctor and type. Rule 20.4.
 */
import { createCipheriv, createHmac } from "node:crypto"
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

/** Purpose of the key by which ids of slots are signed. */
export const SLOT_ID_PURPOSE = "fhir-slot-id"
/** A start is signed as one block of so many bytes, of whose hexadecimal digits the first 20 are the signature. */
const BLOCK = 16
export const SIGNATURE_LENGTH = 20
/** From one start's signature to the next one's, in digits. */
export const SIGNATURE_STEP = 2 * BLOCK

/**
 * The signatures of starts of one doctor and type, as hexadecimal digits. Each is the start encrypted by AES with a key of the organisation,
 * doctor and type: one call signs a whole page, where an HMAC for each start would cost more than the rest of the answer.
 */
const sign = (key: Uint8Array, organisation_uid: string, pair: string, starts: ArrayLike<number>) => {
  const own = createHmac("sha256", key).update(`${organisation_uid}\n${pair}`).digest()
  const blocks = new DataView(new ArrayBuffer(BLOCK * starts.length))
  for (let at = 0; at < starts.length; at++) blocks.setFloat64(BLOCK * at, starts[at] ?? 0)
  return createCipheriv("aes-256-ecb", own, null).setAutoPadding(false).update(blocks).toString("hex")
}

/** The beginning of a slot's id. */
export const slotPair = (doctor_uid: string, type_uid: string) => `${shortOf(doctor_uid)}-${shortOf(type_uid)}-`
/** What follows before the signature, with `-` between them. */
export const startDigits = (start: number) => start.toString(36)

/** Writes and reads ids of an organisation's slots. */
export const slotIds = (keys: DerivedKeys, organisation_uid: string) => {
  /** The signatures of one doctor's and type's slots, one after the other. */
  const signaturesOf = (doctor_uid: string, type_uid: string, starts: ArrayLike<number>) =>
    sign(keys[0], organisation_uid, slotPair(doctor_uid, type_uid), starts)
  const idOf = (doctor_uid: string, type_uid: string, start: number) => {
    const signature = signaturesOf(doctor_uid, type_uid, [start]).slice(0, SIGNATURE_LENGTH)
    return `${slotPair(doctor_uid, type_uid)}${startDigits(start)}-${signature}`
  }
  const placeIn = (id: string): SlotPlace | undefined => {
    const [, pair = "", doctor = "", type = "", digits = "", signature] =
      /^(([0-9a-f]{16})-([0-9a-f]{16})-)([0-9a-z]{1,9})-([0-9a-f]{20})$/.exec(id) ?? []
    const start = Number.parseInt(digits, 36)
    if (signature === undefined || startDigits(start) !== digits) return
    const isSigned = keys.some((key) => sign(key, organisation_uid, pair, [start]).startsWith(signature))
    return isSigned ? { doctor, type, start } : undefined
  }
  return { idOf, signaturesOf, placeIn } as const
}
