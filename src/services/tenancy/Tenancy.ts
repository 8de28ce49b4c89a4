/**
 * Whose rows the statements of a fiber may touch. The pool sends it with every statement and transaction, and the
 * database's row-level security goes by it: a forgotten WHERE gives no foreign row. A fiber starts without a tenant, and sees no rows.
 */
import { Effect, FiberRef, Stream } from "effect"
import { system } from "../../schemas/access/Actor.ts"

export interface Tenancy {
  /**
   * The role that statements run in. `service` sees the rows of the owners named here, `search` those of all orders and payouts,
   * `worker` no tenant's but the named owner's audit log, `operator` those of all tenants; `login` is the database user itself, for
   * migrations.
   */
  readonly role: "service" | "search" | "worker" | "operator" | "login"
  readonly organisation: string
  readonly pharmacy: string
  /** In place of `organisation`: the database finds it, in the same round trip. */
  readonly organisation_by: OrganisationKey | null
  /** What is going on, for the audit log; null for what makes no entries. */
  readonly request: AuditedRequest | null
}

/** What a caller has that belongs to one organisation: the database function `organisation_by` knows these kinds. A tag is the part of a code that leads to it. */
export interface OrganisationKey {
  readonly kind: "shop" | "shop_identifier" | "tag" | "booking_token_secret"
  readonly key: string
}

/** A request, a job or a command, as entries of the audit log name it. */
export interface AuditedRequest {
  readonly action: string
  readonly actor: { readonly kind: string; readonly uid: string }
  readonly subject: string | null
  readonly purpose: string | null
  readonly trace_id: string
  readonly address: string | null
}

/** Whoever has shown no credential. */
export const anonymous = { kind: "anonymous", uid: "anonymous" }

export const noTenant: Tenancy = {
  role: "service",
  organisation: "",
  pharmacy: "",
  organisation_by: null,
  request: null
}
const allTenants: Tenancy = { ...noTenant, role: "operator" }
const databaseUser: Tenancy = { ...noTenant, role: "login" }

export const currentTenancy = FiberRef.unsafeMake(noTenant)

/** An owner as records name it. */
export interface Owner {
  readonly organisation_uid?: string | null | undefined
  readonly pharmacy_uid?: string | null | undefined
  /** Who acts for it. */
  readonly actor?: AuditedRequest["actor"]
}

const joined =
  ({ organisation_uid, pharmacy_uid, actor }: Owner) =>
  (before: Tenancy): Tenancy => ({
    ...before,
    ...(before.role === "service" && {
      organisation: organisation_uid ?? before.organisation,
      organisation_by: organisation_uid === undefined || organisation_uid === null ? before.organisation_by : null,
      pharmacy: pharmacy_uid ?? before.pharmacy
    }),
    ...(actor !== undefined && before.request !== null && { request: { ...before.request, actor } })
  })

/** Runs the effect with the rows of this owner too. An organisation takes the place of another one, a pharmacy likewise. */
export const withOwner =
  (owner: Owner) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.locallyWith(effect, currentTenancy, joined(owner))

/** From here on the fiber has the rows of this owner: for requests, once the credential is verified or the code is found. */
export const enter = (owner: Owner) => FiberRef.update(currentTenancy, joined(owner))

/** Runs the effect with the rows of this owner alone, whatever the caller's tenant. */
export const onlyOwner =
  (owner: Owner) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.locallyWith(effect, currentTenancy, ({ request }) => joined(owner)({ ...noTenant, request }))

/** Runs the effect with the rows of this owner alone, be it an organisation or a pharmacy: what jobs do once they know for whom (Rule 14.5.5). */
export const ofOwner = (owner: string) => onlyOwner({ organisation_uid: owner, pharmacy_uid: owner })

/** Runs the effect without a tenant, until it enters an owner. */
export const withoutOwner = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.locally(effect, currentTenancy, noTenant)

/** Runs the effect with the rows of the organisation that this belongs to, and with none where there is no such organisation. */
export const ofOrganisationWith =
  (organisation_by: OrganisationKey) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.locallyWith(effect, currentTenancy, (before) =>
      before.role === "operator" ? before : { ...noTenant, organisation_by, request: before.request }
    )

/**
 * Runs the effect in the role of jobs, which sees no tenant's rows: it asks functions of the database for whom something is due
 * (`DueOwners`), and chains the audit log of the owner that is given.
 */
export const asWorker =
  (organisation = "") =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.locallyWith(
      effect,
      currentTenancy,
      ({ request }): Tenancy => ({ ...noTenant, role: "worker", organisation, request })
    )

/**
 * Runs the effect with the rows of all tenants: for the operator alone. What requests and jobs need of other tenants is a
 * function of the database (0011_tenancy.sql), so that their processes may log in as users who cannot do this.
 */
export const acrossTenants = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.locallyWith(effect, currentTenancy, ({ request }) => ({ ...allTenants, request }))

/** Runs the effect as the database user itself: for migrations alone. */
export const asLogin = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.locally(effect, currentTenancy, databaseUser)

/** From here on the fiber's changes are entries of the audit log under this request. */
export const beginRequest = (request: AuditedRequest) =>
  FiberRef.update(currentTenancy, (before) => ({ ...before, request }))

/** Runs the effect as a request of its own: a job or a command. */
export const asRequest =
  (request: AuditedRequest) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.locallyWith(effect, currentTenancy, (before) => ({ ...before, request }))

/** What the service does by itself. */
export const serviceRequest = (action: string): AuditedRequest => ({
  action,
  actor: system,
  subject: null,
  purpose: null,
  trace_id: "",
  address: null
})

/** Runs the effect without entries of its own: for the service's own bookkeeping. */
export const unaudited = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.locallyWith(effect, currentTenancy, (before) => ({ ...before, request: null }))

/**
 * Runs a search that names its owner in every WHERE. Under a tenant's policy PostgreSQL must not let LIKE see a row before
 * the policy has, so that it uses no text index: 20,000 rows are read for one.
 */
export const byTextIndex = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.locallyWith(effect, currentTenancy, (before): Tenancy => ({ ...before, role: "search" }))

/** The stream with the rows of this owner alone: it is read by another fiber than the one that makes it. */
export const streamOf =
  (owner: Owner) =>
  <A, E, R>(stream: Stream.Stream<A, E, R>) =>
    Stream.unwrapScoped(Effect.as(Effect.locallyScoped(currentTenancy, joined(owner)(noTenant)), stream))
