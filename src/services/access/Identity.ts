import { Context, Data, type Effect, type Option } from "effect"

/** The claims of a verified access token. Whether the records that they name exist is checked by `Staff`. */
export interface VerifiedIdentity {
  /** The provider's own name for the person (`sub`). */
  readonly subject: string
  readonly roles: ReadonlyArray<string>
  readonly organisation_uid: Option.Option<string>
  readonly doctor_uid: Option.Option<string>
  readonly pharmacy_uid: Option.Option<string>
  readonly pharmacy_group_uid: Option.Option<string>
}

/** The token does not verify. `reason` is for logs; a caller reads only that the token is invalid. */
export class IdentityRefused extends Data.TaggedError("IdentityRefused")<{ readonly reason: string }> {}

/** The identity provider's keys could not be fetched, so the token could not be checked. */
export class IdentityUnavailable extends Data.TaggedError("IdentityUnavailable")<{ readonly cause: unknown }> {}

/** The two documents by which a built-in issuer is discovered. */
export interface IssuerDocuments {
  readonly configuration: { readonly issuer: string; readonly jwks_uri: string } & Readonly<Record<string, unknown>>
  readonly jwks: { readonly keys: ReadonlyArray<Readonly<Record<string, unknown>>> }
}

/** The identity provider of staff: any OpenID Connect issuer, or the built-in one for development. Section 1.9. */
export class Identity extends Context.Tag("access/Identity")<
  Identity,
  {
    /** Checks an access token by Rules 1.9.1 to 1.9.6, on real time. */
    readonly verify: (token: string) => Effect.Effect<VerifiedIdentity, IdentityRefused | IdentityUnavailable>
    /** The documents of the built-in issuer; none with a real one. */
    readonly documents: Option.Option<IssuerDocuments>
  }
>() {}
