/** The installation as operators see it (section 8.5). */
import { Schema } from "effect"
import { AuditQuery } from "../audit/AuditEntry.ts"
import { OrderTopic, WaitingReason } from "../checkout/OrderWebhook.ts"
import { OwnerUid } from "../events/definition.ts"
import { body, Count, Flag, Opaque, UnixSeconds, withDefault, withExample } from "../fields.ts"
import { lookedUp, PharmacyOrderUid, PharmacyUid } from "../ids.ts"
import { ComponentType } from "../pharmacy/Payout.ts"

/** A process of the service, as it reports itself. */
export const Replica = Schema.Struct({
  uid: Schema.String.annotations({ description: "Identifier of the process, made at its start" }),
  host: Schema.String.annotations({ description: "Name of its machine or container" }),
  role: Schema.Literal("all", "http", "worker").annotations({ description: "Its `ROLE`" }),
  version: Schema.String.annotations({ description: "Version of the service that it runs" }),
  started_at: UnixSeconds,
  seen_at: UnixSeconds.annotations({ description: "When it last reported itself; it does so once a minute" })
}).annotations({ identifier: "Replica" })
export type Replica = typeof Replica.Type

const SealedBy = Schema.Struct({
  key_id: Schema.String.annotations({
    description: "Identifier of the master key, or `vault:` and the version of the transit key"
  }),
  data_keys: Count.annotations({ description: "Data keys of organisations and pharmacies that it seals" })
})

export const InstallationStatus = Schema.Struct({
  ready: Schema.Boolean.annotations({ description: "Result of `/readyz`" }),
  reason: Schema.NullOr(Schema.String).annotations({ description: "Why the process is not ready; null where it is" }),
  versions: Schema.Struct({
    service: Schema.String.annotations({ description: "Version of this process" }),
    bun: Schema.String.annotations({ description: "Version of Bun" }),
    postgresql: Schema.String.annotations({ description: "Version of PostgreSQL" })
  }).annotations({ description: "Running versions" }),
  replicas: Schema.Array(Replica).annotations({
    description: "Processes that reported themselves within the last three minutes, the oldest first"
  }),
  master_key: Schema.Struct({
    key_id: Schema.String.annotations({ description: "The master key that seals now" }),
    opens: Schema.Boolean.annotations({ description: "Whether it, or an earlier one that is set, opens the database" }),
    sealed: Schema.Array(SealedBy).annotations({
      description:
        "Data keys by master key. While more than one is listed, `cli secrets rotate-master-key` is not finished"
    })
  }).annotations({ description: "The key under which secrets and data keys are sealed" })
}).annotations({ identifier: "InstallationStatus" })
export type InstallationStatus = typeof InstallationStatus.Type

export const JobQueue = Schema.Struct({
  name: Schema.String.annotations({ description: "Name of the queue; `dead_letters` holds what was given up" }),
  ready: Count.annotations({ description: "Jobs that a worker could take now" }),
  deferred: Count.annotations({ description: "Jobs for later, retries among them" }),
  active: Count.annotations({ description: "Jobs that are being worked on" }),
  failed: Count.annotations({ description: "Jobs that failed and are still kept" })
}).annotations({ identifier: "JobQueue" })
export type JobQueue = typeof JobQueue.Type

export const DeadLetterUid = lookedUp(255, "Identifier of the dead letter")

export const DeadLetter = Schema.Struct({
  uid: DeadLetterUid,
  queue: Schema.NullOr(Schema.String).annotations({ description: "Queue of the job; null where it is not known" }),
  payload: Schema.Record({ key: Schema.String, value: Schema.String }).annotations({
    description: "Identifiers that the job carries"
  }),
  error: Schema.NullOr(Schema.String).annotations({ description: "Why its last attempt failed; null where unknown" }),
  attempts: Count.annotations({ description: "Attempts after the first" }),
  made_at: UnixSeconds.annotations({ description: "When the job was made" }),
  given_up_at: UnixSeconds.annotations({ description: "When its attempts were used up" })
}).annotations({ identifier: "DeadLetter" })
export type DeadLetter = typeof DeadLetter.Type

export const WebhookBacklog = Schema.Struct({
  owner_uid: Schema.String.annotations({ description: "The organisation's or the pharmacy's uid" }),
  subscription_uid: Schema.String.annotations({ description: "Identifier of the subscription" }),
  url: Schema.String.annotations({ description: "URL of its receiver" }),
  active: Schema.Boolean.annotations({ description: "Whether it takes new deliveries" }),
  pending: Count.annotations({ description: "Deliveries that wait for their first or a further attempt" }),
  failed: Count.annotations({ description: "Deliveries that were given up and are kept" }),
  oldest_at: Schema.NullOr(UnixSeconds).annotations({
    description: "Event of the oldest pending one; null without one"
  })
}).annotations({ identifier: "WebhookBacklog" })
export type WebhookBacklog = typeof WebhookBacklog.Type

