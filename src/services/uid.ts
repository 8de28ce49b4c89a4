/** New identifiers: a prefix for the kind, then 48 bits of time and 80 random bits, so that they sort by age. */
import { Clock, Effect } from "effect"

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

const base32 = (bytes: Uint8Array): string => {
  let text = ""
  let buffer = 0
  let bits = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet[(buffer >> bits) & 31]
    }
    buffer &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + alphabet[(buffer << (5 - bits)) & 31]
}

/** The schema of an identifier, as declared in `schemas/ids.ts`. */
interface UidSchema<A> {
  readonly prefix: string
  readonly make: (text: string, disableValidation: boolean) => A
}

/** A new identifier of the kind, e.g. `apt_01jd…`: opaque to clients, ordered by time for the indexes. */
export const newUid = <A extends string>({ prefix, make }: UidSchema<A>): Effect.Effect<A> =>
  Effect.map(Clock.currentTimeMillis, (millis) => {
    const bytes = crypto.getRandomValues(new Uint8Array(16))
    new DataView(bytes.buffer).setUint16(0, Math.floor(millis / 2 ** 32))
    new DataView(bytes.buffer).setUint32(2, millis % 2 ** 32)
    return make(`${prefix}_${base32(bytes)}`, true)
  })

/** A secret code of 32 random bytes, e.g. `blc_…`; looked up by its hash. */
export const newCode = (prefix: string): Effect.Effect<string> =>
  Effect.sync(() => `${prefix}_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")}`)

const TAG_LENGTH = 12

/** The tag that identifies a code's organisation: 12 hexadecimal digits, not secret. The database has the same function. */
const tagOf = (organisation_uid: string) =>
  new Bun.CryptoHasher("md5").update(organisation_uid).digest("hex").slice(0, TAG_LENGTH)

/** Replaces the first characters of the text by the organisation's tag. */
export const tagged = (organisation_uid: string, text: string) => tagOf(organisation_uid) + text.slice(TAG_LENGTH)

/** The tag in a code, a room's name or a tagged uid; else "", which matches no organisation. */
export const tagIn = (code: string) => /^[a-z]+_([0-9a-f]{12})/.exec(code)?.[1] ?? ""

/** A secret code with its organisation's tag before the 32 random bytes. */
export const newCodeOf = (prefix: string, organisation_uid: string): Effect.Effect<string> =>
  Effect.map(newCode(prefix), (code) => code.replace("_", `_${tagOf(organisation_uid)}`))

/** A new identifier with its organisation's tag. */
export const newUidOf = <A extends string>(schema: UidSchema<A>, organisation_uid: string): Effect.Effect<A> =>
  Effect.map(newUid(schema), (uid) => schema.make(uid.replace("_", `_${tagOf(organisation_uid)}`), true))

/** The stored form of a code or key: SHA-256 of its text. */
export const hashOf = (code: string): Buffer => new Bun.CryptoHasher("sha256").update(code).digest()
