/** `Idempotency-Key`, accepted by every POST. Rules 2.6.1 to 2.6.4. */
import { Context, Effect, Option, Predicate, Schema, SchemaAST } from "effect"
import type { IdempotencyKeyReused, InProgress } from "../schemas/access/errors.ts"
import { Opaque } from "../schemas/fields.ts"
import type { PharmacyUid } from "../schemas/ids.ts"
import type { TooManyRequests } from "../schemas/problems.ts"
import { Idempotency, type IdempotentRequest, type KeyHolder } from "../services/Idempotency.ts"
import type { CurrentTenant } from "../services/tenancy/Tenancy.ts"
import {
  CurrentAdmin,
  CurrentDoctor,
  CurrentOrganisationKey,
  CurrentPatient,
  CurrentPharmacyKey,
  type OrganisationAccess
} from "./credentials/credentials.ts"

export const IdempotencyKey = Schema.Struct({
  "idempotency-key": Schema.optionalWith(Opaque(255), { exact: true }).annotations({
    description:
      "A text of your own, e.g. a random UUID. Sent again within 24 hours with the same request, it is answered as the " +
      "first time, with `Idempotency-Replayed: true`; with another request it is 409 `idempotency_key_reused`"
  })
})

/**
 * Annotation of a POST that is safe to repeat and whose response is short-lived or has much of a patient's data: the
 * response is not stored, and a repeated request runs again.
 */
export class NotReplayed extends Context.Tag("http/NotReplayed")<NotReplayed, true>() {}

/** Annotation of a POST that accepts no key: the reason. */
export class TakesNoKey extends Context.Tag("http/TakesNoKey")<TakesNoKey, string>() {}

/** The untyped part of an endpoint that decides on its key. */
export interface KeyedEndpoint {
  readonly method: string
  readonly annotations: Context.Context<never>
  readonly headersSchema: Option.Option<{ readonly ast: SchemaAST.AST }>
}

// The cast: only the presence of the annotation is read, not its value
const isAnnotated = ({ annotations }: KeyedEndpoint, tag: typeof NotReplayed | typeof TakesNoKey) =>
  Option.isSome(Context.getOption(annotations, tag as Context.Tag<unknown, unknown>))

export const isNotReplayed = (endpoint: KeyedEndpoint) => isAnnotated(endpoint, NotReplayed)

/** Whether a request is a dry run, which changes nothing: it too runs again when repeated. */
export const isDryRun = (payload: unknown) => Predicate.hasProperty(payload, "dry_run") && payload.dry_run === true

/** Whether the contract declares the header, so that the handler gets it. */
const declaresKey = ({ headersSchema }: KeyedEndpoint) =>
  Option.exists(headersSchema, ({ ast }) =>
    SchemaAST.getPropertySignatures(ast).some(({ name }) => name === "idempotency-key")
  )

export const isKeyed = (endpoint: KeyedEndpoint) => endpoint.method === "POST" && !isAnnotated(endpoint, TakesNoKey)

/** Whether `group` handles the key, because the contract does not declare it. */
export const isKeyedByGroup = (endpoint: KeyedEndpoint) => isKeyed(endpoint) && !declaresKey(endpoint)

const holderOf = ({ organisation_uid, actor }: OrganisationAccess): KeyHolder => ({
  owner_uid: organisation_uid,
  scope: `${actor.kind}:${actor.uid}`
})
/** The holder of a key, i.e. the scope in which it is unique, by the group's credential. */
export const holders = {
  key: Effect.map(CurrentOrganisationKey, holderOf),
  doctor: Effect.map(CurrentDoctor, holderOf),
  admin: Effect.map(CurrentAdmin, holderOf),
  patient: Effect.map(
    CurrentPatient,
    ({ organisation_uid, patient_uid }): KeyHolder => ({ owner_uid: organisation_uid, scope: `patient:${patient_uid}` })
  ),
  pharmacy: (pharmacy_uid: PharmacyUid) =>
    Effect.map(
      CurrentPharmacyKey,
      ({ actor }): KeyHolder => ({ owner_uid: pharmacy_uid, scope: `${actor.kind}:${actor.uid}` })
    )
}

/** The arguments of a handler that a key is bound to. */
export interface KeyedRequest {
  readonly headers: typeof IdempotencyKey.Type
  readonly path?: unknown
  readonly urlParams?: unknown
  readonly payload?: unknown
}

/** The operation for which a key is used. */
interface Operation<A, I, R> {
  readonly name: string
  readonly answer: Schema.Schema<A, I>
  readonly by: Effect.Effect<KeyHolder, never, R>
}

type Run<E2> = <A, I, E, R>(
  request: IdempotentRequest<A, I>,
  work: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | E2, R | CurrentTenant>

const withKey =
  <E2>(runOf: (idempotency: Idempotency) => Run<E2>) =>
  <A, I, R2, E, R>(
    { headers, path, urlParams, payload }: KeyedRequest,
    { name, answer, by }: Operation<A, I, R2>,
    work: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | E2, R | R2 | Idempotency | CurrentTenant> => {
    const key = headers["idempotency-key"]
    if (key === undefined) return work
    const request = [name, path, urlParams, payload]
    return Effect.flatMap(Effect.zip(by, Idempotency), ([holder, idempotency]) =>
      runOf(idempotency)({ ...holder, key, request, answer }, work)
    )
  }

/** What a key is refused with. */
export type KeyRefused = IdempotencyKeyReused | TooManyRequests
export type Keyed<E2> = ReturnType<typeof withKey<E2>>

/** For handlers that only use the database: the key and the work are stored in one transaction. */
export const idempotent = withKey<KeyRefused>(({ once }) => once)

/** For handlers that call other services. Also fails with `InProgress`. */
export const idempotentRemote = withKey<KeyRefused | InProgress>(({ onceOutsideTransaction }) => onceOutsideTransaction)
