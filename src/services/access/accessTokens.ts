import { Clock, Effect, Option, Predicate } from "effect"
import { errors, type JWTHeaderParameters, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose"
import { isText } from "../../schemas/fields.ts"
import { DAY } from "../../schemas/seconds.ts"
import { IdentityRefused, IdentityUnavailable, type VerifiedIdentity } from "./Identity.ts"
import { LEEWAY_SECONDS } from "./signedTokens.ts"

/** Only asymmetric signatures, so that a public key is never used as an HMAC secret. */
const ALGORITHMS = ["RS256", "ES256", "EdDSA"]
/** Longest time from `iat` to `exp`. */
const MAX_LIFETIME_SECONDS = DAY

export interface AccessTokenPolicy {
  readonly issuer: string
  readonly audience: string
  /** Required `typ` of the header. Default: `at+jwt`, `JWT` or none. */
  readonly tokenType?: "at+jwt" | undefined
  /** Whether a token with a `nonce` is accepted whose `typ` is not `at+jwt`. Default: no, since it may be an ID token. */
  readonly nonceAllowed?: boolean | undefined
  /** Required client (`azp`, `client_id`) of tokens that name one. */
  readonly clientId?: string | undefined
}

const text = (value: unknown) => Option.liftPredicate(value, Predicate.isString)

/** Claims of an unexpected type are ignored. */
const identityOf = (subject: string, claims: JWTPayload): VerifiedIdentity => ({
  subject,
  roles: Array.isArray(claims.roles) ? claims.roles.filter(Predicate.isString) : [],
  organisation_uid: text(claims.organisation_uid),
  doctor_uid: text(claims.doctor_uid),
  pharmacy_uid: text(claims.pharmacy_uid),
  pharmacy_group_uid: text(claims.pharmacy_group_uid)
})

/** Whether the token is invalid; other errors occurred while fetching the keys. */
const isInvalidToken = (cause: unknown) =>
  cause instanceof errors.JOSEError &&
  !(cause instanceof errors.JWKSTimeout) &&
  !(cause instanceof errors.JWKSInvalid) &&
  cause.code !== "ERR_JOSE_GENERIC"

/** `typ` is case-insensitive, and its `application/` prefix is optional. */
const typeOf = ({ typ }: JWTHeaderParameters) =>
  typ === undefined
    ? undefined
    : String(typ)
        .toLowerCase()
        .replace(/^application\//, "")

/** Checks beyond signature, issuer, audience and expiry: the fault, or undefined for a valid access token. */
const faultOf = (header: JWTHeaderParameters, claims: JWTPayload, policy: AccessTokenPolicy, now: number) => {
  const type = typeOf(header)
  const { exp = 0, iat = 0, sub, azp, client_id } = claims
  const clients = [azp, client_id].filter((client) => client !== undefined)
  if (!(policy.tokenType === undefined ? ["at+jwt", "jwt", undefined] : [policy.tokenType]).includes(type))
    return "typ of another kind of token"
  if ("nonce" in claims && type !== "at+jwt" && policy.nonceAllowed !== true) return "nonce: an ID token"
  if ("events" in claims) return "events: a security event or logout token"
  if (typeof sub !== "string" || sub === "" || !isText(sub)) return "no sub"
  if (iat > now + LEEWAY_SECONDS) return "issued in the future"
  if (exp - iat > MAX_LIFETIME_SECONDS) return "lives longer than 24 hours"
  if (policy.clientId !== undefined && clients.some((client) => client !== policy.clientId))
    return "issued to another client"
  return undefined
}

/** Verifies a JWT access token with the keys of `keyOf` (Rules 1.9.1 to 1.9.6) and reads its claims. */
export const verifyAccessToken = Effect.fn("Identity.verify")(function* (
  token: string,
  keyOf: JWTVerifyGetKey,
  policy: AccessTokenPolicy
) {
  const millis = yield* Clock.currentTimeMillis
  const { payload, protectedHeader } = yield* Effect.tryPromise({
    try: () =>
      jwtVerify(token, keyOf, {
        issuer: policy.issuer,
        audience: policy.audience,
        algorithms: ALGORITHMS,
        requiredClaims: ["exp", "iat", "sub"],
        clockTolerance: LEEWAY_SECONDS,
        currentDate: new Date(millis)
      }),
    catch: (cause) =>
      isInvalidToken(cause) ? new IdentityRefused({ reason: String(cause) }) : new IdentityUnavailable({ cause })
  })
  const fault = faultOf(protectedHeader, payload, policy, Math.floor(millis / 1000))
  if (fault !== undefined) return yield* new IdentityRefused({ reason: fault })
  return identityOf(payload.sub ?? "", payload)
})
