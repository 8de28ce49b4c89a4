/**
 * Clients of the FHIR interface that authenticate with a key pair, of provisioning and of the organisation's administrators: the only
 * writer of their table. Rules 20.3.5 and 20.3.6.
 */
import { Effect, Predicate } from "effect"
import { AlreadyUsed } from "../../../schemas/access/errors.ts"
import { isNothing } from "../../../schemas/fields.ts"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import type { ListQuery } from "../../../schemas/paging.ts"
import { invalid } from "../../../schemas/problems.ts"
import { ConfiguredAddresses } from "../../../services/addresses.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { changedSince } from "../../../services/database/changedSince.ts"
import { Database } from "../../../services/database/Database.ts"
import { anyOr, columnsOf, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { onConstraint, sqlErrorsDie, timestamp } from "../../../services/database/SqlErrors.ts"
import { ensureBelowLimit, RECORD_LIMITS } from "../../../services/recordLimits.ts"
import {
  FhirClient,
  type FhirClientChanges,
  type FhirClientEntry,
  FhirClientNotFound,
  type NewFhirClient
} from "../schemas/FhirClient.ts"

const notFound = () => new FhirClientNotFound()

const rowOf = ({ name, jwks, jwks_uri, scopes, active }: Omit<NewFhirClient, "client_id">) => ({
  name,
  jwks: jwks === null ? null : JSON.stringify(jwks),
  jwks_uri,
  scopes: [...new Set(scopes)],
  active
})

export class FhirClients extends Effect.Service<FhirClients>()("fhir/FhirClients", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const { transaction } = yield* Database
    const addresses = yield* ConfiguredAddresses
    const clients = rowsOf(FhirClient)
    const columns = sql.literal(columnsOf(FhirClient))

    const write = Effect.fnUntraced(function* (
      { organisation_uid, client_id, ...rest }: FhirClientEntry,
      replaces: boolean
    ) {
      const now = timestamp(yield* clock.now)
      const row = { ...rowOf(rest), updated_at: now }
      const replacing = replaces
        ? sql`ON CONFLICT (organisation_uid, client_id) DO UPDATE SET ${sql.update(row)}`
        : sql``
      yield* sql`INSERT INTO fhir_clients ${sql.insert({ organisation_uid, client_id, created_at: now, ...row })} ${replacing}`
    })

    /** Creates or replaces a client of a provisioning file. Does not map SQL errors. */
    const provision = (entry: FhirClientEntry) => write(entry, true)

    /** Fails with `Invalid` for an address that may not be read. Resolves names: call it before the transaction of a change. */
    const examine = ({ jwks_uri }: { readonly jwks_uri?: string | null | undefined }, unresolved?: boolean) =>
      Predicate.isNullable(jwks_uri)
        ? Effect.void
        : Effect.mapError(addresses.examine(jwks_uri, unresolved), ({ reason }) => invalid("jwks_uri", reason))

    const read = (owner: OrganisationUid, client_id: string) =>
      sql`SELECT ${columns} FROM fhir_clients WHERE organisation_uid = ${owner} AND client_id = ${client_id}`
    /** Fails with `FhirClientNotFound`. */
    const find = (owner: OrganisationUid, client_id: string) => clients.firstOr(read(owner, client_id), notFound)
    /** As `find`, locked until the transaction ends. */
    const findForChange = (owner: OrganisationUid, client_id: string) =>
      clients.firstOr(sql`${read(owner, client_id)} FOR NO KEY UPDATE`, notFound)

    /** Every client of the organisation, by name. */
    const list = (owner: OrganisationUid, query: ListQuery) =>
      clients.all(sql`SELECT ${columns} FROM fhir_clients
        WHERE ${sql.and([sql`organisation_uid = ${owner}`, ...changedSince(sql, query)])} ORDER BY name, client_id`)

    /** Fails with `AlreadyUsed` if a client of any organisation has the name, and with `Invalid` at the limit. */
    const create = Effect.fn("FhirClients.create")(function* (owner: OrganisationUid, client: NewFhirClient) {
      yield* ensureBelowLimit(
        sql`SELECT count(*) AS count FROM fhir_clients WHERE organisation_uid = ${owner}`,
        RECORD_LIMITS.keys,
        "client_id",
        "FHIR clients"
      )
      yield* write({ ...client, organisation_uid: owner }, false).pipe(
        onConstraint("fhir_clients_client", () => new AlreadyUsed({ field: "client_id" })),
        sqlErrorsDie
      )
      return yield* clients.one(read(owner, client.client_id))
    }, transaction)

    /** Updates the fields sent. Its tokens follow at once. Fails with `FhirClientNotFound`. */
    const update = Effect.fn("FhirClients.update")(function* (
      owner: OrganisationUid,
      client_id: string,
      sent: FhirClientChanges
    ) {
      const before = yield* findForChange(owner, client_id)
      if (isNothing(sent)) return before
      const { jwks = null, jwks_uri = null, ...rest } = sent
      const keys = jwks === null && jwks_uri === null ? {} : { jwks, jwks_uri }
      const row = { ...rowOf({ ...before, ...rest, ...keys }), updated_at: timestamp(yield* clock.now) }
      yield* Effect.orDie(sql`UPDATE fhir_clients SET ${sql.update(row)}
        WHERE organisation_uid = ${owner} AND client_id = ${client_id}`)
      return yield* clients.one(read(owner, client_id))
    }, transaction)

    /** Its tokens end at once. Fails with `FhirClientNotFound`. */
    const remove = Effect.fn("FhirClients.remove")((owner: OrganisationUid, client_id: string) =>
      anyOr(
        sql`DELETE FROM fhir_clients WHERE organisation_uid = ${owner} AND client_id = ${client_id} RETURNING client_id`,
        notFound
      )
    )

    return { provision, examine, find, findForChange, list, create, update, remove } as const
  })
}) {}
