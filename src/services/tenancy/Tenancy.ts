/**
 * The tenant whose rows statements may access. The pool sends it with every statement and transaction, and row-level security enforces
 * it: a missing WHERE leaks no other tenant's row. Without a tenant no rows are seen.
 */
import { Context, Effect, MutableRef, Option, Stream } from "effect"
import { system } from "../../schemas/access/Actor.ts"
import { hasTrigram } from "../database/trigrams.ts"

export interface Tenancy {
  /**
   * The role that statements run in. `service` sees the rows of the owners named here, `search` those of all orders and payouts, `worker`
   * no tenant's rows except the named owner's audit log, `operator` those of all tenants; `login` is the database user itself, for
   * migrations.
   */
  readonly role: "service" | "search" | "worker" | "operator" | "login"
  readonly organisation: string
  readonly pharmacy: string
  /** Instead of `organisation`: the database resolves it, in the same round trip. */
  readonly organisation_by: OrganisationKey | null
  /** The current request, for the audit log; null writes no entries. */
  readonly request: AuditedRequest | null
}

/**
 * Kinds of credentials and names that belong to one organisation, as in the database function `organisation_by`. A tag is the part of a
 * code that identifies the organisation. A capability declares its kinds here, too (`declare module`), and has a database function
 * `organisation_of_<kind>` each.
 */
export interface OrganisationKeys {
  readonly shop: string
  readonly shop_identifier: string
  readonly tag: string
  readonly booking_token_secret: string
  readonly staff_person: string
}

export interface OrganisationKey {
  readonly kind: keyof OrganisationKeys
  readonly key: string
}

/** A request, a job or a command, as recorded in the audit log. */
interface AuditedRequest {
  readonly action: string
  readonly actor: { readonly kind: string; readonly uid: string }
  readonly subject: string | null
  readonly purpose: string | null
  readonly trace_id: string
  readonly address: string | null
}

const noTenant: Tenancy = {
  role: "service",
  organisation: "",
  pharmacy: "",
  organisation_by: null,
  request: null
}
const allTenants: Tenancy = { ...noTenant, role: "operator" }
const databaseUser: Tenancy = { ...noTenant, role: "login" }

/**
 * The tenancy of the current request, job or command. The edge provides it, in one place each. It is a cell, since a request begins before
 * its credential or code has told its owner (`enter`).
 * @effect-leakable-service
 */
export class CurrentTenant extends Context.Tag("services/CurrentTenant")<
  CurrentTenant,
  MutableRef.MutableRef<Tenancy>
>() {}

/** The tenancy in this context. */
export const tenancyIn = (context: Context.Context<never>): Tenancy =>
  Option.match(Context.getOption(context, CurrentTenant), { onNone: () => noTenant, onSome: MutableRef.get })

export const currentTenancy = Effect.map(CurrentTenant, MutableRef.get)

/** Runs the effect with a tenancy of its own, made from the current one. */
const within =
  (change: (before: Tenancy) => Tenancy) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | CurrentTenant> =>
    Effect.updateService(effect, CurrentTenant, (cell) => MutableRef.make(change(MutableRef.get(cell))))

/** Runs the effect with this tenancy, whatever the current one: where none is required. */
const providing =
  (tenancy: Tenancy) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, CurrentTenant>> =>
    Effect.suspend(() => Effect.provideService(effect, CurrentTenant, MutableRef.make(tenancy)))

/** Changes the current tenancy from here on. */
const become = (change: (before: Tenancy) => Tenancy) =>
  Effect.map(CurrentTenant, (cell) => void MutableRef.update(cell, change))

/** An owner, with the field names of records. */
export interface Owner {
  readonly organisation_uid?: string | null | undefined
  readonly pharmacy_uid?: string | null | undefined
  /** Actor on behalf of the owner. */
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

const isJoined = ({ role, organisation, organisation_by, pharmacy }: Tenancy, owner: Owner) =>
  owner.actor === undefined &&
  (role !== "service" ||
    (organisation_by === null &&
      organisation === (owner.organisation_uid ?? organisation) &&
      pharmacy === (owner.pharmacy_uid ?? pharmacy)))

/** Runs the effect with the rows of this owner as well. An organisation replaces another one, a pharmacy likewise. */
export const withOwner =
  (owner: Owner) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | CurrentTenant> =>
    Effect.flatMap(currentTenancy, (tenancy) => (isJoined(tenancy, owner) ? effect : within(joined(owner))(effect)))

/** Gives the fiber the rows of this owner from here on: for requests, once the credential is verified or the code is found. */
export const enter = (owner: Owner) => become(joined(owner))

/**
 * Runs the effect with the rows of this owner only, whatever the caller's tenant. A uid is an organisation's or a pharmacy's: for jobs once
 * they know their owner (Rule 14.5.5).
 */
export const onlyOwner = (owner: Owner | string) =>
  within(({ request }) =>
    joined(typeof owner === "string" ? { organisation_uid: owner, pharmacy_uid: owner } : owner)({
      ...noTenant,
      request
    })
  )

/** The context of a request, without a tenant until it enters an owner. */
export const addNoTenant = <R>(context: Context.Context<R>) =>
  Context.add(context, CurrentTenant, MutableRef.make(noTenant))

/** Runs the effect without a tenant, until it enters an owner. */
export const withoutOwner = providing(noTenant)

/** Runs the effect with the rows of the organisation that this key belongs to, and with none if there is no such organisation. */
export const ofOrganisationWith = (organisation_by: OrganisationKey) =>
  within((before) => (before.role === "operator" ? before : { ...noTenant, organisation_by, request: before.request }))

/**
 * Runs the effect in the role of jobs, which sees no tenant's rows: it calls database functions that find owners with due work
 * (`DueOwners`), and chains the audit log of the given owner.
 */
export const asWorker = (organisation = "") =>
  within(({ request }) => ({ ...noTenant, role: "worker", organisation, request }))

/**
 * Runs the effect with the rows of all tenants: for the operator only. Requests and jobs reach other tenants only through database
 * functions (0011_tenancy.sql), so that their processes can log in as users without this role.
 */
export const acrossTenants = within(({ request }) => ({ ...allTenants, request }))

/** Runs the effect as the database user itself: for migrations only. */
export const asLogin = providing(databaseUser)

/** From here on changes are audited under this request. */
export const beginRequest = (request: AuditedRequest) => become((before) => ({ ...before, request }))

/** Runs the effect as a request of its own, of the service itself unless `actor` is given: a job or a command. */
export const asRequest = (request: Pick<AuditedRequest, "action"> & Partial<AuditedRequest>) =>
  within((before) => ({
    ...before,
    request: { actor: system, subject: null, purpose: null, trace_id: "", address: null, ...request }
  }))

/** Runs the effect without audit entries: for the service's own bookkeeping. */
export const unaudited = within((before) => ({ ...before, request: null }))

/**
 * Runs a search that names its owner in every WHERE. LIKE is not leakproof, so under row-level security PostgreSQL cannot use its text
 * index, and would read 20,000 rows to find one. A text without a trigram is searched for under row-level security.
 */
export const byTextIndex =
  (search = "") =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    hasTrigram(search) ? within((before) => ({ ...before, role: "search" }))(effect) : effect

/** The stream with the rows of this owner only, since another fiber consumes it. */
export const streamOf =
  (owner: Owner) =>
  <A, E, R>(stream: Stream.Stream<A, E, R>) =>
    Stream.provideService(stream, CurrentTenant, MutableRef.make(joined(owner)(noTenant)))
