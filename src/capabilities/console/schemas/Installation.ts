/** The installation as operators see it (section 8.5). */
import { Schema } from "effect"
import { PracticeRole } from "../../../schemas/access/PracticeRole.ts"
import { OwnerUid } from "../../../schemas/events/definition.ts"
import {
  body,
  Count,
  described,
  Flag,
  Opaque,
  omittable,
  TimeZone,
  UnixSeconds,
  withDefault,
  withExample
} from "../../../schemas/fields.ts"
import { lookedUp, PharmacyOrderUid, PharmacyUid } from "../../../schemas/ids.ts"
import { keys, pageQuery } from "../../../schemas/paging.ts"
import { ComponentType } from "../../../schemas/pharmacy/Payout.ts"
import { SearchText } from "../../../schemas/SearchText.ts"
import { OrderTopic, WaitingReason } from "../../shared/schemas/OrderWebhook.ts"
import { Replica } from "../../shared/schemas/Replica.ts"

const SealedBy = Schema.Struct({
  key_id: described(Schema.String, "Identifier of the master key, or `vault:` and the version of the transit key"),
  data_keys: described(Count, "Data keys of organisations and pharmacies that it seals")
})

const Mails = Schema.Struct({
  sent_by: Schema.Literal("smtp", "folder", "nothing").annotations({
    description: "folder: of development; nothing: `SMTP_URL` is not set, and mails wait"
  }),
  waiting: described(Count, "Mails and text messages that are not sent yet"),
  failed: described(Count, "Those of the last 24 hours that were given up"),
  last_sent_at: described(Schema.NullOr(UnixSeconds), "The latest, of messages of the last 24 hours; null without one")
})

const Disk = Schema.Struct({
  database_bytes: described(Count, "Size of the database"),
  files: Schema.NullOr(
    Schema.Struct({
      free_bytes: described(Count, "Free for this process"),
      total_bytes: described(Count, "Size of the disk")
    })
  ).annotations({ description: "The disk of a local file store, which an embedded database shares; null for a bucket" })
})

const LogBackup = Schema.Struct({
  kept_by: Schema.Literal("archive", "stream", "nothing").annotations({
    description:
      "archive: `archive_mode` is on; stream: a receiver has a replication slot; nothing: the log is not kept"
  }),
  working: described(Schema.Boolean, "archive: the last segment was archived; stream: the receiver is connected"),
  last_at: described(Schema.NullOr(UnixSeconds), "The last archived segment; null without one, and for a stream")
})

const Errors = Schema.Struct({
  failed: described(Count, "Requests that this process answered with a status from 500 on"),
  answered: described(Count, "All requests that it has answered"),
  since: described(UnixSeconds, "Start of this process")
})

export const InstallationStatus = Schema.Struct({
  ready: described(Schema.Boolean, "Result of `/readyz`"),
  reason: described(Schema.NullOr(Schema.String), "Why the process is not ready; null where it is"),
  versions: Schema.Struct({
    service: described(Schema.String, "Version of this process"),
    bun: described(Schema.String, "Version of Bun"),
    postgresql: described(Schema.String, "Version of PostgreSQL")
  }).annotations({ description: "Running versions" }),
  replicas: Schema.Array(Replica).annotations({
    description: "Processes that reported themselves within the last three minutes, the oldest first"
  }),
  master_key: Schema.Struct({
    key_id: described(Schema.String, "The master key that seals now"),
    opens: described(Schema.Boolean, "Whether it, or an earlier one that is set, opens the database"),
    sealed: Schema.Array(SealedBy).annotations({
      description:
        "Data keys by master key. While more than one is listed, `cli secrets rotate-master-key` is not finished"
    })
  }).annotations({ description: "The key under which secrets and data keys are sealed" }),
  mails: Mails.annotations({ description: "Mails and text messages of all organisations" }),
  disk: Disk.annotations({ description: "What the data takes, and what is left" }),
  backup: LogBackup.annotations({ description: "Whether the database's write-ahead log is kept elsewhere" }),
  errors: Errors.annotations({ description: "Failed requests of this process" })
}).annotations({ identifier: "InstallationStatus" })
export type InstallationStatus = typeof InstallationStatus.Type