/** The subscription whose failed deliveries are to be sent again, and its owner. */
export const BacklogReplay = withExample(
  body({ owner_uid: OwnerUid.annotations({ description: "The organisation's or the pharmacy's uid" }) }),
  { owner_uid: "org_demo" }
)

export const ReplayedBacklog = Schema.Struct({
  replayed: Count.annotations({ description: "Deliveries that were given up and are sent again" })
})

export const ParkedPayout = Schema.Struct({
  pharmacy_uid: PharmacyUid,
  pharmacy_order_uid: PharmacyOrderUid,
  component_type: ComponentType.annotations({ description: "Part of the payout" }),
  amount: Count.annotations({ description: "Cents" }),
  currency: Schema.String.annotations({ description: "ISO 4217" }),
  parked_reason: Schema.String.annotations({ description: "Why the payout is parked" })
}).annotations({ identifier: "ParkedPayout" })
export type ParkedPayout = typeof ParkedPayout.Type

/** The log's owner, and the query of its entries. */
export const OwnersAuditQuery = body({
  owner_uid: lookedUp(255, "An organisation's or a pharmacy's uid; `installation` for the installation's own log"),
  ...AuditQuery.fields
})

/** The order whose parked payouts are to be routed. */
export const PayoutResumption = body({ pharmacy_uid: PharmacyUid, pharmacy_order_uid: PharmacyOrderUid })

export const ResumedPayouts = Schema.Struct({
  orders: Schema.Array(PharmacyOrderUid).annotations({ description: "Orders whose payouts are on their way again" })
})

export const WaitingOrder = Schema.Struct({
  shop_identifier: Schema.String.annotations({ description: "The shop that sent it" }),
  order_id: Schema.String.annotations({ description: "Identifier of the order at the shop" }),
  name: Schema.String.annotations({ description: "Name of the order at the shop" }),
  topic: OrderTopic.annotations({ description: "The last webhook about it" }),
  reason: WaitingReason.annotations({
    description:
      "no_pharmacy: give the shop a default pharmacy, or a pharmacy every SKU of the order. prescription_not_usable: a " +
      "prescription that a line names is not signed, is completed or cancelled, or does not hold the article. " +
      "anamnesis_required: the shop demands an anamnesis for an article, and its line has none"
  }),
  waiting_since: UnixSeconds
}).annotations({ identifier: "WaitingOrder" })
export type WaitingOrder = typeof WaitingOrder.Type

export const ReleasedOrder = withExample(
  body({
    shop_identifier: Opaque(255).annotations({ description: "Identifier of the shop" }),
    order_id: Opaque(255).annotations({ description: "The shop's id of the order" })
  }),
  { shop_identifier: "demo-shop", order_id: "5123456789" }
)

export const RetriedOrders = Schema.Struct({
  tried: Count.annotations({ description: "Orders that waited and were tried again" })
})

export const ProvisioningRequest = body({
  file: withExample(
    Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
      description: "A provisioning file, as `cli provision --schema` describes it",
      message: () => "must be a JSON object"
    }),
    {}
  ),
  dry_run: withDefault(Flag.annotations({ description: "Show the differences and change nothing" }), true),
  reset: withDefault(
    Flag.annotations({ description: "Write every entry, also those that have not changed in the file" }),
    false
  )
})

const shown = Schema.NullOr(Schema.String)

export const ProvisioningResult = Schema.Struct({
  applied: Schema.Boolean.annotations({ description: "Whether anything was changed; never by a dry run" }),
  written: Count.annotations({ description: "Entries that were written, or that a dry run would write otherwise" }),
  differences: Schema.Array(
    Schema.Struct({
      list: Schema.String.annotations({ description: "List of the file" }),
      index: Count.annotations({ description: "Place in the list, from 0" }),
      outcome: Schema.Literal("created", "changed", "kept").annotations({
        description: "kept: the record has been changed by the interface since, and the entry has not"
      }),
      fields: Schema.Array(
        Schema.Struct({
          field: Schema.String.annotations({ description: "A column, with its table where the entry has several" }),
          before: shown.annotations({ description: "As JSON; null where there is none, and for secrets" }),
          after: shown.annotations({ description: "As JSON; null where there is none, and for secrets" })
        })
      ).annotations({ description: "Differing fields; empty for a new record" })
    })
  ).annotations({ description: "Differences found by a dry run; empty otherwise" })
}).annotations({ identifier: "ProvisioningResult" })
export type ProvisioningResult = typeof ProvisioningResult.Type
