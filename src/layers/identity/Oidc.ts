import { HttpClient, HttpClientResponse } from "@effect/platform"
import { Duration, Effect, Layer, Option, Schema } from "effect"
import { createRemoteJWKSet } from "jose"
import { Identity, IdentityUnavailable } from "../../services/access/Identity.ts"
import { verifyAccessToken } from "./accessToken.ts"

const Discovery = Schema.Struct({ issuer: Schema.String, jwks_uri: Schema.String })

export interface OidcOptions {
  readonly issuer: string
  readonly audience: string
  /** How soon after a fetch of the keys an unknown key id may cause another one. */
  readonly cooldown?: Duration.DurationInput
}

const KEYS_LIVE = Duration.minutes(10)
const DISCOVERY_LIVES = Duration.hours(1)
const TIME_OUT = Duration.seconds(5)

/**
 * A real OpenID Connect provider. Its keys are found by discovery at first use, so that the service starts while the
 * provider is away; they are cached, and fetched again when a token names a key that is not among them (a rotation),
 * though not more often than the cooldown allows, or strangers could make us hammer the provider.
 */
export const layer = ({ issuer, audience, cooldown = Duration.seconds(30) }: OidcOptions) =>
  Layer.effect(
    Identity,
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`
      const discover = client.get(address).pipe(
        Effect.flatMap(HttpClientResponse.filterStatusOk),
        Effect.flatMap(HttpClientResponse.schemaBodyJson(Discovery)),
        Effect.filterOrFail(
          (document) => document.issuer === issuer,
          (document) => new Error(`the provider calls itself ${document.issuer}, not ${issuer}`)
        ),
        Effect.map(({ jwks_uri }) =>
          createRemoteJWKSet(new URL(jwks_uri), {
            cacheMaxAge: Duration.toMillis(KEYS_LIVE),
            cooldownDuration: Duration.toMillis(cooldown),
            timeoutDuration: Duration.toMillis(TIME_OUT)
          })
        ),
        Effect.timeout(TIME_OUT),
        Effect.mapError((cause) => new IdentityUnavailable({ cause }))
      )
      const [keys, forget] = yield* Effect.cachedInvalidateWithTTL(discover, DISCOVERY_LIVES)
      const verify = (token: string) =>
        keys.pipe(
          Effect.tapError(() => forget),
          Effect.flatMap((keyOf) => verifyAccessToken(token, keyOf, { issuer, audience }))
        )
      return { verify, documents: Option.none() }
    })
  )