/** An organisation or a pharmacy of the installation. */
export const Owner = Schema.Struct({
  uid: described(Schema.String, "The organisation's or the pharmacy's uid"),
  kind: Schema.Literal("organisation", "pharmacy").annotations({ description: "What it is" }),
  name: described(Schema.String, "Its name"),
  timezone: described(Schema.NullOr(TimeZone), "Time zone of an organisation; null for a pharmacy"),
  shops: described(
    Schema.Array(Schema.String.annotations({ examples: ["praxis"] })),
    "Identifiers of an organisation's shops"
  ),
  doctors: described(Count, "Doctors of an organisation"),
  created_at: described(Schema.NullOr(UnixSeconds), "When an organisation was made; null for a pharmacy")
}).annotations({ identifier: "Owner" })
export type Owner = typeof Owner.Type

/** Somebody who acts in an organisation, or a key of it, by the names of its audit log. */
const OrganisationMember = Schema.Struct({
  kind: Schema.Literal("doctor", "admin", "api_key").annotations({ description: "As actors of the audit log" }),
  uid: described(Schema.String, "Identifier of the record"),
  subject: described(
    Schema.NullOr(Schema.String),
    "Of an admin: the identifier as an actor; null before the first sign-in"
  ),
  name: described(Schema.String, "Its name"),
  role: described(Schema.NullOr(PracticeRole), "Of an admin, as far as it is known"),
  active: described(Schema.Boolean, "Whether the person may sign in, the doctor is there, the key is valid"),
  seen_at: described(Schema.NullOr(UnixSeconds), "Of an admin: the last sign-in; of a key: the last use")
})

/** What an operator sees of one organisation. Rule 8.5.12. */
export const OrganisationState = Schema.Struct({
  ...Owner.omit("kind").fields,
  setup: Schema.Struct({
    hours: described(Schema.Boolean, "Whether a doctor has hours"),
    types: described(Count, "Types that can be booked"),
    legal: described(Schema.Boolean, "Whether imprint and privacy notice are stated"),
    booked: described(Schema.Boolean, "Whether anything was ever booked")
  }).annotations({ description: "What bookings need" }),
  mails: Mails.omit("sent_by").annotations({ description: "Its mails and text messages" }),
  last_activity_at: described(
    Schema.NullOr(UnixSeconds),
    "The latest entry of its audit log by somebody else than operators and jobs; null without one"
  ),
  members: Schema.Array(OrganisationMember).annotations({ description: "By name, at most 1,000; former ones last" })
}).annotations({ identifier: "OrganisationState" })
export type OrganisationState = typeof OrganisationState.Type

export const OwnerQuery = body({
  ...pageQuery(200, Schema.Tuple(keys.text, keys.text)),
  kind: omittable(Schema.Literal("organisation", "pharmacy").annotations({ description: "Only these" })),
  uids: omittable(SearchText("Only those with these uids, separated by commas", 10_000)),
  search: omittable(SearchText("Part of the name, of the uid or of a shop's identifier"))
})
export type OwnerQuery = typeof OwnerQuery.Type

export const JobQueue = Schema.Struct({
  name: described(Schema.String, "Name of the queue; `dead_letters` holds what was given up"),
  ready: described(Count, "Jobs that a worker could take now"),
  deferred: described(Count, "Jobs for later, retries among them"),
  active: described(Count, "Jobs that are being worked on"),
  failed: described(Count, "Jobs that failed and are still kept")
}).annotations({ identifier: "JobQueue" })
export type JobQueue = typeof JobQueue.Type

export const DeadLetterUid = lookedUp(255, "Identifier of the dead letter")

