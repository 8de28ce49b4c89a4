import { Context, Data, type Effect, type Option } from "effect"

/** Who a doctor or admin is, as the identity provider says; whether that person exists here is not its business. */
export interface VerifiedIdentity {
  /** The provider's own name for the person (`sub`). */
  readonly subject: string
  readonly organisation_uid: Option.Option<string>
  readonly roles: ReadonlyArray<string>
  readonly doctor_uid: Option.Option<string>
}

/** The token is not to be believed. `reason` is for logs: a caller is told only that it is invalid. */
export class IdentityRefused extends Data.TaggedError("IdentityRefused")<{ readonly reason: string }> {}

/** The identity provider could not be asked for its keys, so that nothing can be said about the token. */
export class IdentityUnavailable extends Data.TaggedError("IdentityUnavailable")<{ readonly cause: unknown }> {}

/** The two documents by which a built-in issuer is discovered. */
export interface IssuerDocuments {
  readonly configuration: { readonly issuer: string; readonly jwks_uri: string } & Readonly<Record<string, unknown>>
  readonly jwks: { readonly keys: ReadonlyArray<Readonly<Record<string, unknown>>> }
}

/** The identity provider of doctors and admins: any OpenID Connect issuer, or the built-in one for development. */
export class Identity extends Context.Tag("access/Identity")<
  Identity,
  {
    /** Checks an access token: signature by the issuer's published keys, issuer, audience and expiry, on real time. */
    readonly verify: (token: string) => Effect.Effect<VerifiedIdentity, IdentityRefused | IdentityUnavailable>
    /** What the built-in issuer publishes; none with a real one, which publishes for itself. */
    readonly documents: Option.Option<IssuerDocuments>
  }
>() {}
