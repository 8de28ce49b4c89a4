/** Signing in at any OpenID Connect provider, the built-in one included. */
import { Duration, Effect, Layer, Option, Redacted } from "effect"
import * as client from "openid-client"
import { Settings } from "../../config.ts"
import { isWithin } from "../../schemas/fields.ts"
import { SignIn, SignInRefused, SignInUnavailable } from "../../services/access/SignIn.ts"

/** The built-in issuer knows this client alone; it needs no secret. */
export const DEVELOPMENT_CLIENT = "sprechstunde-console"
const DISCOVERY_LIVES = Duration.hours(1)
const TIMEOUT_SECONDS = 5

/** What the provider has answered; all else is that it did not. */
const isAnswer = (cause: unknown) =>
  cause instanceof client.AuthorizationResponseError ||
  cause instanceof client.ResponseBodyError ||
  (cause instanceof client.ClientError && cause.code !== "OAUTH_TIMEOUT")

/** The claims by which providers call somebody, the fullest first. */
const nameIn = (claims: client.IDToken | undefined) =>
  [claims?.name, claims?.preferred_username].find(
    (name): name is string => typeof name === "string" && name !== "" && isWithin(name, 1, 255)
  ) ?? null

const failed = (cause: unknown) =>
  isAnswer(cause) ? new SignInRefused({ reason: String(cause) }) : new SignInUnavailable({ cause })

export const SignInLive = Layer.effect(
  SignIn,
  Effect.gen(function* () {
    const { oidc, baseUrl, production } = yield* Settings
    const issuer = oidc.issuer ?? `${baseUrl}/dev-idp`
    const clientId = oidc.issuer === undefined ? DEVELOPMENT_CLIENT : oidc.clientId
    const secret = oidc.clientSecret === undefined ? undefined : Redacted.value(oidc.clientSecret)
    const [discovered, forget] = yield* Effect.cachedInvalidateWithTTL(
      Effect.tryPromise({
        try: () =>
          client.discovery(
            new URL(issuer),
            clientId ?? "",
            undefined,
            secret === undefined ? client.None() : client.ClientSecretBasic(secret),
            {
              timeout: TIMEOUT_SECONDS,
              execute: [client.enableNonRepudiationChecks, ...(production ? [] : [client.allowInsecureRequests])]
            }
          ),
        catch: (cause) => new SignInUnavailable({ cause })
      }),
      DISCOVERY_LIVES
    )
    // What failed is no answer to keep: the next one who signs in asks again
    const configuration = Effect.tapError(discovered, () => forget)
    /** The audience of access tokens, in the words of RFC 8707 where it is an address, and of providers that have their own. */
    const audience = URL.canParse(oidc.audience) ? { resource: oidc.audience } : { audience: oidc.audience }

    const start = Effect.fn("SignIn.start")(function* (callback: string) {
      const known = yield* configuration
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier()
      }
      const challenge = yield* Effect.promise(() => client.calculatePKCECodeChallenge(checks.verifier))
      const address = client.buildAuthorizationUrl(known, {
        redirect_uri: callback,
        scope: "openid profile",
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: challenge,
        code_challenge_method: "S256",
        ...audience
      })
      return { address: address.href, checks }
    })

    const finish = Effect.fn("SignIn.finish")(function* (
      cameBackTo: string,
      { state, nonce, verifier }: { readonly state: string; readonly nonce: string; readonly verifier: string }
    ) {
      const known = yield* configuration
      const granted = yield* Effect.tryPromise({
        try: () =>
          client.authorizationCodeGrant(
            known,
            new URL(cameBackTo),
            { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
            "resource" in audience ? audience : {}
          ),
        catch: failed
      })
      return { access_token: granted.access_token, id_token: granted.id_token ?? "", name: nameIn(granted.claims()) }
    })

    const endAddress = Effect.fn("SignIn.endAddress")(function* (idToken: string, back: string) {
      const known = yield* configuration
      if (known.serverMetadata().end_session_endpoint === undefined) return Option.none()
      const address = client.buildEndSessionUrl(known, { id_token_hint: idToken, post_logout_redirect_uri: back })
      return Option.some(address.href)
    })

    return { issuer: clientId === undefined ? undefined : issuer, start, finish, endAddress }
  })
)