export const DeadLetter = Schema.Struct({
  uid: DeadLetterUid,
  queue: described(Schema.NullOr(Schema.String), "Queue of the job; null where it is not known"),
  payload: described(Schema.Record({ key: Schema.String, value: Schema.String }), "Identifiers that the job carries"),
  error: described(Schema.NullOr(Schema.String), "Why its last attempt failed; null where unknown"),
  attempts: described(Count, "Attempts after the first"),
  made_at: described(UnixSeconds, "When the job was made"),
  given_up_at: described(UnixSeconds, "When its attempts were used up")
}).annotations({ identifier: "DeadLetter" })
export type DeadLetter = typeof DeadLetter.Type

/** The subscription whose failed deliveries are to be sent again, and its owner. */
export const BacklogReplay = withExample(
  body({ owner_uid: described(OwnerUid, "The organisation's or the pharmacy's uid") }),
  { owner_uid: "org_demo" }
)

export const ReplayedBacklog = Schema.Struct({
  replayed: described(Count, "Deliveries that were given up and are sent again")
})

export const ParkedPayout = Schema.Struct({
  pharmacy_uid: PharmacyUid,
  pharmacy_order_uid: PharmacyOrderUid,
  pharmacy_order_name: described(Schema.NullOr(Schema.String), "Name of the order; null without one"),
  component_type: described(ComponentType, "Part of the payout"),
  amount: described(Count, "Cents"),
  currency: described(Schema.String, "ISO 4217"),
  parked_reason: described(Schema.String, "Why the payout is parked")
}).annotations({ identifier: "ParkedPayout" })
export type ParkedPayout = typeof ParkedPayout.Type

/** The order whose parked payouts are to be routed. */
export const PayoutResumption = body({ pharmacy_uid: PharmacyUid, pharmacy_order_uid: PharmacyOrderUid })

export const ResumedPayouts = Schema.Struct({
  orders: described(Schema.Array(PharmacyOrderUid), "Orders whose payouts are on their way again")
})

export const WaitingOrder = Schema.Struct({
  shop_identifier: described(Schema.String, "The shop that sent it"),
  order_id: described(Schema.String, "Identifier of the order at the shop"),
  name: described(Schema.String, "Name of the order at the shop"),
  topic: described(OrderTopic, "The last webhook about it"),
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
    shop_identifier: described(Opaque(255), "Identifier of the shop"),
    order_id: described(Opaque(255), "The shop's id of the order")
  }),
  { shop_identifier: "demo-shop", order_id: "5123456789" }
)

export const RetriedOrders = Schema.Struct({
  tried: described(Count, "Orders that waited and were tried again")
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
  reset: withDefault(described(Flag, "Write every entry, also those that have not changed in the file"), false)
})

const shown = Schema.NullOr(Schema.String)

export const ProvisioningResult = Schema.Struct({
  applied: described(Schema.Boolean, "Whether anything was changed; never by a dry run"),
  written: described(Count, "Entries that were written, or that a dry run would write otherwise"),
  differences: Schema.Array(
    Schema.Struct({
      list: described(Schema.String, "List of the file"),
      index: described(Count, "Place in the list, from 0"),
      outcome: Schema.Literal("created", "changed", "kept").annotations({
        description: "kept: the record has been changed by the interface since, and the entry has not"
      }),
      fields: Schema.Array(
        Schema.Struct({
          field: described(Schema.String, "A column, with its table where the entry has several"),
          before: described(shown, "As JSON; null where there is none, and for secrets"),
          after: described(shown, "As JSON; null where there is none, and for secrets")
        })
      ).annotations({ description: "Differing fields; empty for a new record" })
    })
  ).annotations({ description: "Differences found by a dry run; empty otherwise" })
}).annotations({ identifier: "ProvisioningResult" })
export type ProvisioningResult = typeof ProvisioningResult.Type
