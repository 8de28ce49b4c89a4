import { Context, Data, Effect, type Option, Predicate } from "effect"

/** The claims of a verified access token. `Staff` checks that the records in them exist. */
export interface VerifiedIdentity {
  /** The provider's id of the person (`sub`). */
  readonly subject: string
  readonly roles: ReadonlyArray<string>
  readonly organisation_uid: Option.Option<string>
  readonly doctor_uid: Option.Option<string>
  readonly pharmacy_uid: Option.Option<string>
  readonly pharmacy_group_uid: Option.Option<string>
}

/** The token is invalid. `reason` is for logs; a caller only learns that the token is invalid. */
export class IdentityRefused extends Data.TaggedError("IdentityRefused")<{ readonly reason: string }> {}

/** The identity provider's keys could not be fetched, so the token could not be verified. */
export class IdentityUnavailable extends Data.TaggedError("IdentityUnavailable")<{ readonly cause: unknown }> {}

/** Codes of a TLS connection to a server whose certificate no known certification authority has signed. */
const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET_ISSUER|VERIFY)\w*)$/

const isUntrusted = (error: unknown): boolean =>
  (Predicate.hasProperty(error, "code") && UNTRUSTED.test(String(error.code))) ||
  (Predicate.hasProperty(error, "cause") && isUntrusted(error.cause))

/** Logs why the provider could not be asked. */
export const logUnavailable = (cause: unknown) =>
  Effect.logWarning(
    isUntrusted(cause)
      ? "identity provider: its certificate is of no known certification authority. NODE_EXTRA_CA_CERTS names the file of your own (docs/operating.md)"
      : "identity provider",
    cause
  )

/** Verifies an access token by Rules 1.9.1 to 1.9.6, in real time. */
export type Verify = (token: string) => Effect.Effect<VerifiedIdentity, IdentityRefused | IdentityUnavailable>

/** The port to the identity provider of staff: any OpenID Connect issuer, or that of a capability. Section 1.9. */
export class Identity extends Context.Tag("access/Identity")<Identity, { readonly verify: Verify }>() {}
