/** `Idempotency-Key`: the same key and request get the first answer, also when sent concurrently. Section 2.6. */
import { Effect, Fiber, FiberRef, Option, Predicate, Schema } from "effect"
import type { Actor } from "../schemas/access/Actor.ts"
import { IdempotencyKeyReused, InProgress } from "../schemas/access/errors.ts"
import { TooManyRequests } from "../schemas/problems.ts"
import { DAY, HOUR } from "../schemas/seconds.ts"
import { DomainClock } from "./DomainClock.ts"
import { Database, lastly } from "./database/Database.ts"
import { countOf, rowsOf } from "./database/rows.ts"
import { Sql } from "./database/Sql.ts"
import { remember } from "./remember.ts"
import { type Place, SecretBox } from "./sealing/SecretBox.ts"
import { type CurrentTenant, onlyOwner } from "./tenancy/Tenancy.ts"

/** Rule 2.6.3. */
const RETENTION_SECONDS = DAY
/** Lease of a key whose request runs outside of its transaction: others wait at most this long after its process has died. */
const LEASE_SECONDS = 60
/** Interval at which such a request renews its lease, so that no other request runs its work however long a shop takes. */
const RENEW_EVERY = "20 seconds"
/**
 * Maximum keys of one caller; further ones are `TooManyRequests` until the first ones are a day old. A patient needs few, a partner's
 * key one for each booking. Each process counts again after using a tenth of what was left, so that several processes exceed the
 * limit by a tenth each at most. Rule 2.6.10.
 */
const KEYS_MAX = { patient: 1_000, partner: 100_000 }
const keysMax = (scope: string) =>
  /^(?:session|patient|action_link):/.test(scope) ? KEYS_MAX.patient : KEYS_MAX.partner
/** How long a process treats a caller as full, instead of counting again for each of its keys. */
const FULL_SECONDS = 10

/** The owner of keys without a tenant: of operators, and of keys of pharmacy groups. */
export const INSTALLATION = "installation"

/** The scope of an idempotency key. */
export interface KeyHolder {
  /** The organisation or pharmacy, or `INSTALLATION`. */
  readonly owner_uid: string
  /** The session, API key, patient or staff member. */
  readonly scope: string
}

/** The scope of the keys of an organisation's caller. */
export const holderOf = ({ organisation_uid, actor }: { readonly organisation_uid: string; readonly actor: Actor }) =>
  ({ owner_uid: organisation_uid, scope: `${actor.kind}:${actor.uid}` }) satisfies KeyHolder

/** The key of a request until its work claims it, and the operation and body: another body with the same key is a conflict. */
export const requestKey = FiberRef.unsafeMake(Option.none<{ readonly key: string; readonly request: unknown }>())

/** Whose key it is, and how the answer to it is stored. */
export interface Claim<A, I> extends KeyHolder {
  readonly answer: Schema.Schema<A, I>
  /** Maps the first answer to that of a replay; default: unchanged. */
  readonly repeated?: (first: A) => Effect.Effect<A, never, CurrentTenant>
}

/** Whether the fiber's request was answered by a replay. */
export const isReplayed = FiberRef.unsafeMake(false)

const Stored = Schema.Struct({ same: Schema.Boolean, response_sealed: Schema.NullOr(Schema.String) })

const Answered = Schema.Struct({ scope: Schema.String, key: Schema.String })

/** Work whose key is claimed. */
export const claimed = Effect.locally(requestKey, Option.none())

const hashOf = (request: unknown) => new Bun.CryptoHasher("sha256").update(JSON.stringify(request)).digest()

/** The texts of an answer that may be uids: by the names of their fields, and those in lists. */
export const uidsIn = (answer: unknown, isUid = true): ReadonlyArray<string> => {
  if (typeof answer === "string") return isUid ? [answer] : []
  if (Array.isArray(answer)) return answer.flatMap((one) => uidsIn(one))
  if (!Predicate.isRecord(answer)) return []
  return Object.entries(answer).flatMap(([name, one]) => uidsIn(one, /uids?$/.test(name)))
}

