/**
 * Data keys: every organisation and pharmacy has its own, sealed under the master key. What they seal (`Envelope`) is gone
 * for good once its owner's keys are deleted. A key is made with the first value that needs one.
 */
import { randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { Clock, Data, Effect, Schema } from "effect"
import { rowsOf } from "./rows.ts"
import { type Place, SecretBox } from "./SecretBox.ts"

export interface DataKey {
  readonly id: string
  readonly bytes: Uint8Array
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
interface Ring {
  readonly keys: ReadonlyArray<DataKey>
  readonly read_at: number
}

/** How long a process goes on with the keys that it has read: so long it may use one that was replaced or deleted meanwhile. */
export const KEYS_KEPT_MILLIS = 60_000

const ID_BYTES = 6
/** Characters of a key's id. */
export const KEY_ID_LENGTH = 2 * ID_BYTES

const StoredKey = Schema.Struct({ id: Schema.String, key_sealed: Schema.String, uncommitted: Schema.Boolean })

const placeOf = (owner: string, id: string): Place => ({ table: "data_keys", column: "key_sealed", row: [owner, id] })

export class DataKeys extends Effect.Service<DataKeys>()("services/DataKeys", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const box = yield* SecretBox
    const stored = rowsOf(StoredKey)
    const rings = new Map<string, Ring>()

    /**
     * Reads the owner's keys. Kept are those that are committed: a key made by this very transaction is rolled back with it,
     * together with all that it sealed.
     */
    const read = Effect.fnUntraced(function* (owner: string) {
      const rows = yield* stored.all(sql`SELECT id, key_sealed,
          coalesce(made_in = pg_current_xact_id_if_assigned(), false) AS uncommitted
        FROM data_keys WHERE owner_uid = ${owner} ORDER BY created_at DESC, id`)
      const keys = yield* Effect.forEach(rows, ({ id, key_sealed }) =>
        Effect.map(
          box.open(placeOf(owner, id), key_sealed),
          (text): DataKey => ({ id, bytes: Buffer.from(text, "base64") })
        )
      )
      if (keys.length === 0 || rows.some(({ uncommitted }) => uncommitted)) rings.delete(owner)
      else rings.set(owner, { keys, read_at: yield* Clock.currentTimeMillis }) // real time: of a cache
      return keys
    })

    const known = Effect.fnUntraced(function* (owner: string) {
      const ring = rings.get(owner)
      const now = yield* Clock.currentTimeMillis // real time: of a cache
      return ring !== undefined && now - ring.read_at < KEYS_KEPT_MILLIS ? ring.keys : yield* read(owner)
    })

    /** A new key of the owner, which seals from now on: in this process at once, in others within `KEYS_KEPT_MILLIS`. */
    const make = Effect.fn("DataKeys.make")(function* (owner: string) {
      const key: DataKey = { id: randomBytes(ID_BYTES).toString("hex"), bytes: randomBytes(32) }
      const sealed = yield* box.seal(placeOf(owner, key.id), Buffer.from(key.bytes).toString("base64"))
      yield* sql`INSERT INTO data_keys (owner_uid, id, key_sealed) VALUES (${owner}, ${key.id}, ${sealed})`
      rings.delete(owner)
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
      rings.delete(owner)
      return gone.length
    }, Effect.orDie)

    return { current, find, make, forget } as const
  })
}) {}
