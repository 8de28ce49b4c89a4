import { Context, Data, type Effect, type Option } from "effect"

/** What one attempt to sign in has to present again when the browser comes back from the provider. */
export interface SignInChecks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface SignInTokens {
  readonly access_token: string
  readonly id_token: string
  /** What the provider calls the person; null where it does not say. */
  readonly name: string | null
}

/** The provider did not confirm the sign-in, or what came back does not belong to this attempt. `reason` is for logs. */
export class SignInRefused extends Data.TaggedError("SignInRefused")<{ readonly reason: string }> {}

/** The provider cannot be reached. */
export class SignInUnavailable extends Data.TaggedError("SignInUnavailable")<{ readonly cause: unknown }> {}

/** Signing in at the identity provider by the authorisation code with PKCE. Section 17.1. */
export class SignIn extends Context.Tag("access/SignIn")<
  SignIn,
  {
    /** The issuer whose sessions count; undefined where signing in is not set up (`OIDC_ISSUER` without `OIDC_CLIENT_ID`). */
    readonly issuer: string | undefined
    /** The provider's address to send the browser to, and what has to be kept for `finish`. */
    readonly start: (
      callback: string
    ) => Effect.Effect<{ readonly address: string; readonly checks: SignInChecks }, SignInUnavailable>
    /** The tokens for the address that the browser came back to. */
    readonly finish: (
      cameBackTo: string,
      checks: SignInChecks
    ) => Effect.Effect<SignInTokens, SignInRefused | SignInUnavailable>
    /** Where the browser ends its session at the provider; none where the provider has no such address. */
    readonly endAddress: (idToken: string, back: string) => Effect.Effect<Option.Option<string>, SignInUnavailable>
  }
>() {}
