import { FetchHttpClient, HttpClient, HttpClientResponse } from "@effect/platform"
import { Data, Duration, Effect, Layer, Option, Schema } from "effect"
import { createRemoteJWKSet } from "jose"
import { Identity, IdentityUnavailable } from "../../services/access/Identity.ts"
import { type AccessTokenPolicy, verifyAccessToken } from "./accessToken.ts"

const Discovery = Schema.Struct({ issuer: Schema.String, jwks_uri: Schema.String })

export interface OidcOptions extends AccessTokenPolicy {
  /** In production keys are fetched over https alone. */
  readonly production?: boolean
  /** How soon after a fetch of the keys an unknown key id may cause another one. */
  readonly cooldown?: Duration.DurationInput
}

/** The provider's discovery document cannot be used. */
class ProviderUnusable extends Data.TaggedError("ProviderUnusable")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

const KEYS_LIVE = Duration.minutes(10)
const DISCOVERY_LIVES = Duration.hours(1)
const TIME_OUT = Duration.seconds(5)

/**
 * A real OpenID Connect provider. Its keys are found by discovery at first use, so that the service starts while the
 * provider cannot be reached. They are cached, and fetched again when a token names a key that is not among them (after a
 * rotation), at most once in `cooldown`: unknown key ids cost the sender nothing.
 */
export const layer = ({ production = false, cooldown = Duration.seconds(30), ...policy }: OidcOptions) =>
  Layer.effect(
    Identity,
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
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
            cacheMaxAge: Duration.toMillis(KEYS_LIVE),
            cooldownDuration: Duration.toMillis(cooldown),
            timeoutDuration: Duration.toMillis(TIME_OUT)
          })
        ),
        Effect.provideService(FetchHttpClient.RequestInit, { redirect: "error" }),
        Effect.timeout(TIME_OUT),
        Effect.mapError((cause) => new IdentityUnavailable({ cause }))
      )
      const [keys, forget] = yield* Effect.cachedInvalidateWithTTL(discover, DISCOVERY_LIVES)
      const verify = (token: string) =>
        keys.pipe(
          Effect.tapError(() => forget),
          Effect.flatMap((keyOf) => verifyAccessToken(token, keyOf, policy))
        )
      return { verify, documents: Option.none() }
    })
  )
