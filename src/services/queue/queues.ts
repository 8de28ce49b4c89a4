import { Schema } from "effect"
import type { QueueOptions } from "pg-boss"
import { OwnerUid } from "../../schemas/events/definition.ts"
import { UnixSeconds } from "../../schemas/fields.ts"
import {
  MessageUid,
  OrganisationUid,
  PharmacyOrderUid,
  PharmacyUid,
  PrescriptionUid,
  SubscriptionUid
} from "../../schemas/ids.ts"
import { DAY, HOUR } from "../../schemas/seconds.ts"

/** A queue's payload and retry options. Payloads hold ids only: the worker reads the rows again. */
export interface QueueDeclaration<S extends Schema.Schema.AnyNoContext = Schema.Schema.AnyNoContext> {
  readonly payload: S
  readonly options: QueueOptions
}

/**
 * Five retries over about five minutes, then the dead letter queue. A dead worker is detected by its missing heartbeat, a hanging one by
 * the expiry.
 */
const persistent: QueueOptions = {
  retryLimit: 5,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 300,
  heartbeatSeconds: 20,
  expireInSeconds: 300,
  retentionSeconds: 14 * DAY,
  deleteAfterSeconds: DAY
}

/** The periodic tasks of one interval (src/jobs/Ticks.ts): not retried on failure, since the next tick does the same work. */
const tick = {
  payload: Schema.Struct({}),
  options: {
    retryLimit: 0,
    heartbeatSeconds: 20,
    expireInSeconds: 300,
    retentionSeconds: 600,
    deleteAfterSeconds: HOUR
  }
} satisfies QueueDeclaration

/** A queue whose jobs are retried. */
export const queue = <S extends Schema.Schema.AnyNoContext>(
  payload: S,
  options: QueueOptions = {}
): QueueDeclaration<S> => ({
  payload,
  options: { ...persistent, ...options }
})

const core = {
  "storefront.invoice": queue(
    Schema.Struct({
      shop_identifier: Schema.String,
      draft_order_id: Schema.String,
      /** How often the job was re-queued without a call to the shop. */
      put_back: Schema.optional(Schema.Number)
    })
  ),
  "payout.route": queue(Schema.Struct({ pharmacy_uid: PharmacyUid, pharmacy_order_uid: PharmacyOrderUid })),
  "prescription.render": queue(Schema.Struct({ organisation_uid: OrganisationUid, prescription_uid: PrescriptionUid })),
  "prescription.forget": queue(Schema.Struct({ organisation_uid: OrganisationUid, prescription_uid: PrescriptionUid })),
  "webhook.deliver": queue(Schema.Struct({ owner_uid: OwnerUid, subscription_uid: SubscriptionUid })),
  /** `failed_until`: time of the request, so that those that fail again meanwhile are left. */
  "webhook.replay": queue(
    Schema.Struct({ owner_uid: OwnerUid, subscription_uid: SubscriptionUid, failed_until: UnixSeconds })
  ),
  "message.forget": queue(Schema.Struct({ organisation_uid: OrganisationUid, message_uids: Schema.Array(MessageUid) })),
  /** The owner of stored idempotent answers, which may be the installation; uids that they may contain. */
  "answers.forget": queue(Schema.Struct({ owner_uid: Schema.String, identifiers: Schema.Array(Schema.String) })),
  "message.send": queue(Schema.Struct({ organisation_uid: OrganisationUid, message_uid: MessageUid })),
  "maintenance.every_minute": tick,
  "maintenance.every_5_minutes": tick,
  "maintenance.every_10_minutes": tick
} satisfies Record<string, QueueDeclaration>

type Core = typeof core
/** The declarations by name. A capability declares its own here, too: `declare module`. */
export interface Queues extends Core {}

/** Every queue of the service, created at start. `Jobs.send` and the workers refer to it by name. */
export const queues = { ...core } as Queues // capabilities add the rest

/** Adds a capability's queues. Called at start, before they are created. */
export const addQueues = (added: Partial<Queues>) => {
  Object.assign(queues, added)
}

/** The queue whose job runs the tasks of an interval. */
export const intervalQueues = {
  1: "maintenance.every_minute",
  5: "maintenance.every_5_minutes",
  10: "maintenance.every_10_minutes"
} as const

export type QueueName = keyof Queues
export type Payload<Q extends QueueName> = Queues[Q]["payload"]["Type"]

export interface WorkerSettings {
  /** Concurrent jobs of this queue in the process. */
  readonly concurrency?: number
  /**
   * Concurrent jobs of one group in all processes. Not exact: processes that fetch at the same moment may each take one.
   * Default: no groups.
   */
  readonly ofGroup?: number
}

/** The schema of one queue's payload. The cast: the compiler sees the union over all queues. */
export const payloadOf = <Q extends QueueName>(queue: Q) => queues[queue].payload as Schema.Schema<Payload<Q>, unknown>

/** Queue of jobs without attempts left, for an operator to inspect and re-queue. */
export const DEAD_LETTERS = "dead_letters"
