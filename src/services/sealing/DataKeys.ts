/**
 * Data keys: every organisation and pharmacy has its own, wrapped (`KeyWrapping`). What they seal (`Envelope`) is gone
 * for good once its owner's keys are deleted. A key is made with the first value that needs one.
 */
import { randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { Clock, Data, Effect, Schema } from "effect"
import { rowsOf } from "../database/rows.ts"
import { KeyWrapping } from "./KeyWrapping.ts"

export interface DataKey {
  readonly id: string
  readonly bytes: Uint8Array
}

/** A key with what the database keeps of it: unwrapped again only when that has changed. */
interface KnownKey extends DataKey {
  readonly wrapped: string
}

/** The key that the value names is not there: its owner was erased, or it was replaced and deleted. */
export class DataKeyForgotten extends Data.TaggedError("DataKeyForgotten")<{
  readonly owner: string
  readonly id: string
}> {
  override get message() {
    return `There is no data key ${this.id} of ${this.owner}`
  }
}

/** The keys of one owner, the newest first. */
interface KeyRing {
  readonly keys: ReadonlyArray<KnownKey>
  readonly read_at: number
}

/** How long a process goes on with the keys that it has read: so long it may use one that was replaced or deleted meanwhile. */
export const KEYS_KEPT_MILLIS = 60_000

const ID_BYTES = 6
/** Characters of a key's id. */
export const KEY_ID_LENGTH = 2 * ID_BYTES

const StoredKey = Schema.Struct({ id: Schema.String, wrapped: Schema.String, uncommitted: Schema.Boolean })

const OwnedKey = Schema.Struct({ owner_uid: Schema.String, id: Schema.String, wrapped: Schema.String })

export class DataKeys extends Effect.Service<DataKeys>()("services/DataKeys", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const wrapping = yield* KeyWrapping
    const stored = rowsOf(StoredKey)
    const owned = rowsOf(OwnedKey)
    const keyRings = new Map<string, KeyRing>()

    /**
     * Reads the owner's keys. Kept are those that are committed: a key made by this very transaction is rolled back with it,
     * together with all that it sealed.
     */
    const read = Effect.fnUntraced(function* (owner: string) {
      const rows = yield* stored.all(sql`SELECT id, wrapped,
          coalesce(made_in = pg_current_xact_id_if_assigned(), false) AS uncommitted
        FROM data_keys WHERE owner_uid = ${owner} ORDER BY created_at DESC, id`)
      const before = keyRings.get(owner)?.keys ?? []
      const keys = yield* Effect.forEach(rows, ({ id, wrapped }) => {
        const same = before.find((key) => key.id === id && key.wrapped === wrapped)
        if (same !== undefined) return Effect.succeed(same)
        return Effect.map(wrapping.unwrap({ owner, id }, wrapped), (bytes): KnownKey => ({ id, bytes, wrapped }))
      })
      if (keys.length === 0 || rows.some(({ uncommitted }) => uncommitted)) keyRings.delete(owner)
      else keyRings.set(owner, { keys, read_at: yield* Clock.currentTimeMillis }) // real time: of a cache
      return keys
    })

    const known = Effect.fnUntraced(function* (owner: string) {
      const keyRing = keyRings.get(owner)
      const now = yield* Clock.currentTimeMillis // real time: of a cache
      return keyRing !== undefined && now - keyRing.read_at < KEYS_KEPT_MILLIS ? keyRing.keys : yield* read(owner)
    })

    /** A new key of the owner, which seals from now on: in this process at once, in others within `KEYS_KEPT_MILLIS`. */
    const make = Effect.fn("DataKeys.make")(function* (owner: string) {
      const key: DataKey = { id: randomBytes(ID_BYTES).toString("hex"), bytes: randomBytes(32) }
      const wrapped = yield* wrapping.wrap({ owner, id: key.id }, key.bytes)
      yield* sql`INSERT INTO data_keys (owner_uid, id, wrapped) VALUES (${owner}, ${key.id}, ${wrapped})`
      keyRings.delete(owner)
      return key
    }, Effect.orDie)

    /** The key that seals the owner's values now. */
    const current = Effect.fnUntraced(function* (owner: string) {
      const [newest] = yield* known(owner)
      return newest ?? (yield* make(owner))
    })

    /** The owner's key with this id. One that is not there (`DataKeyForgotten`) is a defect. */
    const find = Effect.fnUntraced(function* (owner: string, id: string) {
      const named = (keys: ReadonlyArray<DataKey>) => keys.find((key) => key.id === id)
      const key = named(yield* known(owner)) ?? named(yield* read(owner))
      return key ?? (yield* Effect.die(new DataKeyForgotten({ owner, id })))
    })

    /** Deletes the owner's keys, but for those that `kept` names. */
    const forget = Effect.fn("DataKeys.forget")(function* (owner: string, kept: ReadonlyArray<string>) {
      const gone =
        yield* sql`DELETE FROM data_keys WHERE owner_uid = ${owner} AND NOT id = ANY (${[...kept]}) RETURNING id`
      keyRings.delete(owner)
      return gone.length
    }, Effect.orDie)

    /** Wraps every key anew that is not wrapped by what wraps now. Values stay as they are. Can be stopped and started again. */
    const rewrap = Effect.fn("DataKeys.rewrap")(function* () {
      let rewrapped = 0
      for (const { owner_uid: owner, id, wrapped } of yield* owned.all(
        sql`SELECT owner_uid, id, wrapped FROM data_keys`
      )) {
        if (wrapping.isCurrent(wrapped)) continue
        const again = yield* wrapping.wrap({ owner, id }, yield* wrapping.unwrap({ owner, id }, wrapped))
        yield* sql`UPDATE data_keys SET wrapped = ${again}
          WHERE owner_uid = ${owner} AND id = ${id} AND wrapped = ${wrapped}`
        rewrapped += 1
      }
      return rewrapped
    }, Effect.orDie)

    return { current, find, make, forget, rewrap } as const
  })
}) {}
