import { Clock, Effect, Option, Predicate } from "effect"
import { errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from "jose"
import { IdentityRefused, IdentityUnavailable, type VerifiedIdentity } from "../../services/access/Identity.ts"

/** Only signatures by asymmetric keys: a public key must never be taken for the secret of an HMAC. */
export const ALLOWED_ALGORITHMS = ["RS256", "ES256", "EdDSA"]

const text = (value: unknown) => Option.liftPredicate(value, Predicate.isString)

/** Claims of a shape that we do not know count as absent: such a person is known, but may do nothing here. */
const identityOf = (claims: JWTPayload): VerifiedIdentity => {
  const organisation = text(claims.organisation_uid)
  const doctor = text(claims.doctor_uid)
  return {
    subject:
      claims.sub ??
      Option.getOrElse(
        Option.orElse(doctor, () => organisation),
        () => "unknown"
      ),
    organisation_uid: organisation,
    roles: Array.isArray(claims.roles) ? claims.roles.filter(Predicate.isString) : [],
    doctor_uid: doctor
  }
}

/** jose says by the class of its error whether the token is at fault; anything else came from fetching the keys. */
const isTokensFault = (cause: unknown) =>
  cause instanceof errors.JOSEError &&
  !(cause instanceof errors.JWKSTimeout) &&
  !(cause instanceof errors.JWKSInvalid) &&
  cause.code !== "ERR_JOSE_GENERIC"

/** Verifies a JWT access token with the keys that `keyOf` finds, and reads the claims that the service knows. */
export const verifyAccessToken = Effect.fn("Identity.verify")(function* (
  token: string,
  keyOf: JWTVerifyGetKey,
  options: Pick<JWTVerifyOptions, "issuer" | "audience">
) {
  const now = yield* Clock.currentTimeMillis
  const { payload } = yield* Effect.tryPromise({
    try: () =>
      jwtVerify(token, keyOf, {
        ...options,
        algorithms: ALLOWED_ALGORITHMS,
        requiredClaims: ["exp"],
        currentDate: new Date(now)
      }),
    catch: (cause) =>
      isTokensFault(cause) ? new IdentityRefused({ reason: String(cause) }) : new IdentityUnavailable({ cause })
  })
  return identityOf(payload)
})
