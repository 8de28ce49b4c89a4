/**
 * SMART backend services: a client's signed assertion, accepted once, is exchanged for an access token of five minutes. The only writer of
 * used assertions. Rule 20.3.
 */

import { Clock, Data, Effect, Predicate, Schema } from "effect"
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose"
import { Settings } from "../../../config.ts"
import { OrganisationUid } from "../../../schemas/ids.ts"
import { Unauthenticated } from "../../../schemas/problems.ts"
import { LEEWAY_SECONDS, signToken, verifyToken } from "../../../services/access/signedTokens.ts"
import { realNow } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { timestamp } from "../../../services/database/SqlErrors.ts"
import { remember } from "../../../services/remember.ts"
import { Service } from "../../../services/Service.ts"
import { SecretBox } from "../../../services/sealing/SecretBox.ts"
import { OwnerByKey } from "../../../services/tenancy/OwnerByKey.ts"
import { unaudited, withOwner } from "../../../services/tenancy/Tenancy.ts"
import { hashOf } from "../../../services/uid.ts"
import { type FhirClient, KeySet } from "../schemas/FhirClient.ts"
import { type Rights, rightsOfScopes, scopesOf } from "../schemas/rights.ts"
import { ClientKeySets } from "./ClientKeySets.ts"
import { FhirClients } from "./FhirClients.ts"

/** Lifetime of an access token, seconds. */
export const TOKEN_SECONDS = 300
/** Longest time from now to an assertion's `exp`, seconds. */
const ASSERTION_SECONDS = 300
const ALGORITHMS = ["ES384", "RS384"]
/** How long keys read at an address are used, and how soon they are read again for an unknown key; milliseconds. */
const [KEYS_KEPT, KEYS_AGAIN] = [300_000, 60_000]
const TOKEN_PURPOSE = "fhir-access-token"
const ISSUER = "sprechstunde/fhir"

const Claims = Schema.Struct({ sub: Schema.String, organisation_uid: OrganisationUid, scope: Schema.String })

/** An error of RFC 6749. */
export class TokenRefusal extends Data.TaggedError("TokenRefusal")<{
  readonly error: "invalid_request" | "invalid_client" | "invalid_scope" | "unsupported_grant_type"
  readonly description: string
}> {}

const invalidClient = (description: string) => new TokenRefusal({ error: "invalid_client", description })

const textIn = (value: unknown) => (Predicate.isString(value) && value.length <= 255 ? value : "")

export interface TokenRequest {
  readonly grant_type: string
  readonly client_assertion_type: string
  readonly client_assertion: string
  readonly scope: string
}

declare module "../../../services/tenancy/Tenancy.ts" {
  interface OrganisationKeys {
    readonly fhir_client: string
  }
}

