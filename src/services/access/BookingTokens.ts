/** Booking tokens, with which a partner vouches for one of its patients. Rule 1.5. */
import { Effect, Option, Schema } from "effect"
import { decodeJwt, decodeProtectedHeader, errors } from "jose"
import {
  TokenAudience,
  TokenExpired,
  TokenKeyUnknown,
  TokenMalformed,
  TokenNotYetValid,
  TokenSignature,
  TokenTooLong
} from "../../schemas/access/errors.ts"
import { ProfileFields } from "../../schemas/access/PatientProfile.ts"
import { invalidOf } from "../../schemas/faults.ts"
import { HOUR } from "../../schemas/seconds.ts"
import { realNow } from "../DomainClock.ts"
import { LEEWAY_SECONDS, signToken, type TokenRefused, verifyToken } from "./signedTokens.ts"

const AUDIENCE = "service-scheduling"
const MAX_LIFETIME_SECONDS = HOUR

const Identifier = Schema.String.pipe(
  Schema.filter((text) => text.length > 0 && text.length <= 255 && text.isWellFormed() && !text.includes("\0"))
)

/** An integer is taken as its decimal text. Rule 1.5.9. */
const CustomerIdentifier = Schema.transform(
  Schema.Union(Schema.String, Schema.Number.pipe(Schema.filter(Number.isSafeInteger))),
  Identifier,
  { strict: true, decode: String, encode: (text) => text }
)

const claimsOf = verifyToken(
  Schema.Struct({
    exp: Schema.JsonNumber,
    nbf: Schema.JsonNumber,
    iat: Schema.JsonNumber,
    shop_identifier: Identifier,
    shop_customer_id: CustomerIdentifier,
    patient_profile_fields: Schema.Unknown
  })
)

/** A partner's claims about one of its customers, and the secret that signed them. */
export interface VerifiedBookingToken<Secret> {
  readonly shop_identifier: string
  readonly shop_customer_id: string
  /** As sent: `profileOf` decodes it. */
  readonly patient_profile_fields: unknown
  readonly secret: Secret
}

const decodeProfile = Schema.decodeUnknown(Schema.Struct({ patient_profile_fields: ProfileFields }), { errors: "all" })

/** The profile of a verified token. Fails with `Invalid` if it is no list of fields, or too large. Rules 1.5.7 and 1.6.5. */
export const profileOf = (token: Pick<VerifiedBookingToken<unknown>, "patient_profile_fields">) =>
  Effect.mapBoth(decodeProfile(token), {
    onSuccess: ({ patient_profile_fields }) => patient_profile_fields,
    onFailure: (error) => invalidOf(error)
  })

/** Which rule a token breaks, by what the verification found. Rule 1.5.10. */
const refusalOf = ({ reason, cause }: TokenRefused) => {
  if (cause instanceof errors.JWTExpired) return new TokenExpired({ reason })
  if (cause instanceof errors.JWSSignatureVerificationFailed) return new TokenSignature({ reason })
  if (!(cause instanceof errors.JWTClaimValidationFailed)) return new TokenMalformed({ reason })
  if (cause.claim === "aud") return new TokenAudience({ reason })
  if (cause.claim === "nbf" && cause.reason === "check_failed") return new TokenNotYetValid({ reason })
  return new TokenMalformed({ reason })
}

/** Reads the key id and the shop of an unverified token, to look up its secret. */
const namedBy = (token: string) =>
  Effect.try({
    try: () => ({ key_id: decodeProtectedHeader(token).kid, shop_identifier: decodeJwt(token).shop_identifier }),
    catch: () => new TokenMalformed({ reason: "not a JWT" })
  }).pipe(
    Effect.flatMap(({ key_id, shop_identifier }) =>
      typeof key_id !== "string" || key_id.length === 0
        ? Effect.fail(new TokenMalformed({ reason: "no kid in the header" }))
        : Effect.succeed({ key_id, shop_identifier: Schema.is(Identifier)(shop_identifier) ? shop_identifier : "" })
    )
  )

/**
 * Verifies a booking token with the secret of its `kid`: Rules 1.5.2 to 1.5.6, in real time. The caller checks that the shop belongs to
 * the secret's organisation. Fails with what is wrong with it; `reason` is for logs.
 */
export const verifyBookingToken = Effect.fnUntraced(function* <Secret extends { readonly secret: string }, E, R>(
  token: string,
  lookupSecret: (key_id: string, shop_identifier: string) => Effect.Effect<Option.Option<Secret>, E, R>
) {
  const named = yield* namedBy(token)
  const found = yield* lookupSecret(named.key_id, named.shop_identifier)
  if (Option.isNone(found)) return yield* new TokenKeyUnknown({ reason: "unknown kid" })
  const claims = yield* claimsOf(new TextEncoder().encode(found.value.secret), token, {
    audience: AUDIENCE,
    clockTolerance: LEEWAY_SECONDS,
    requiredClaims: ["exp", "nbf", "iat", "patient_profile_fields"]
  }).pipe(Effect.mapError(refusalOf))
  if (claims.iat > (yield* realNow) + LEEWAY_SECONDS)
    return yield* new TokenNotYetValid({ reason: "issued in the future" })
  if (claims.exp <= claims.iat) return yield* new TokenMalformed({ reason: "expires before it was issued" })
  if (claims.exp - claims.iat > MAX_LIFETIME_SECONDS)
    return yield* new TokenTooLong({ reason: "lives longer than an hour" })
  const { shop_identifier, shop_customer_id, patient_profile_fields } = claims
  const secret: Secret = found.value
  return { shop_identifier, shop_customer_id, patient_profile_fields, secret } satisfies VerifiedBookingToken<Secret>
})

export interface BookingTokenContents {
  readonly key_id: string
  readonly secret: string
  readonly shop_identifier: string
  readonly shop_customer_id: string
  readonly profile: ReadonlyArray<readonly [field: string, value: string]>
}

/** Creates a booking token valid for five minutes, as a partner's back end would. */
export const mintBookingToken = ({
  key_id,
  secret,
  shop_identifier,
  shop_customer_id,
  profile
}: BookingTokenContents) =>
  Effect.map(
    signToken(
      new TextEncoder().encode(secret),
      {
        aud: AUDIENCE,
        shop_identifier,
        shop_customer_id,
        patient_profile_fields: profile.map(([field, value]) => ({ field, value, source: "shop" }))
      },
      { lifetime: 300, notBefore: 0, header: { kid: key_id } }
    ),
    ({ token }) => token
  )
