/**
 * Who wants to hear of events, and where (decisions on webhooks: specification §4.3, §4.5). The owner is an organisation or
 * a pharmacy; another owner's subscription is not there.
 */
import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import type { EventType } from "../../schemas/events/Event.ts"
import type { Subscription, SubscriptionChanges } from "../../schemas/events/Subscription.ts"
import { SubscriptionUid } from "../../schemas/ids.ts"
import { invalid, NotFound } from "../../schemas/problems.ts"
import { DomainClock } from "../DomainClock.ts"
import { SecretBox } from "../SecretBox.ts"
import { transaction } from "../transaction.ts"
import { newUid } from "../uid.ts"
import { newWebhookSecret } from "./signature.ts"
import { WebhookSender } from "./WebhookSender.ts"

/** Both secrets sign for this long after a rotation. */
const OVERLAP_SECONDS = 24 * 3600

export interface NewSubscription {
  readonly owner_kind: "organisation" | "pharmacy"
  readonly event_types: ReadonlyArray<EventType>
  readonly url: string
}

/** Where and how to deliver, secrets opened, the newest first. */
export interface Destination {
  readonly url: string
  readonly owner_kind: "organisation" | "pharmacy"
  readonly event_types: ReadonlyArray<EventType>
  readonly secrets: ReadonlyArray<string>
}

const notThere = new NotFound({ what: "Subscription" })

export class Subscriptions extends Effect.Service<Subscriptions>()("events/Subscriptions", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const box = yield* SecretBox
    const sender = yield* WebhookSender
    const columns = sql.literal("uid, event_types, url, active, created_at")

    const only = <A>(rows: ReadonlyArray<A>) => Effect.mapError(Option.fromNullable(rows[0]), () => notThere)
    const mine = (owner: string, uid: string) => sql`owner_uid = ${owner} AND uid = ${uid} AND deleted_at IS NULL`
    const examined = (url: string) => Effect.mapError(sender.examine(url), ({ why }) => invalid("url", why))

    /** What is still owed to a subscription that takes nothing more counts as failed; it can be replayed. */
    const giveUp = (owner: string, uid: string) =>
      sql`UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL
        WHERE owner_uid = ${owner} AND subscription_uid = ${uid} AND status = 'pending'`

    const list = Effect.fn("Subscriptions.list")(function* (owner: string) {
      return yield* sql<Subscription>`SELECT ${columns} FROM webhook_subscriptions
        WHERE owner_uid = ${owner} AND deleted_at IS NULL ORDER BY created_at, uid`.pipe(Effect.orDie)
    })

    const get = Effect.fn("Subscriptions.get")(function* (owner: string, uid: string) {
      const rows =
        yield* sql<Subscription>`SELECT ${columns} FROM webhook_subscriptions WHERE ${mine(owner, uid)}`.pipe(
          Effect.orDie
        )
      return yield* only(rows)
    })

    /** Subscribes an address; the secret is told here and never again. 400 when webhooks may not go there. */
    const create = Effect.fn("Subscriptions.create")(function* (owner: string, wanted: NewSubscription) {
      yield* examined(wanted.url)
      const now = yield* clock.now
      const uid = yield* newUid(SubscriptionUid)
      const secret = newWebhookSecret()
      const [row] = yield* sql<Subscription>`INSERT INTO webhook_subscriptions
          (owner_uid, uid, owner_kind, event_types, url, active, secret_sealed, created_at)
        VALUES (${owner}, ${uid}, ${wanted.owner_kind}, ${[...new Set(wanted.event_types)] as never}, ${wanted.url},
          true, ${yield* box.seal(secret)}, to_timestamp(${now}))
        RETURNING ${columns}`.pipe(Effect.orDie)
      return row === undefined ? yield* Effect.dieMessage("an insert returns its row") : { ...row, secret }
    })

    /** Moves, pauses or re-enables. Paused, it is owed nothing; what happens meanwhile is in the feed alone. */
    const update = Effect.fn("Subscriptions.update")(
      function* (owner: string, uid: string, { active, url }: SubscriptionChanges) {
        const rows = yield* sql<Subscription>`UPDATE webhook_subscriptions
          SET active = coalesce(${active ?? null}, active), url = coalesce(${url ?? null}, url)
          WHERE ${mine(owner, uid)} RETURNING ${columns}`
        if (active === false) yield* giveUp(owner, uid)
        return yield* only(rows)
      },
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql)
    )

    const examinedUpdate = (owner: string, uid: string, changes: SubscriptionChanges) =>
      Effect.zipRight(changes.url === undefined ? Effect.void : examined(changes.url), update(owner, uid, changes))

    const remove = Effect.fn("Subscriptions.remove")(
      function* (owner: string, uid: string) {
        const now = yield* clock.now
        const rows = yield* sql`UPDATE webhook_subscriptions SET deleted_at = to_timestamp(${now}), active = false
          WHERE ${mine(owner, uid)} RETURNING uid`
        yield* only(rows)
        yield* giveUp(owner, uid)
      },
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql)
    )

    /** A new secret; for 24 hours both sign, so that the receiver can change over at leisure. */
    const rotateSecret = Effect.fn("Subscriptions.rotateSecret")(function* (owner: string, uid: string) {
      const now = yield* clock.now
      const secret = newWebhookSecret()
      const rows = yield* sql`UPDATE webhook_subscriptions
        SET previous_secret_sealed = secret_sealed, secret_sealed = ${yield* box.seal(secret)},
          previous_secret_until = to_timestamp(${now + OVERLAP_SECONDS})
        WHERE ${mine(owner, uid)} RETURNING uid`.pipe(Effect.orDie)
      yield* only(rows)
      return { secret }
    })

    /** Nothing more is sent until somebody re-enables it: the receiver is gone (410), or it was paused or removed. */
    const disable = Effect.fn("Subscriptions.disable")(function* (owner: string, uid: string) {
      yield* sql`UPDATE webhook_subscriptions SET active = false WHERE ${mine(owner, uid)}`
      yield* giveUp(owner, uid)
    }, Effect.orDie)

    /** None once it is paused or removed. */
    const destination = Effect.fn("Subscriptions.destination")(function* (owner: string, uid: string) {
      const now = yield* clock.now
      const [row] = yield* sql<Omit<Destination, "secrets"> & { readonly sealed: ReadonlyArray<string> }>`
        SELECT url, owner_kind, event_types, CASE WHEN previous_secret_until > to_timestamp(${now})
          THEN ARRAY[secret_sealed, previous_secret_sealed] ELSE ARRAY[secret_sealed] END AS sealed
        FROM webhook_subscriptions WHERE ${mine(owner, uid)} AND active`.pipe(Effect.orDie)
      if (row === undefined) return Option.none<Destination>()
      const { sealed, ...rest } = row
      return Option.some<Destination>({ ...rest, secrets: yield* Effect.forEach(sealed, box.open) })
    })

    return { list, get, create, update: examinedUpdate, remove, rotateSecret, disable, destination } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
