/**
 * Marks of the entries that the service writes. The database writes entries from the description of the request (migration 0012); a
 * process sends a nonce and a seal with it, of which only the nonce is stored, beside a MAC of the entry under the seal. The seal follows from
 * the nonce by a key that the database does not have: whoever can write rows cannot make an entry that is the service's.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import { type DerivedKeys, SecretBox } from "../sealing/SecretBox.ts"
import type { StoredEntry } from "./chain.ts"

/** Both hexadecimal. */
export interface RequestSeal {
  readonly nonce: string
  readonly seal: string
}

const NONCE_BYTES = 16

const sealOf = (key: Uint8Array, nonce: Uint8Array) => createHmac("sha256", key).update(nonce).digest()

/** As PostgreSQL writes an array of texts in jsonb. */
const written = (values: ReadonlyArray<string | number | null>) =>
  `[${values.map((value) => JSON.stringify(value === null ? null : String(value))).join(", ")}]`

const macOf = (seal: Uint8Array, entry: StoredEntry) => {
  const { owner_uid, position, at, action, actor_kind, actor_uid, subject, purpose, trace_id, address } = entry
  const text = written([owner_uid, position, at, action, actor_kind, actor_uid, subject, purpose, trace_id, address])
  const inner = createHash("sha256").update(seal).update(text).digest()
  return createHash("sha256").update(seal).update(inner).digest()
}

interface Seals {
  readonly next: () => RequestSeal | null
  /** Whether the service wrote the entry. `mark`: the nonce and the MAC, hexadecimal. */
  readonly isOwn: (entry: StoredEntry, mark: string | null) => boolean
}

const sealsWith = (keys: DerivedKeys): Seals => ({
  next: () => {
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
    return { nonce: Buffer.from(nonce).toString("hex"), seal: sealOf(keys[0], nonce).toString("hex") }
  },
  isOwn: (entry, mark) => {
    const bytes = Buffer.from(mark ?? "", "hex")
    const [nonce, mac] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)]
    return mac.length === 32 && keys.some((key) => timingSafeEqual(mac, macOf(sealOf(key, nonce), entry)))
  }
})

/** Without a key no entry is marked, and none is the service's. */
export class EntrySeals extends Context.Reference<EntrySeals>()("audit/EntrySeals", {
  defaultValue: (): Seals => ({ next: () => null, isOwn: () => false })
}) {}

export const EntrySealsLive = Layer.effect(
  EntrySeals,
  Effect.flatMap(SecretBox, (box) => Effect.map(box.derive("audit-entries"), sealsWith))
)