const uidHashes = (owner_uid: string, uids: ReadonlyArray<string>) =>
  [...new Set(uids)].map((uid) =>
    new Bun.CryptoHasher("sha256")
      .update(JSON.stringify([owner_uid, uid]))
      .digest()
      .readBigInt64BE()
      .toString()
  )

export class Idempotency extends Effect.Service<Idempotency>()("services/Idempotency", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const box = yield* SecretBox
    const { transaction } = yield* Database
    const stored = rowsOf(Stored)
    const answered = rowsOf(Answered)
    /** Keys that a caller may use before they are counted again; with none left, they are counted again from `full_until` on. */
    const uncounted = new Map<string, { readonly left: number; readonly full_until: number }>()

    type Keyed = KeyHolder & { readonly key: string; readonly request: unknown }
    const row = ({ owner_uid, scope, key }: Omit<Keyed, "request">) =>
      sql`owner_uid = ${owner_uid} AND scope = ${scope} AND key = ${key}`
    const placeOf = ({ owner_uid, scope, key }: Keyed): Place => ({
      table: "idempotency_keys",
      column: "response_sealed",
      row: [owner_uid, scope, key]
    })

    const isBelowLimit = Effect.fnUntraced(function* ({ owner_uid, scope }: Keyed, now: number) {
      const caller = `${owner_uid} ${scope}`
      const { left, full_until } = uncounted.get(caller) ?? { left: 0, full_until: 0 }
      if (left > 0) uncounted.set(caller, { left: left - 1, full_until })
      if (left > 0 || now < full_until) return left > 0
      const max = keysMax(scope)
      const kept = yield* countOf(sql`SELECT count(*) FROM (SELECT 1 FROM idempotency_keys
        WHERE owner_uid = ${owner_uid} AND scope = ${scope} LIMIT ${max}) AS counted`)
      remember(uncounted, caller, {
        left: Math.floor((max - kept) / 10),
        full_until: kept < max ? 0 : now + FULL_SECONDS
      })
      return kept < max
    })

    /**
     * Claims the key: the time of the claim; null if another request has it, or if it is new and the caller is at the limit. Waits for
     * the transaction of a concurrent request with the key.
     */
    const claim = Effect.fnUntraced(function* (of: Keyed) {
      const now = yield* clock.now
      const isOver = sql`(idempotency_keys.created_at <= to_timestamp(${now - RETENTION_SECONDS})
        OR (idempotency_keys.response_sealed IS NULL
          AND idempotency_keys.created_at <= to_timestamp(${now - LEASE_SECONDS})))`
      const claimed = (yield* isBelowLimit(of, now))
        ? yield* sql`
          INSERT INTO idempotency_keys (owner_uid, scope, key, body_hash, created_at)
          VALUES (${of.owner_uid}, ${of.scope}, ${of.key}, ${hashOf(of.request)}, to_timestamp(${now}))
          ON CONFLICT (owner_uid, scope, key) DO UPDATE
            SET body_hash = excluded.body_hash, response_sealed = NULL, created_at = excluded.created_at
            WHERE ${isOver}
          RETURNING key`
        : yield* sql`UPDATE idempotency_keys
          SET body_hash = ${hashOf(of.request)}, response_sealed = NULL, created_at = to_timestamp(${now})
          WHERE ${row(of)} AND ${isOver}
          RETURNING key`
      return claimed.length > 0 ? now : null
    }, Effect.orDie)

    const settle = Effect.fnUntraced(function* <A, I>(of: Keyed & Claim<A, I>, answer: A, at = row(of)) {
      const encoded = yield* Schema.encode(of.answer)(answer)
      const sealed = yield* box.seal(placeOf(of), JSON.stringify(encoded))
      const hashes = uidHashes(of.owner_uid, uidsIn(encoded))
      yield* lastly(
        sql`UPDATE idempotency_keys SET response_sealed = ${sealed}, uid_hashes = ${hashes}::bigint[] WHERE ${at}`
      )
    }, Effect.orDie)

    /**
     * The first answer. Fails with `IdempotencyKeyReused`, with `InProgress` while there is none, and with `TooManyRequests` for a key
     * rejected by the limit.
     */
    const replay = Effect.fnUntraced(function* <A, I>(of: Keyed & Claim<A, I>) {
      const { answer, repeated } = of
      const first = yield* stored.firstOr(
        sql`SELECT body_hash = ${hashOf(of.request)} AS same, response_sealed FROM idempotency_keys WHERE ${row(of)}`,
        () => new TooManyRequests({ retry_after_seconds: HOUR })
      )
      if (!first.same) return yield* new IdempotencyKeyReused()
      if (first.response_sealed === null) return yield* new InProgress()
      const text = yield* box.open(placeOf(of), first.response_sealed)
      const earlier = yield* Effect.orDie(Schema.decode(Schema.parseJson(answer))(text))
      yield* FiberRef.set(isReplayed, true)
      return repeated === undefined ? earlier : yield* repeated(earlier)
    })

    /**
     * Runs `work` once for the request's key, in one transaction with the key: after a failure the key is unused. A concurrent request
     * waits for the first one's commit. Without a key it just runs the work. Fails with `IdempotencyKeyReused` if the key was used for
     * another request, and with `TooManyRequests` at the limit.
     */
    const once = Effect.fnUntraced(function* <A, I, E, R>(by: Claim<A, I>, work: Effect.Effect<A, E, R>) {
      const key = yield* FiberRef.get(requestKey)
      if (Option.isNone(key)) return yield* transaction(work)
      const of = { ...by, ...key.value }
      return yield* Effect.gen(function* () {
        // a key without an answer is never visible: both are committed together
        if ((yield* claim(of)) === null) return yield* Effect.catchTag(replay(of), "InProgress", Effect.die)
        const answer = yield* claimed(work)
        yield* settle(of, answer)
        return answer
      }).pipe(transaction)
    })

    /**
     * As `once`, for work with remote calls, which must not run in a transaction. A concurrent request fails with `InProgress`; if the
     * process dies during the work, the key is free again after a minute.
     */
    const onceOutsideTransaction = Effect.fnUntraced(function* <A, I, E, R>(
      by: Claim<A, I>,
      work: Effect.Effect<A, E, R>
    ) {
      const key = yield* FiberRef.get(requestKey)
      if (Option.isNone(key)) return yield* work
      const of = { ...by, ...key.value }
      const kept = onlyOwner(of.owner_uid)
      const begun = yield* kept(transaction(claim(of)))
      if (begun === null) return yield* kept(replay(of))
      let since: number = begun
      // if the lease expired while the database was unavailable, another request may have claimed the key
      const own = () => sql`${row(of)} AND created_at = to_timestamp(${since}) AND response_sealed IS NULL`
      const renew = Effect.flatMap(clock.now, (now) =>
        Effect.tap(
          sql`UPDATE idempotency_keys SET created_at = to_timestamp(${now}) WHERE ${own()} RETURNING key`,
          (renewed) => {
            if (renewed.length > 0) since = now
          }
        )
      )
      // A failed renewal must not end the renewals
      const renewal = Effect.catchAllCause(kept(renew), (cause) =>
        Effect.logWarning("a request's key was not renewed", cause)
      )
      const renewing = Effect.interruptible(Effect.forever(Effect.delay(Effect.uninterruptible(renewal), RENEW_EVERY)))
      // No race: it ends by an interruption also where its caller is uninterruptible
      const answer = yield* Effect.onError(
        Effect.acquireUseRelease(Effect.forkDaemon(renewing), () => claimed(work), Fiber.interrupt),
        () => kept(Effect.orDie(Effect.suspend(() => sql`DELETE FROM idempotency_keys WHERE ${own()}`)))
      )
      yield* kept(settle(of, answer, own()))
      return answer
    })

    /** Deletes the owner's stored answers that contain one of these uids; returns how many. */
    const forget = Effect.fn("Idempotency.forget")(function* (owner_uid: string, uids: ReadonlyArray<string>) {
      const hashes = uidHashes(owner_uid, uids)
      const found = yield* answered.all(sql`SELECT scope, key FROM responses_with(${owner_uid}, ${hashes}::bigint[])`)
      yield* Effect.forEach(found, (of) => sql`DELETE FROM idempotency_keys WHERE ${row({ owner_uid, ...of })}`, {
        discard: true
      })
      return found.length
    }, Effect.orDie)

    return { once, onceOutsideTransaction, forget } as const
  })
}) {}
