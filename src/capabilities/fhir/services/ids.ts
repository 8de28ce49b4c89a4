/**
 * Ids of FHIR resources, which have 1 to 64 characters `A-Z a-z 0-9 - .`: always the same for a record. A uid that fits is the id, with `.`
 * in place of `_`; any other has a short id, `h-` and its MD5. Schedules and slots are no records: their ids are built of short forms of
 * their doctor and type. Rule 20.4.
 */
import { createCipheriv, createHmac } from "node:crypto"
import type { DerivedKeys } from "../../../services/sealing/SecretBox.ts"

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

/** Purpose of the key by which ids of slots are signed. */
export const SLOT_ID_PURPOSE = "fhir-slot-id"
/**
 * A slot is signed as one block of AES, with a key of the organisation: the beginning of its pair's hash, and its start in the last six bytes.
 * One call signs a whole page, where an HMAC for each slot would cost more than the rest of the answer.
 */
const [BLOCK, HASHED] = [16, 10]
/** Of the block's hexadecimal digits the first 20 are the signature. */
export const SIGNATURE_LENGTH = 20
/** From one slot's signature to the next one's, in digits. */
export const SIGNATURE_STEP = 2 * BLOCK

/** Slots of these pairs: `pairAt` is an index of them. */
interface Slots {
  readonly pairs: ReadonlyArray<string>
  readonly pairAt: ArrayLike<number>
  readonly starts: ArrayLike<number>
}

/** The signatures, one after the other, as hexadecimal digits in ASCII. */
const sign = (key: Uint8Array, organisation_uid: string, { pairs, pairAt, starts }: Slots) => {
  const own = createHmac("sha256", key).update(organisation_uid).digest()
  const hashes = pairs.map((pair) => new Bun.CryptoHasher("sha256").update(pair).digest())
  const blocks = new Uint8Array(BLOCK * starts.length)
  const view = new DataView(blocks.buffer)
  for (let slot = 0; slot < starts.length; slot++) {
    // The casts: valid indices; a check for each would only cost time
    const hash = hashes[pairAt[slot] as number] as Buffer
    const at = BLOCK * slot
    for (let byte = 0; byte < HASHED; byte++) blocks[at + byte] = hash[byte] as number
    const start = starts[slot] as number
    view.setUint16(at + HASHED, Math.floor(start / 2 ** 32))
    view.setUint32(at + HASHED + 2, start)
  }
  const signed = createCipheriv("aes-256-ecb", own, null).setAutoPadding(false).update(blocks)
  return Buffer.from(signed.toString("hex"), "latin1")
}

/** What follows a slot's pair in its id, before the signature, with `-` between them. */
export const startDigits = (start: number) => start.toString(36)

/** Writes and reads ids of an organisation's slots. */
export const slotIds = (keys: DerivedKeys, organisation_uid: string) => {
  const signaturesOf = (slots: Slots) => sign(keys[0], organisation_uid, slots)
  const signatureOf = (key: Uint8Array, pair: string, start: number) =>
    sign(key, organisation_uid, { pairs: [pair], pairAt: [0], starts: [start] }).toString("latin1", 0, SIGNATURE_LENGTH)
  const idOf = (doctor_uid: string, type_uid: string, start: number) => {
    const pair = pairOf(doctor_uid, type_uid)
    return `${pair}-${startDigits(start)}-${signatureOf(keys[0], pair, start)}`
  }
  const placeIn = (id: string): SlotPlace | undefined => {
    const [, pair = "", doctor = "", type = "", digits = "", signature] =
      /^(([0-9a-f]{16})-([0-9a-f]{16}))-([0-9a-z]{1,9})-([0-9a-f]{20})$/.exec(id) ?? []
    const start = Number.parseInt(digits, 36)
    if (signature === undefined || startDigits(start) !== digits) return
    return keys.some((key) => signatureOf(key, pair, start) === signature) ? { doctor, type, start } : undefined
  }
  return { idOf, signaturesOf, placeIn } as const
}
