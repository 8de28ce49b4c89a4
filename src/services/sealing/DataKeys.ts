/**
 * Envelope encryption: every organisation and pharmacy has its own data keys, stored wrapped (`KeyWrapping`). Values encrypted with them
 * (`Envelope`) are irrecoverable once their owner's keys are deleted. A key is created on first use.
 */
import { randomBytes } from "node:crypto"
import { Cache, Clock, Data, Effect, Exit, identity, Option, Schema } from "effect"
import { MINUTE } from "../../schemas/seconds.ts"
import { outsideTransaction } from "../database/Database.ts"
import { rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { onlyOwner, withoutOwner } from "../tenancy/Tenancy.ts"
import { KeyWrapping, type WrappedFor } from "./KeyWrapping.ts"

export interface DataKey {
  readonly id: string
  readonly bytes: Uint8Array
}

/** A key and its wrapped form in the database: unwrapped again only if that has changed. */
interface KnownKey extends DataKey {
  readonly wrapped: string
}

/** The key of a value is missing: its owner was erased, or it was replaced and deleted. */
export class DataKeyForgotten extends Data.TaggedError("DataKeyForgotten")<{
  readonly owner: string
  readonly id: string
}> {
  override get message() {
    return `There is no data key ${this.id} of ${this.owner}`
  }
}

/** Lifetime of cached keys: a process may use a replaced or deleted key for this long. */
export const KEYS_CACHED_MILLIS = MINUTE * 1_000

const ID_BYTES = 6
/** Characters of a key's id. */
export const KEY_ID_LENGTH = 2 * ID_BYTES

const StoredKey = Schema.Struct({ id: Schema.String, wrapped: Schema.String, uncommitted: Schema.Boolean })

const OwnedKey = Schema.Struct({ owner_uid: Schema.String, id: Schema.String, wrapped: Schema.String })

/** Counts a call of the key service as the owner's, whoever needs the key. */
const asOwner = <A>(owner: string, call: Effect.Effect<A>) => withoutOwner(onlyOwner(owner)(call))

export class DataKeys extends Effect.Service<DataKeys>()("services/DataKeys", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const wrapping = yield* KeyWrapping
    const stored = rowsOf(StoredKey)
    const owned = rowsOf(OwnedKey)
    /** The keys of each owner, the newest first. */
    const keyRings = new Map<string, { readonly keys: ReadonlyArray<KnownKey>; readonly read_at: number }>()
    /** Keys on their way into a key ring. Look-ups of one key share a call: one interrupted would fail the others. */
    const unwrapped = yield* Cache.makeWith({
      capacity: 10_000,
      lookup: ({ owner, id, wrapped }: WrappedFor & { readonly wrapped: string }) =>
        asOwner(owner, wrapping.unwrap({ owner, id }, wrapped)),
      timeToLive: (exit) => (Exit.isSuccess(exit) ? KEYS_CACHED_MILLIS : 0)
    })
    /** Keys that are wrapped and not stored yet, by owner. */
    const prepared = new Map<string, KnownKey>()
    const outside = wrapping.isRemote ? outsideTransaction : identity

    /**
     * Reads the owner's keys. Only committed ones are cached: a key created by the current transaction is rolled back with it, together
     * with everything encrypted with it.
     */
    const read = Effect.fnUntraced(function* (owner: string) {
      const rows = yield* stored.all(sql`SELECT id, wrapped,
          coalesce(made_in = pg_current_xact_id_if_assigned(), false) AS uncommitted
        FROM data_keys WHERE owner_uid = ${owner} ORDER BY created_at DESC, id`)
      const before = keyRings.get(owner)?.keys ?? []
      const keys = yield* Effect.forEach(rows, ({ id, wrapped }) => {
        const same = before.find((key) => key.id === id && key.wrapped === wrapped)
        if (same !== undefined) return Effect.succeed(same)
        const place = Data.struct({ owner, id, wrapped })
        return Effect.flatMap(unwrapped.getOptionComplete(place), (kept) =>
          Effect.map(
            Option.match(kept, {
              onNone: () => outside(Effect.uninterruptible(unwrapped.get(place))),
              onSome: Effect.succeed
            }),
            (bytes): KnownKey => ({ id, bytes, wrapped })
          )
        )
      })
      if (keys.length === 0 || rows.some(({ uncommitted }) => uncommitted)) keyRings.delete(owner)
      else keyRings.set(owner, { keys, read_at: yield* Clock.currentTimeMillis }) // real time: for the cache
      return keys
    })

    const known = Effect.fnUntraced(function* (owner: string) {
      const keyRing = keyRings.get(owner)
      const now = yield* Clock.currentTimeMillis // real time: for the cache
      return keyRing !== undefined && now - keyRing.read_at < KEYS_CACHED_MILLIS ? keyRing.keys : yield* read(owner)
    })

    const prepare = Effect.fnUntraced(function* (owner: string) {
      const key = { id: randomBytes(ID_BYTES).toString("hex"), bytes: randomBytes(32) }
      prepared.set(owner, { ...key, wrapped: yield* asOwner(owner, wrapping.wrap({ owner, id: key.id }, key.bytes)) })
    })
    /** A new key. Nobody else gets it, also if it is not stored in the end. */
    const takePrepared = (owner: string): Effect.Effect<KnownKey> =>
      Effect.suspend(() => {
        const key = prepared.get(owner)
        if (key === undefined) return Effect.zipRight(outside(prepare(owner)), takePrepared(owner))
        prepared.delete(owner)
        return Effect.succeed(key)
      })

    /** Creates a key of the owner that encrypts from now on: in this process at once, in others within `KEYS_CACHED_MILLIS`. */
    const make = Effect.fn("DataKeys.make")(function* (owner: string) {
      const key = yield* takePrepared(owner)
      const { id, bytes, wrapped } = key
      yield* sql`INSERT INTO data_keys (owner_uid, id, wrapped) VALUES (${owner}, ${id}, ${wrapped})`
      yield* unwrapped.set(Data.struct({ owner, id, wrapped }), bytes)
      keyRings.delete(owner)
      return key
    }, Effect.orDie)

    /** The key for encrypting the owner's values. */
    const current = Effect.fnUntraced(function* (owner: string) {
      const [newest] = yield* known(owner)
      return newest ?? (yield* make(owner))
    })

    /** The owner's key with this id. A missing one (`DataKeyForgotten`) is a defect. */
    const find = Effect.fnUntraced(function* (owner: string, id: string) {
      const named = (keys: ReadonlyArray<DataKey>) => keys.find((key) => key.id === id)
      const key = named(yield* known(owner)) ?? named(yield* read(owner))
      return key ?? (yield* Effect.die(new DataKeyForgotten({ owner, id })))
    })

    /** Deletes the owner's keys except `kept`; returns how many. */
    const forget = Effect.fn("DataKeys.forget")(function* (owner: string, kept: ReadonlyArray<string>) {
      const gone =
        yield* sql`DELETE FROM data_keys WHERE owner_uid = ${owner} AND NOT id = ANY (${[...kept]}) RETURNING id`
      keyRings.delete(owner)
      return gone.length
    }, Effect.orDie)

    /**
     * Wraps every key again that is not wrapped with the current wrapping key. Values are unchanged. Can be interrupted and run again.
     */
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