export class FhirTokens extends Service<FhirTokens>()("fhir/FhirTokens", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const owners = yield* OwnerByKey
    const clients = yield* FhirClients
    const keySets = yield* ClientKeySets
    const { derive } = yield* SecretBox
    const { baseUrl } = yield* Settings
    const tokenKeys = yield* derive(TOKEN_PURPOSE)
    const verifyClaims = verifyToken(Claims)
    const audience = `${baseUrl}/fhir/r4`
    const token_endpoint = `${baseUrl}/fhir/token`
    const remembered = new Map<string, { readonly keys: JSONWebKeySet; readonly at: number }>()

    const activeClient = <E>(owner: OrganisationUid, client_id: string, missing: () => E) =>
      Effect.filterOrFail(Effect.mapError(clients.find(owner, client_id), missing), ({ active }) => active, missing)

    const decodeKeys = Schema.decodeUnknown(KeySet)
    // The cast: `KeySet` has checked the form
    const asKeySet = (set: KeySet) => set as unknown as JSONWebKeySet

    const readKeys = Effect.fnUntraced(function* (url: string, kid: string) {
      const now = yield* Clock.currentTimeMillis
      const known = remembered.get(url)
      if (known !== undefined) {
        const hasKey = known.keys.keys.some((key) => key.kid === kid)
        if (now - known.at < (hasKey ? KEYS_KEPT : KEYS_AGAIN)) return known.keys
      }
      const set = yield* keySets.read(url).pipe(
        Effect.flatMap(decodeKeys),
        Effect.tapError((error) => Effect.logInfo("the keys of a FHIR client cannot be read", error)),
        Effect.mapError(() => invalidClient("The client's keys cannot be read at their address"))
      )
      const keys = asKeySet(set)
      remember(remembered, url, { keys, at: now })
      return keys
    })

    const keysOf = ({ jwks, jwks_uri }: FhirClient, kid: string) =>
      jwks === null ? readKeys(jwks_uri ?? "", kid) : Effect.succeed(asKeySet(jwks))

    /** Remembers the assertion until it expires. Fails if it was used before. */
    const useOnce = Effect.fnUntraced(function* (
      organisation_uid: OrganisationUid,
      client_id: string,
      jti: string,
      exp: number,
      now: number
    ) {
      yield* Effect.orDie(sql`DELETE FROM fhir_assertions WHERE organisation_uid = ${organisation_uid}
        AND client_id = ${client_id} AND expires_at < to_timestamp(${now})`)
      const row = {
        organisation_uid,
        client_id,
        jti_hash: hashOf(jti),
        expires_at: timestamp(exp + LEEWAY_SECONDS)
      }
      const added = yield* Effect.orDie(
        sql`INSERT INTO fhir_assertions ${sql.insert(row)} ON CONFLICT DO NOTHING RETURNING client_id`
      )
      if (added.length === 0) return yield* invalidClient("jti: this assertion was used before")
    })

    const verifyAssertion = Effect.fnUntraced(function* (
      client: FhirClient,
      assertion: string,
      kid: string,
      now: number
    ) {
      const keys = yield* keysOf(client, kid)
      const { payload } = yield* Effect.tryPromise({
        try: () =>
          jwtVerify(assertion, createLocalJWKSet(keys), {
            algorithms: ALGORITHMS,
            audience: token_endpoint,
            issuer: client.client_id,
            subject: client.client_id,
            requiredClaims: ["exp", "jti"],
            clockTolerance: LEEWAY_SECONDS,
            currentDate: new Date(now * 1000)
          }),
        catch: (cause) =>
          invalidClient(`client_assertion: ${cause instanceof Error ? cause.message : "cannot be verified"}`)
      })
      const { exp = 0, iat = 0, jti } = payload
      if (exp > now + ASSERTION_SECONDS + LEEWAY_SECONDS)
        return yield* invalidClient("exp: must be at most five minutes ahead")
      if (iat > now + LEEWAY_SECONDS) return yield* invalidClient("iat: must not be in the future")
      if (textIn(jti) === "") return yield* invalidClient("jti: must be text of 1 to 255 characters")
      return { jti: textIn(jti), exp }
    })

    const unknown = () => invalidClient("No active client has this client_id and key")

    /** An access token for the assertion of a registered client. Fails with `TokenRefusal`. */
    const exchange = Effect.fn("FhirTokens.exchange")(function* (request: TokenRequest) {
      const { grant_type, client_assertion_type, client_assertion, scope } = request
      if (grant_type !== "client_credentials")
        return yield* new TokenRefusal({
          error: "unsupported_grant_type",
          description: "grant_type: must be client_credentials"
        })
      if (client_assertion_type !== "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
        return yield* new TokenRefusal({
          error: "invalid_request",
          description: "client_assertion_type: must be urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
        })
      const { iss, kid } = yield* Effect.try({
        try: () => ({
          iss: textIn(decodeJwt(client_assertion).iss),
          kid: textIn(decodeProtectedHeader(client_assertion).kid)
        }),
        catch: () => invalidClient("client_assertion: must be a signed JWT")
      })
      if (iss === "") return yield* unknown()
      const work = (owner: OrganisationUid) =>
        Effect.gen(function* () {
          const client = yield* activeClient(owner, iss, unknown)
          const now = yield* realNow
          const { jti, exp } = yield* verifyAssertion(client, client_assertion, kid, now)
          yield* unaudited(transaction(useOnce(owner, iss, jti, exp, now)))
          const registered = rightsOfScopes(client.scopes)
          const wanted = rightsOfScopes(scope.split(/\s+/))
          const granted = new Set([...wanted].filter((right) => registered.has(right)))
          if (granted.size === 0)
            return yield* new TokenRefusal({
              error: "invalid_scope",
              description: "scope: none of these scopes is registered for the client"
            })
          const scopes = scopesOf(granted).join(" ")
          const claims = { iss: ISSUER, aud: audience, sub: iss, organisation_uid: owner, scope: scopes }
          const { token } = yield* signToken(tokenKeys, claims, { lifetime: TOKEN_SECONDS, header: { typ: "at+jwt" } })
          return {
            access_token: token,
            token_type: "bearer",
            expires_in: TOKEN_SECONDS,
            scope: scopes,
            organisation_uid: owner,
            client_id: iss
          }
        })
      return yield* owners.within({ kind: "fhir_client", key: iss }, unknown, work)
    })

    /** The client of an access token, and what it may do. Fails with `Unauthenticated`, also once the client is not active any more. */
    const authenticate = Effect.fn("FhirTokens.authenticate")(function* (token: string) {
      const refused = () => new Unauthenticated({ reason: "Send a valid access token, or an API key in X-API-Key" })
      const { sub, organisation_uid, scope } = yield* Effect.mapError(
        verifyClaims(tokenKeys, token, { issuer: ISSUER, audience, typ: "at+jwt" }),
        refused
      )
      const { scopes } = yield* withOwner({ organisation_uid })(activeClient(organisation_uid, sub, refused))
      const registered = rightsOfScopes(scopes)
      const rights: Rights = new Set([...rightsOfScopes(scope.split(" "))].filter((right) => registered.has(right)))
      return { organisation_uid, client_id: sub, rights }
    })

    return { exchange, authenticate, token_endpoint } as const
  }),
  dependencies: [ClientKeySets.Default, FhirClients.Default, OwnerByKey.Default]
}) {}
