/** `Idempotency-Key`: the same key and request are answered as the first time, also when both come at once. Section 2.6. */
import { SqlClient } from "@effect/sql"
import { Effect, FiberRef, Schema } from "effect"
import { IdempotencyKeyReused, InProgress } from "../schemas/access/errors.ts"
import { TooManyRequests } from "../schemas/problems.ts"
import { DAY, HOUR } from "../schemas/seconds.ts"
import { DomainClock } from "./DomainClock.ts"
import { Database } from "./database/Database.ts"
import { rowsOf } from "./database/rows.ts"
import { type Place, SecretBox } from "./sealing/SecretBox.ts"
import { ofOwner } from "./tenancy/Tenancy.ts"

/** Rule 2.6.3. */
const KEPT_SECONDS = DAY
/** How long a request that runs apart from its key's transaction keeps others waiting when its process has ended. */
const LEASE_SECONDS = 60
/** How often such a request takes its key anew, so that no other does its work however long a shop lets it wait. */
const RENEWED_AFTER = "20 seconds"
/**
 * Keys that one caller has at once; further ones are 429 until the first ones are a day old. A patient needs few, a partner's key
 * one for each booking. Each process counts again after a tenth of what was left, so that several of them let through a tenth more
 * each at most. Rule 2.6.10.
 */
const KEPT_MAX = { patient: 1_000, partner: 100_000 }
const keptMax = (scope: string) =>
  /^(?:session|patient|action_link):/.test(scope) ? KEPT_MAX.patient : KEPT_MAX.partner
/** How long a process takes a caller for one without room who had none, instead of counting again for each of its keys. */
const FULL_SECONDS = 10
/** Callers whose keys a process remembers to have counted. */
const COUNTED_MAX = 10_000

/** The owner of keys that belong to no tenant: of operators, and of keys of pharmacy groups. */
export const INSTALLATION = "installation"

/** Whom a key counts for. */
export interface KeyHolder {
  /** The organisation or pharmacy, or `INSTALLATION`. */
  readonly owner_uid: string
  /** The session, API key, patient or staff member. */
  readonly scope: string
}

export interface IdempotentRequest<A, I> extends KeyHolder {
  readonly key: string | undefined
  /** The operation and its body: another body under the same key is a conflict. */
  readonly request: unknown
  readonly answer: Schema.Schema<A, I>
  /** What a repetition answers, made of the first answer; by default that itself. */
  readonly repeated?: (first: A) => Effect.Effect<A>
}

/** Kept answers that are held in memory together while one is looked for. */
const ORDERS_PER_BATCH = 500

/** Whether the request of this fiber was answered as an earlier one. */
export const isReplayed = FiberRef.unsafeMake(false)

const Stored = Schema.Struct({ same: Schema.Boolean, response_sealed: Schema.NullOr(Schema.String) })

const Answer = Schema.Struct({
  owner_uid: Schema.String,
  scope: Schema.String,
  key: Schema.String,
  response_sealed: Schema.String
})

const hashOf = (request: unknown) => new Bun.CryptoHasher("sha256").update(JSON.stringify(request)).digest()

