/**
 * Encryption of health data at rest: AES-256-GCM with a data key of the owning organisation or pharmacy. Table, column and row are
 * associated data (AAD): a value can only be decrypted in its own place. Section 15.1.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { Effect, Predicate } from "effect"
import { turns } from "../eventLoop.ts"
import { Service } from "../Service.ts"
import { type DataKey, DataKeys } from "./DataKeys.ts"
import { SecretAltered } from "./SecretBox.ts"

/** Where an encrypted value is stored. */
export interface SealedPlace {
  readonly table: string
  /** A rotation of keys finds the columns with encrypted values by this suffix. */
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

/** The id of the key that encrypted a value: `key id.base64url(iv ‖ ciphertext ‖ tag)`. */
const keyIdOf = (sealed: string) => sealed.slice(0, sealed.indexOf("."))

/** Throws `SecretAltered` if the value was altered, or encrypted with another key or for another place. */
const openText = (key: DataKey, place: SealedPlace, sealed: string) => {
  try {
    return openBytes(key, boundTo(place), Buffer.from(sealed.slice(sealed.indexOf(".") + 1), "base64url")).toString()
  } catch {
    throw new SecretAltered({ place })
  }
}

export class Envelope extends Service<Envelope>()("services/Envelope", {
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
      const key = yield* keys.find(place.row[0], keyIdOf(sealed))
      return yield* Effect.sync(() => openText(key, place, sealed))
    })

    /**
     * Decrypts the sealed columns of rows of one statement: `note_encrypted` gives `note`. If it is null, the row's own `note` is kept.
     * The rows must include the table's primary key (`key`).
     */
    const openAll = (table: string, key: readonly [owner: string, ...rest: ReadonlyArray<string>]) =>
      Effect.fnUntraced(function* (rows: ReadonlyArray<unknown>) {
        const found = new Map<string, DataKey>()
        const turn = turns()
        const opened: Array<unknown> = []
        let columns: ReadonlyArray<`${string}_encrypted`> | undefined
        for (const row of rows) {
          if (!Predicate.isRecord(row)) return yield* Effect.dieMessage(`a row of ${table} is no record`)
          columns ??= Object.keys(row).filter(isSealedColumn)
          const [owner, ...rest] = [String(row[key[0]]), ...key.slice(1).map((column) => String(row[column]))] as const
          const made: Record<string, unknown> = { ...row }
          for (const column of columns) {
            const name = column.slice(0, -ENDING.length)
            const sealed = row[column]
            if (typeof sealed !== "string") {
              made[name] ??= null
              continue
            }
            const id = keyIdOf(sealed)
            const dataKey = found.get(`${owner} ${id}`) ?? (yield* keys.find(owner, id))
            found.set(`${owner} ${id}`, dataKey)
            made[name] = openText(dataKey, { table, column, row: [owner, ...rest] }, sealed)
          }
          opened.push(made)
          yield* turn
        }
        return opened
      })

    /** As `openAll`, for the rows of a statement. */
    const openRows =
      (...place: Parameters<typeof openAll>) =>
      <E, R>(statement: Effect.Effect<ReadonlyArray<unknown>, E, R>) =>
        Effect.flatMap(statement, openAll(...place))

    return { sealed, seal, open, openAll, openRows } as const
  }),
  dependencies: [DataKeys.Default]
}) {}

export const isSealedColumn = (column: string): column is `${string}_encrypted` => column.endsWith(ENDING)
