/** Entries of the audit log, as listed (section 13). */
import { Schema } from "effect"
import {
  body,
  described,
  omittable,
  queryInteger,
  queryTime,
  UnixSeconds,
  withDefault
} from "../../../schemas/fields.ts"
import { lookedUp } from "../../../schemas/ids.ts"
import { limitQuery } from "../../../schemas/paging.ts"
import { SearchText } from "../../../schemas/SearchText.ts"

const actorKinds = [
  "patient",
  "api_key",
  "action_link",
  "doctor",
  "admin",
  "pharmacy",
  "operator",
  "system",
  "anonymous"
] as const

export const AuditEntryId = Schema.String.pipe(
  Schema.maxLength(22),
  Schema.pattern(/^aud_[1-9][0-9]{0,15}$/)
).annotations({
  description: "Identifier of the entry; later entries of an owner have larger numbers",
  examples: ["aud_1042"]
})
export type AuditEntryId = typeof AuditEntryId.Type

export const AuditEntry = Schema.Struct({
  id: AuditEntryId,
  at: described(UnixSeconds, "When it happened, in real time"),
  action: Schema.String.annotations({
    description:
      "The operation, for example `management.appointments.one`; `….denied` where it was refused; `job.…`, `cli`"
  }),
  actor: Schema.Struct({
    kind: described(Schema.Literal(...actorKinds), "By which credential it was done; `system` for jobs"),
    uid: described(Schema.String, "Identifier of the key, the patient, the person or the job")
  }).annotations({ description: "The actor" }),
  subject: described(Schema.NullOr(Schema.String), "Identifier of the record; null for lists"),
  purpose: described(Schema.NullOr(Schema.String), "The request's `X-Purpose`"),
  trace_id: described(Schema.String, "The request's trace, as `X-Request-Id` names it"),
  address: described(Schema.NullOr(Schema.String), "The caller's network: /24 of an IPv4 address, /48 of an IPv6 one")
}).annotations({ identifier: "AuditEntry" })
export type AuditEntry = typeof AuditEntry.Type

export const AuditLogPage = Schema.Struct({
  data: described(Schema.Array(AuditEntry), "Entries in the order of their making"),
  next: described(Schema.NullOr(AuditEntryId), "Send it as `after` for what follows; null at the end")
})

const filter = (description: string) => omittable(SearchText(description))
const second = (description: string) => omittable(queryTime(description))

export const AuditQuery = body({
  after: omittable(AuditEntryId),
  limit: limitQuery(500, "Entries an answer"),
  action: filter("Only entries of this action"),
  actor: filter("Only entries of the actor with this uid"),
  subject: filter("Only entries about the record with this identifier"),
  from: second("Only entries from this second on, Unix seconds"),
  to: second("Only entries before this second, Unix seconds")
})
export type AuditQuery = typeof AuditQuery.Type

export const AuditExportQuery = body({
  after: withDefault(
    queryInteger(0, 1_000_000_000_000, "The `number` of the last line you have; 0: from the start"),
    0
  ),
  limit: withDefault(queryInteger(1, 5_000, "Lines an answer"), 5_000)
})
export type AuditExportQuery = typeof AuditExportQuery.Type

/** The log's owner, and the query of its entries. */
export const OwnersAuditQuery = body({
  owner_uid: lookedUp(255, "An organisation's or a pharmacy's uid; `installation` for the installation's own log"),
  ...AuditQuery.fields
})
