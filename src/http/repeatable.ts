/** Requests that may be sent again under an `Idempotency-Key`: every POST. Rules 2.6.1 to 2.6.4. */
import { Context, Effect, Option, Predicate, Schema, SchemaAST } from "effect"
import type { IdempotencyKeyReused, InProgress } from "../schemas/access/errors.ts"
import { Opaque } from "../schemas/fields.ts"
import type { PharmacyUid } from "../schemas/ids.ts"
import type { TooManyRequests } from "../schemas/problems.ts"
import { Idempotency, type IdempotentRequest, type KeyHolder } from "../services/Idempotency.ts"
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
 * A POST that makes nothing which must not be made twice, and whose answer ends soon or holds much of a patient: it is not stored, and
 * a repetition is answered anew.
 */
export class NotReplayed extends Context.Tag("http/NotReplayed")<NotReplayed, true>() {}

/** A POST that takes no key: why. */
export class TakesNoKey extends Context.Tag("http/TakesNoKey")<TakesNoKey, string>() {}

/** What an endpoint says of its requests, whatever its types. */
export interface KeyedEndpoint {
  readonly method: string
  readonly annotations: Context.Context<never>
  readonly headersSchema: Option.Option<{ readonly ast: SchemaAST.AST }>
}

const isAnnotated = ({ annotations }: KeyedEndpoint, tag: typeof NotReplayed | typeof TakesNoKey) =>
  Option.isSome(Context.getOption(annotations, tag as Context.Tag<unknown, unknown>))

export const isNotReplayed = (endpoint: KeyedEndpoint) => isAnnotated(endpoint, NotReplayed)

/** Whether a request changes nothing, by its own wish: it only shows what would be, and is answered anew as well. */
export const isDryRun = (payload: unknown) => Predicate.hasProperty(payload, "dry_run") && payload.dry_run === true

/** Whether the contract names the key, so that the handler is given it. */
const takesKeyItself = ({ headersSchema }: KeyedEndpoint) =>
  Option.exists(headersSchema, ({ ast }) =>
    SchemaAST.getPropertySignatures(ast).some(({ name }) => name === "idempotency-key")
  )

/** Whether the endpoint takes a key. */
export const isKeyed = (endpoint: KeyedEndpoint) => endpoint.method === "POST" && !isAnnotated(endpoint, TakesNoKey)

/** Whether it takes one without its contract and its handler naming it. */
export const isKeyedHere = (endpoint: KeyedEndpoint) => isKeyed(endpoint) && !takesKeyItself(endpoint)

const holderOf = ({ organisation_uid, actor }: OrganisationAccess): KeyHolder => ({
  owner_uid: organisation_uid,
  scope: `${actor.kind}:${actor.uid}`
})
/** Whom a key counts for, by the credential of the group. */
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

/** What a handler is given. */
interface Request {
  readonly headers: typeof IdempotencyKey.Type
  readonly path?: unknown
  readonly urlParams?: unknown
  readonly payload?: unknown
}

/** What tells requests with one key apart. */
interface Operation<A, I, R> {
  readonly name: string
  readonly answer: Schema.Schema<A, I>
  readonly by: Effect.Effect<KeyHolder, never, R>
}

type Run<E2> = <A, I, E, R>(
  request: IdempotentRequest<A, I>,
  work: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | E2, R>

const running =
  <E2>(runOf: (idempotency: Idempotency) => Run<E2>) =>
  <A, I, R2, E, R>(
    { headers, path, urlParams, payload }: Request,
    { name, answer, by }: Operation<A, I, R2>,
    work: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | E2, R | R2 | Idempotency> => {
    const key = headers["idempotency-key"]
    if (key === undefined) return work
    const request = [name, path, urlParams, payload]
    return Effect.flatMap(Effect.zip(by, Idempotency), ([holder, idempotency]) =>
      runOf(idempotency)({ ...holder, key, request, answer }, work)
    )
  }

/** For handlers that work on the database alone: key and work are one transaction. */
export const repeatable = running<IdempotencyKeyReused | TooManyRequests>(({ once }) => once)

/** For those that ask others. Also fails with `InProgress`. */
export const repeatableApart = running<IdempotencyKeyReused | TooManyRequests | InProgress>(
  ({ onceApart }) => onceApart
)
