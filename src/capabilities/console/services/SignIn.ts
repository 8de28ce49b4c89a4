import { Context, Data, type Effect, type Option } from "effect"

/** Values of a sign-in attempt that are verified when the browser returns from the provider. */
export interface SignInChecks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface SignInTokens {
  readonly access_token: string
  readonly id_token: string
  /** The person's name at the provider; null if unknown. */
  readonly name: string | null
  /** Null if the provider issued none. */
  readonly refresh_token: string | null
}

/** The provider did not confirm the sign-in, or the response does not belong to this attempt. `reason` is for logs. */
export class SignInRefused extends Data.TaggedError("SignInRefused")<{ readonly reason: string }> {}

/** The provider cannot be reached. */
export class SignInUnavailable extends Data.TaggedError("SignInUnavailable")<{ readonly cause: unknown }> {}

/** The port for signing in at the identity provider: authorisation code flow with PKCE. Section 17.1. */
export class SignIn extends Context.Tag("access/SignIn")<
  SignIn,
  {
    /** The issuer of valid sessions; undefined if sign-in is not configured (`OIDC_ISSUER` without `OIDC_CLIENT_ID`). */
    readonly issuer: string | undefined
    /** The provider's authorisation URL, and the values to keep for `finish`. `hint` is OpenID's `login_hint`: who signs in. */
    readonly start: (
      callback: string,
      hint?: string
    ) => Effect.Effect<{ readonly address: string; readonly checks: SignInChecks }, SignInUnavailable>
    /** Exchanges the callback URL for tokens. */
    readonly finish: (
      cameBackTo: string,
      checks: SignInChecks
    ) => Effect.Effect<SignInTokens, SignInRefused | SignInUnavailable>
    /** New tokens of a signed-in person, with the roles that they have now. */
    readonly refresh: (
      refreshToken: string
    ) => Effect.Effect<Pick<SignInTokens, "access_token" | "refresh_token">, SignInRefused | SignInUnavailable>
    /** The provider's end-session URL; none if it has none. */
    readonly endAddress: (idToken: string, back: string) => Effect.Effect<Option.Option<string>, SignInUnavailable>
  }
>() {}
