import { Context, Data, type Effect, type Option } from "effect"
import type { Role } from "../../schemas/access/Actor.ts"

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

/** The built-in issuer: the two documents by which it is discovered, and what it signs. */
export interface IssuerDocuments {
  readonly configuration: { readonly issuer: string; readonly jwks_uri: string } & Readonly<Record<string, unknown>>
  readonly jwks: { readonly keys: ReadonlyArray<Readonly<Record<string, unknown>>> }
  /** Tokens for whoever was chosen on the issuer's page, for the client and the nonce of an attempt to sign in. */
  readonly issue: (
    person: IssuedPerson,
    attempt: { readonly client_id: string; readonly nonce: string }
  ) => Effect.Effect<{ readonly access_token: string; readonly id_token: string }>
}

/** Whom the built-in issuer gives a token: a doctor or an administrator of an organisation, a pharmacy's or its group's staff, or an operator. */
export interface IssuedPerson {
  readonly role: Role
  readonly organisation_uid?: string | undefined
  readonly doctor_uid?: string | undefined
  readonly pharmacy_uid?: string | undefined
  readonly pharmacy_group_uid?: string | undefined
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
