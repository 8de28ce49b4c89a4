/**
 * Secrets at rest: AES-256-GCM under the master key. The key's id stands before the ciphertext, so that a key can be
 * replaced while old text still opens with the previous one.
 */
import { Context, Data, Effect, Redacted } from "effect"

export class SecretUnreadable extends Data.TaggedError("SecretUnreadable")<{ readonly key_id: string }> {
  override get message() {
    return `Sealed under master key ${this.key_id}, which is not configured: set MASTER_KEY_PREVIOUS`
  }
}

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
    /** The id of the key that seals now. */
    readonly key_id: string
    readonly seal: (text: string) => Effect.Effect<Sealed>
    /** The text again. A key that is not configured any more is a defect: nothing a caller can do. */
    readonly open: (sealed: Sealed) => Effect.Effect<string>
    /** 32 bytes for one purpose, e.g. "join-token", derived by HKDF; the same on every replica. */
    readonly derive: (purpose: string) => Effect.Effect<Uint8Array>
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

export const make = Effect.fnUntraced(function* (
  current: Redacted.Redacted<string>,
  previous: ReadonlyArray<Redacted.Redacted<string>>
) {
  const keys = yield* Effect.forEach([current, ...previous], load)
  const [primary] = keys
  if (primary === undefined) return yield* Effect.dieMessage("a master key is always given")

  const seal = (text: string) =>
    Effect.promise(async () => {
      const iv = crypto.getRandomValues(new Uint8Array(12))
      const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, primary.aes, new TextEncoder().encode(text))
      return `${primary.id}.${Buffer.concat([iv, new Uint8Array(sealed)]).toString("base64url")}`
    })

  const open = Effect.fnUntraced(function* (sealed: Sealed) {
    const [id = "", data = ""] = sealed.split(".")
    const key = keys.find((candidate) => candidate.id === id)
    if (key === undefined) return yield* Effect.die(new SecretUnreadable({ key_id: id }))
    const bytes = Buffer.from(data, "base64url")
    const text = yield* Effect.promise(() =>
      crypto.subtle.decrypt({ name: "AES-GCM", iv: bytes.subarray(0, 12) }, key.aes, bytes.subarray(12))
    )
    return new TextDecoder().decode(text)
  })

  return SecretBox.of({ key_id: primary.id, seal, open, derive: (purpose) => hkdf(primary.bytes, purpose) })
})
