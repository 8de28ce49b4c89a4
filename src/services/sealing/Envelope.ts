/**
 * Encryption of health data at rest: AES-256-GCM with a data key of the owning organisation or pharmacy. Table, column and row are
 * associated data (AAD): a value can only be decrypted in its own place. Section 15.1.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { Effect, Predicate, Schema } from "effect"
import { type DataKey, DataKeys } from "./DataKeys.ts"
import { SecretAltered } from "./SecretBox.ts"

/** Where an encrypted value is stored. */
export interface SealedPlace {
  readonly table: string
  /** `DataKeyRotation` finds the columns with encrypted values by this suffix. */
  readonly column: `${string}_encrypted`
  /** The row's primary key, which begins with the owner. */
  readonly row: readonly [owner: string, ...rest: ReadonlyArray<string>]
}

const IV = 12
const TAG = 16
/** Bytes added by encryption. */
export const OVERHEAD = IV + TAG

/** `iv ‖ ciphertext ‖ tag`, written into `into` if given. */
export const sealBytes = (
  { bytes: key }: DataKey,
  bound: string,
  bytes: Uint8Array,
  into = Buffer.alloc(bytes.length + OVERHEAD)
) => {
  const iv = randomBytes(IV)
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(bound))
  into.set(iv)
  into.set(cipher.update(bytes), IV)
  cipher.final() // no output with GCM, but computes the tag
  into.set(cipher.getAuthTag(), IV + bytes.length)
  return into
}

/** Throws if the bytes were altered, or encrypted with another key or for another place. */
export const openBytes = ({ bytes: key }: DataKey, bound: string, sealed: Uint8Array) => {
  const cipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, IV))
    .setAAD(Buffer.from(bound))
    .setAuthTag(sealed.subarray(-TAG))
  const opened = cipher.update(sealed.subarray(IV, -TAG))
  cipher.final() // no output with GCM, but verifies the tag
  return opened
}

/** The AAD, as JSON, so that the encoding is unambiguous. */
export const boundTo = ({ table, column, row }: SealedPlace, ...more: ReadonlyArray<string | number | boolean>) =>
  JSON.stringify([table, column, ...row, ...more])

const ENDING = "_encrypted"
const text = Schema.decodeUnknown(Schema.String)

export class Envelope extends Effect.Service<Envelope>()("services/Envelope", {
  effect: Effect.gen(function* () {
    const keys = yield* DataKeys

    /** `key id.base64url(iv ‖ ciphertext ‖ tag)` */
    const sealed = Effect.fnUntraced(function* (place: SealedPlace, value: string) {
      const key = yield* keys.current(place.row[0])
      return `${key.id}.${sealBytes(key, boundTo(place), Buffer.from(value)).toString("base64url")}`
    })

    /** As `sealed`; null stays null. */
    const seal = (place: SealedPlace, value: string | null) =>
      value === null ? Effect.succeed(null) : sealed(place, value)

    /** Decrypts. A value encrypted for another place (`SecretAltered`) is a defect. */
    const open = Effect.fnUntraced(function* (place: SealedPlace, sealed: string) {
      const [id = "", data = ""] = sealed.split(".")
      const key = yield* keys.find(place.row[0], id)
      return yield* Effect.try({
        try: () => openBytes(key, boundTo(place), Buffer.from(data, "base64url")).toString(),
        catch: () => new SecretAltered({ place })
      }).pipe(Effect.orDie)
    })

    /** Decrypts the sealed columns of a row: `note_encrypted` gives `note`. If it is null, the row's own `note` is kept. */
    const openRow = (table: string, key: ReadonlyArray<string>) =>
      Effect.fnUntraced(function* (row: unknown) {
        if (!Predicate.isRecord(row)) return row
        const opened: Record<string, unknown> = { ...row }
        const [owner, ...rest] = yield* Effect.forEach(key, (column) => text(row[column]))
        for (const column of Object.keys(row)) {
          if (!isSealedColumn(column) || owner === undefined) continue
          const name = column.slice(0, -ENDING.length)
          const sealed = row[column]
          opened[name] =
            typeof sealed === "string"
              ? yield* open({ table, column, row: [owner, ...rest] }, sealed)
              : (row[name] ?? null)
        }
        return opened
      }, Effect.orDie)

    /** Decrypts the rows of a statement. They must include the table's primary key (`key`). */
    const openRows =
      (table: string, key: ReadonlyArray<string>) =>
      <E, R>(statement: Effect.Effect<ReadonlyArray<unknown>, E, R>) =>
        Effect.flatMap(statement, (rows) => Effect.forEach(rows, openRow(table, key)))

    return { sealed, seal, open, openRow, openRows } as const
  }),
  dependencies: [DataKeys.Default]
}) {}

export const isSealedColumn = (column: string): column is `${string}_encrypted` => column.endsWith(ENDING)
