/** Sign-in with any OpenID Connect provider, including the built-in one. */
import { Duration, Effect, Layer, Option, Redacted } from "effect"
import type * as OpenId from "openid-client"
import { Settings } from "../../../config.ts"
import { isWithin } from "../../../schemas/fields.ts"
import { LEEWAY_SECONDS } from "../../../services/access/signedTokens.ts"
import { keptFor } from "../../../services/bulkhead.ts"
import { callingFetch, outgoing } from "../../../services/outgoing.ts"
import { SignIn, SignInRefused, SignInUnavailable } from "../services/SignIn.ts"

/** Loaded by the first sign-in. */
const openId = (): typeof OpenId => require("openid-client")

/** The only client of the built-in issuer; it has no secret. */
export const DEVELOPMENT_CLIENT = "sprechstunde-console"
const DISCOVERY_TTL = Duration.hours(1)
const call = outgoing({
  to: "identity provider, for a step of the console's sign-in",
  seconds: 10,
  bytes: 1_000_000,
  atOnce: 16,
  ofOwner: 16
})

/** Whether the provider has answered with an error; other failures mean that it is unavailable. */
const isAnswer = (cause: unknown) =>
  cause instanceof openId().AuthorizationResponseError ||
  cause instanceof openId().ResponseBodyError ||
  (cause instanceof openId().ClientError && cause.code !== "OAUTH_TIMEOUT")

/** `application/x-www-form-urlencoded`, which leaves a hyphen as it is: not every provider decodes. */
const formEncoded = (text: string) => new URLSearchParams([["", text]]).toString().slice(1)

/** Authenticates the console by its secret in the way that the provider's discovery names. Rule 17.1.9. */
const withSecret =
  (secret: string): OpenId.ClientAuth =>
  (provider, metadata, body, headers) => {
    const ways = provider.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
    const way = ["client_secret_basic", "client_secret_post", "none"].find((known) => ways.includes(known))
    if (way === "client_secret_post") return openId().ClientSecretPost(secret)(provider, metadata, body, headers)
    if (way === "none") return openId().None()(provider, metadata, body, headers)
    const credentials = [metadata.client_id, secret].map(formEncoded).join(":")
    headers.set("authorization", `Basic ${btoa(credentials)}`)
  }

/** The person's display name from the ID token. */
const nameIn = (claims: OpenId.IDToken | undefined) =>
  [claims?.name, claims?.preferred_username].find(
    (name): name is string => typeof name === "string" && name !== "" && isWithin(name, 1, 255)
  ) ?? null

const request = outgoing({
  to: "identity provider, for one request of such a step",
  seconds: 5,
  bytes: 1_000_000,
  atOnce: 16,
  ofOwner: 16
})

const late = () => new SignInUnavailable({ cause: "no answer in time" })

const failed = (cause: unknown) =>
  isAnswer(cause) ? new SignInRefused({ reason: String(cause) }) : new SignInUnavailable({ cause })

export const SignInLive = Layer.effect(
  SignIn,
  Effect.gen(function* () {
    const { oidc, baseUrl, production, staffSignIn } = yield* Settings
    const issuer = oidc.issuer ?? `${baseUrl}/dev-idp`
    const clientId = oidc.issuer === undefined ? DEVELOPMENT_CLIENT : oidc.clientId
    const secret = oidc.clientSecret === undefined ? undefined : Redacted.value(oidc.clientSecret)
    const fetch = yield* callingFetch(request)
    const configuration = keptFor(
      Duration.toMillis(DISCOVERY_TTL),
      Effect.tryPromise({
        try: () =>
          openId().discovery(
            new URL(issuer),
            clientId ?? "",
            { [openId().clockTolerance]: LEEWAY_SECONDS },
            secret === undefined ? openId().None() : withSecret(secret),
            {
              [openId().customFetch]: fetch,
              execute: [openId().enableNonRepudiationChecks, ...(production ? [] : [openId().allowInsecureRequests])]
            }
          ),
        catch: (cause) => new SignInUnavailable({ cause })
      }).pipe(call(late))
    )
    /** Requests the audience of access tokens: `resource` (RFC 8707) if it is a URL, otherwise the common `audience` parameter. */
    const audience = URL.canParse(oidc.audience) ? { resource: oidc.audience } : { audience: oidc.audience }

    const start = Effect.fn("SignIn.start")(function* (callback: string, hint?: string) {
      const known = yield* configuration
      const checks = {
        state: openId().randomState(),
        nonce: openId().randomNonce(),
        verifier: openId().randomPKCECodeVerifier()
      }
      const challenge = yield* Effect.promise(() => openId().calculatePKCECodeChallenge(checks.verifier))
      const address = openId().buildAuthorizationUrl(known, {
        redirect_uri: callback,
        // Some providers issue refresh tokens only for this scope; others do not know it
        scope: known.serverMetadata().scopes_supported?.includes("offline_access")
          ? "openid profile offline_access"
          : "openid profile",
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: challenge,
        code_challenge_method: "S256",
        ...(hint !== undefined && { login_hint: hint }),
        ...audience
      })
      return { address: address.href, checks }
    })

    const finish = Effect.fn("SignIn.finish")(function* (
      callbackUrl: string,
      { state, nonce, verifier }: { readonly state: string; readonly nonce: string; readonly verifier: string }
    ) {
      const known = yield* configuration
      const granted = yield* Effect.tryPromise({
        try: () =>
          openId().authorizationCodeGrant(
            known,
            new URL(callbackUrl),
            { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
            "resource" in audience ? audience : {}
          ),
        catch: failed
      }).pipe(call(late))
      return {
        access_token: granted.access_token,
        id_token: granted.id_token ?? "",
        name: nameIn(granted.claims()),
        refresh_token: granted.refresh_token ?? null
      }
    })

    const refresh = Effect.fn("SignIn.refresh")(function* (refreshToken: string) {
      const known = yield* configuration
      const granted = yield* Effect.tryPromise({
        try: () => openId().refreshTokenGrant(known, refreshToken, "resource" in audience ? audience : {}),
        catch: failed
      }).pipe(call(late))
      // A provider that does not rotate refresh tokens sends none
      return { access_token: granted.access_token, refresh_token: granted.refresh_token ?? refreshToken }
    })

    const endAddress = Effect.fn("SignIn.endAddress")(function* (idToken: string, back: string) {
      const known = yield* configuration
      if (known.serverMetadata().end_session_endpoint === undefined) return Option.none()
      const address = openId().buildEndSessionUrl(known, { id_token_hint: idToken, post_logout_redirect_uri: back })
      return Option.some(address.href)
    })

    const known = clientId === undefined ? undefined : issuer
    return { issuer: staffSignIn === "mail" ? "mail" : known, start, finish, refresh, endAddress }
  })
)