export class Idempotency extends Effect.Service<Idempotency>()("services/Idempotency", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const box = yield* SecretBox
    const { transaction } = yield* Database
    const stored = rowsOf(Stored)
    const answers = rowsOf(Answer)
    const counts = rowsOf(Schema.Struct({ kept: Schema.Number }))
    /** Keys that a caller may use before they are counted again; one who may use none is counted again from `full_until` on. */
    const uncounted = new Map<string, { readonly left: number; readonly full_until: number }>()

    type Keyed = KeyHolder & { readonly key: string }
    const row = ({ owner_uid, scope, key }: Keyed) =>
      sql`owner_uid = ${owner_uid} AND scope = ${scope} AND key = ${key}`
    const placeOf = ({ owner_uid, scope, key }: Keyed): Place => ({
      table: "idempotency_keys",
      column: "response_sealed",
      row: [owner_uid, scope, key]
    })

    const hasRoom = Effect.fnUntraced(function* ({ owner_uid, scope }: Keyed, now: number) {
      const caller = `${owner_uid} ${scope}`
      const { left, full_until } = uncounted.get(caller) ?? { left: 0, full_until: 0 }
      if (left > 0) uncounted.set(caller, { left: left - 1, full_until })
      if (left > 0 || now < full_until) return left > 0
      const max = keptMax(scope)
      const { kept } = yield* counts.one(sql`SELECT count(*) AS kept FROM (SELECT 1 FROM idempotency_keys
        WHERE owner_uid = ${owner_uid} AND scope = ${scope} LIMIT ${max}) AS counted`)
      if (uncounted.size >= COUNTED_MAX) uncounted.clear()
      uncounted.set(caller, { left: Math.floor((max - kept) / 10), full_until: kept < max ? 0 : now + FULL_SECONDS })
      return kept < max
    })

    /**
     * When the key became this request's; null where it is another one's, or new and the caller has too many. Waits for the
     * transaction of another request with the key.
     */
    const claim = Effect.fnUntraced(function* (of: Keyed, request: unknown) {
      const now = yield* clock.now
      const isOver = sql`(idempotency_keys.created_at <= to_timestamp(${now - KEPT_SECONDS})
        OR (idempotency_keys.response_sealed IS NULL
          AND idempotency_keys.created_at <= to_timestamp(${now - LEASE_SECONDS})))`
      const claimed = (yield* hasRoom(of, now))
        ? yield* sql`
          INSERT INTO idempotency_keys (owner_uid, scope, key, body_hash, created_at)
          VALUES (${of.owner_uid}, ${of.scope}, ${of.key}, ${hashOf(request)}, to_timestamp(${now}))
          ON CONFLICT (owner_uid, scope, key) DO UPDATE
            SET body_hash = excluded.body_hash, response_sealed = NULL, created_at = excluded.created_at
            WHERE ${isOver}
          RETURNING key`
        : yield* sql`UPDATE idempotency_keys
          SET body_hash = ${hashOf(request)}, response_sealed = NULL, created_at = to_timestamp(${now})
          WHERE ${row(of)} AND ${isOver}
          RETURNING key`
      return claimed.length > 0 ? now : null
    }, Effect.orDie)

    const settle = Effect.fnUntraced(function* <A, I>(of: Keyed, schema: Schema.Schema<A, I>, answer: A, at = row(of)) {
      const text = JSON.stringify(yield* Schema.encode(schema)(answer))
      yield* sql`UPDATE idempotency_keys SET response_sealed = ${yield* box.seal(placeOf(of), text)} WHERE ${at}`
    }, Effect.orDie)

    /**
     * The first answer. Fails with `IdempotencyKeyReused`, with `InProgress` while there is none, and with `TooManyRequests` for a
     * key that there was no room for.
     */
    const replay = Effect.fnUntraced(function* <A, I>(
      of: Keyed,
      { request, answer, repeated }: IdempotentRequest<A, I>
    ) {
      const first = yield* stored.firstOr(
        sql`SELECT body_hash = ${hashOf(request)} AS same, response_sealed FROM idempotency_keys WHERE ${row(of)}`,
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
     * Runs `work` once for its key, in one transaction with it: a failure leaves the key unused. A second request waits
     * for the first one's commit. Without a key it runs the work. Fails with `IdempotencyKeyReused` when the key came
     * with another request before, and with `TooManyRequests` for one key too many.
     */
    const once = <A, I, E, R>(request: IdempotentRequest<A, I>, work: Effect.Effect<A, E, R>) => {
      const { key } = request
      if (key === undefined) return transaction(work)
      const of = { ...request, key }
      return Effect.gen(function* () {
        // a key without an answer cannot be seen: it is committed together with one
        if ((yield* claim(of, request.request)) === null)
          return yield* Effect.catchTag(replay(of, request), "InProgress", Effect.die)
        const answer = yield* work
        yield* settle(of, request.answer, answer)
        return answer
      }).pipe(transaction)
    }

    /**
     * The same for work that asks others and may therefore not run in a transaction. A second request meanwhile fails with
     * `InProgress`; after the end of a process in the midst of the work, the key is free again a minute later.
     */
    const onceApart = Effect.fnUntraced(function* <A, I, E, R>(
      request: IdempotentRequest<A, I>,
      work: Effect.Effect<A, E, R>
    ) {
      const { key } = request
      if (key === undefined) return yield* work
      const of = { ...request, key }
      const kept = ofOwner(of.owner_uid)
      const claimed = yield* kept(transaction(claim(of, request.request)))
      if (claimed === null) return yield* kept(replay(of, request))
      let since: number = claimed
      // whose lease was over, the database being away, has lost the key to whoever claimed it since
      const own = () => sql`${row(of)} AND created_at = to_timestamp(${since}) AND response_sealed IS NULL`
      const renew = Effect.flatMap(clock.now, (now) =>
        Effect.tap(
          sql`UPDATE idempotency_keys SET created_at = to_timestamp(${now}) WHERE ${own()} RETURNING key`,
          (renewed) => {
            if (renewed.length > 0) since = now
          }
        )
      )
      // Whatever happens to a renewal, the work goes on: a defect would end the race as well
      const renewal = Effect.catchAllCause(kept(renew), (cause) =>
        Effect.logWarning("a request's key was not renewed", cause)
      )
      const renewing = Effect.interruptible(
        Effect.forever(Effect.delay(Effect.uninterruptible(renewal), RENEWED_AFTER))
      )
      const answer = yield* Effect.onError(Effect.raceFirst(work, renewing), () =>
        kept(Effect.orDie(Effect.suspend(() => sql`DELETE FROM idempotency_keys WHERE ${own()}`)))
      )
      yield* kept(settle(of, request.answer, answer, own()))
      return answer
    })

    /**
     * Forgets the owner's kept answers that mention one of these identifiers; returns how many. All of the last day are opened,
     * some at a time.
     */
    const forget = Effect.fn("Idempotency.forget")(function* (owner_uid: string, identifiers: ReadonlyArray<string>) {
      let forgotten = 0
      let last = { scope: "", key: "" }
      for (;;) {
        const kept = yield* answers.all(sql`SELECT owner_uid, scope, key, response_sealed FROM idempotency_keys
          WHERE owner_uid = ${owner_uid} AND response_sealed IS NOT NULL AND (scope, key) > (${last.scope}, ${last.key})
          ORDER BY scope, key LIMIT ${ORDERS_PER_BATCH}`)
        const mentioning = yield* Effect.filter(kept, ({ response_sealed, ...of }) =>
          Effect.map(box.open(placeOf(of), response_sealed), (text) => identifiers.some((one) => text.includes(one)))
        )
        yield* Effect.forEach(mentioning, (of) => Effect.orDie(sql`DELETE FROM idempotency_keys WHERE ${row(of)}`))
        forgotten += mentioning.length
        if (kept.length < ORDERS_PER_BATCH) return forgotten
        last = kept.at(-1) ?? last
      }
    })

    return { once, onceApart, forget } as const
  }),
  dependencies: [Database.Default, DomainClock.Default]
}) {}
