import { FetchHttpClient, HttpClient, HttpClientResponse } from "@effect/platform"
import { Data, Duration, Effect, Layer, Schema } from "effect"
import { createRemoteJWKSet, customFetch } from "jose"
import { type AccessTokenPolicy, verifyAccessToken } from "../../services/access/accessTokens.ts"
import { Identity, IdentityUnavailable } from "../../services/access/Identity.ts"
import { keptFor } from "../../services/bulkhead.ts"
import { callingFetch, outgoing } from "../../services/outgoing.ts"

const Discovery = Schema.Struct({ issuer: Schema.String, jwks_uri: Schema.String })

export interface OidcOptions extends AccessTokenPolicy {
  /** In production keys are fetched only over https. */
  readonly production?: boolean
  /** Minimum time between a fetch of the keys and another one caused by an unknown key id. Default 30 seconds. */
  readonly cooldown?: Duration.DurationInput
}

/** The provider's discovery document cannot be used. */
class ProviderUnusable extends Data.TaggedError("ProviderUnusable")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

const KEYS_TTL = Duration.minutes(10)
const DISCOVERY_TTL = Duration.hours(1)
const call = outgoing({
  to: "identity provider, for its keys",
  seconds: 5,
  bytes: 1_000_000,
  atOnce: 4,
  ofOwner: 4
})

/**
 * An OpenID Connect provider. Discovery happens on first use, so that the service starts while the provider is unreachable.
 * Keys are cached and refetched when a token names an unknown key id (after a rotation), at most once per `cooldown`, since
 * anyone can send unknown key ids.
 */
export const layer = ({ production = false, cooldown = Duration.seconds(30), ...policy }: OidcOptions) =>
  Layer.effect(
    Identity,
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const fetch = yield* callingFetch(call)
      const { issuer } = policy
      const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`
      const discover = client.get(address).pipe(
        Effect.flatMap(HttpClientResponse.filterStatusOk),
        Effect.flatMap(HttpClientResponse.schemaBodyJson(Discovery)),
        Effect.filterOrFail(
          (document) => document.issuer === issuer,
          (document) => new ProviderUnusable({ reason: `the provider calls itself ${document.issuer}, not ${issuer}` })
        ),
        Effect.filterOrFail(
          ({ jwks_uri }) => !production || new URL(jwks_uri).protocol === "https:",
          ({ jwks_uri }) => new ProviderUnusable({ reason: `its keys are not published over https: ${jwks_uri}` })
        ),
        Effect.map(({ jwks_uri }) =>
          createRemoteJWKSet(new URL(jwks_uri), {
            cacheMaxAge: Duration.toMillis(KEYS_TTL),
            cooldownDuration: Duration.toMillis(cooldown),
            [customFetch]: fetch
          })
        ),
        Effect.provideService(FetchHttpClient.RequestInit, { redirect: "error" }),
        Effect.mapError((cause) => new IdentityUnavailable({ cause })),
        call(() => new IdentityUnavailable({ cause: "no answer in time" }))
      )
      const keys = keptFor(Duration.toMillis(DISCOVERY_TTL), discover)
      const verify = (token: string) => Effect.flatMap(keys, (keyOf) => verifyAccessToken(token, keyOf, policy))
      return { verify }
    })
  )
