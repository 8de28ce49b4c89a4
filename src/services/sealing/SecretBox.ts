/**
 * Encryption of secrets at rest: AES-256-GCM with the master key. The key's id precedes the ciphertext, so that a key can be rotated
 * while old values still decrypt with the previous one. The place of a value is associated data (AAD), so that write access to the
 * database cannot move one record's value to another.
 */
import { Context, Data, Effect, Redacted } from "effect"

/** Where a sealed value is stored. It decrypts only there. */
export interface Place {
  readonly table: string
  /** A rotation of keys finds the columns with sealed text by this suffix. */
  readonly column: `${string}_sealed`
  /** The row's primary key: its columns' values as text, in the key's order. */
  readonly row: ReadonlyArray<string>
}

export class SecretUnreadable extends Data.TaggedError("SecretUnreadable")<{ readonly key_id: string }> {
  override get message() {
    return `Sealed under master key ${this.key_id}, which is not configured: set MASTER_KEY_PREVIOUS or MASTER_KEY_NEXT`
  }
}

/** The value was encrypted for another place, or its bytes were altered. */
export class SecretAltered extends Data.TaggedError("SecretAltered")<{
  readonly place: Pick<Place, "table" | "row"> & { readonly column: string }
}> {
  override get message() {
    const { table, column } = this.place
    return `A value of ${table}.${column} was not sealed for the row that holds it`
  }
}

/** Keys for one purpose, of the current master key first, then of the others that are known. */
export type DerivedKeys = readonly [Uint8Array, ...ReadonlyArray<Uint8Array>]

interface MasterKey {
  readonly id: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly aes: CryptoKey
}

/** `key_id.base64url(iv ‖ ciphertext ‖ tag)` */
export type Sealed = string

export class SecretBox extends Context.Tag("services/SecretBox")<
  SecretBox,
  {
    /** The id of the current key. */
    readonly key_id: string
    readonly seal: (place: Place, text: string) => Effect.Effect<Sealed>
    /**
     * Decrypts. A key that is no longer configured (`SecretUnreadable`) and a value encrypted for another place (`SecretAltered`) are
     * defects, since callers cannot resolve them.
     */
    readonly open: (place: Place, sealed: Sealed) => Effect.Effect<string>
    /** 32 bytes for one purpose, e.g. "join-token", derived by HKDF from each known master key, the current one first. */
    readonly derive: (purpose: string) => Effect.Effect<DerivedKeys>
  }
>() {}

const load = (secret: Redacted.Redacted<string>): Effect.Effect<MasterKey> =>
  Effect.promise(async () => {
    const bytes = new Uint8Array(Buffer.from(Redacted.value(secret), "base64"))
    const id = new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 8)
    const aes = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"])
    return { id, bytes, aes }
  })

const hkdf = (key: Uint8Array<ArrayBuffer>, purpose: string) =>
  Effect.promise(async () => {
    const source = await crypto.subtle.importKey("raw", key, "HKDF", false, ["deriveBits"])
    const info = new TextEncoder().encode(purpose)
    return new Uint8Array(
      await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt: new Uint8Array(32), info }, source, 256)
    )
  })

/** The AAD, as JSON, so that the encoding is unambiguous. */
const associated = ({ table, column, row }: Place) => new TextEncoder().encode(JSON.stringify([table, column, ...row]))

/** `others` only decrypt and verify. */
export const make = Effect.fnUntraced(function* (
  current: Redacted.Redacted<string>,
  others: ReadonlyArray<Redacted.Redacted<string>>
) {
  const keys = yield* Effect.forEach([current, ...others], load)
  const [primary] = keys
  if (primary === undefined) return yield* Effect.dieMessage("a master key is always given")

  const seal = (place: Place, text: string) =>
    Effect.promise(async () => {
      const iv = crypto.getRandomValues(new Uint8Array(12))
      const algorithm = { name: "AES-GCM", iv, additionalData: associated(place) }
      const sealed = await crypto.subtle.encrypt(algorithm, primary.aes, new TextEncoder().encode(text))
      return `${primary.id}.${Buffer.concat([iv, new Uint8Array(sealed)]).toString("base64url")}`
    })

  const open = Effect.fnUntraced(function* (place: Place, sealed: Sealed) {
    const [id = "", data = ""] = sealed.split(".")
    const key = keys.find((candidate) => candidate.id === id)
    if (key === undefined) return yield* Effect.die(new SecretUnreadable({ key_id: id }))
    const bytes = Buffer.from(data, "base64url")
    const algorithm = { name: "AES-GCM", iv: bytes.subarray(0, 12), additionalData: associated(place) }
    const text = yield* Effect.tryPromise({
      try: () => crypto.subtle.decrypt(algorithm, key.aes, bytes.subarray(12)),
      catch: () => new SecretAltered({ place })
    }).pipe(Effect.orDie)
    return new TextDecoder().decode(text)
  })

  const derive = (purpose: string) =>
    Effect.zipWith(
      hkdf(primary.bytes, purpose),
      Effect.forEach(keys.slice(1), ({ bytes }) => hkdf(bytes, purpose)),
      (first, others): DerivedKeys => [first, ...others]
    )

  return SecretBox.of({ key_id: primary.id, seal, open, derive })
})
