import { Clock, Data, Effect, Option, type ParseResult, Schema } from "effect"
import { decodeProtectedHeader, jwtVerify } from "jose"
import { type PatientProfile, ProfileFields } from "../../schemas/access/PatientProfile.ts"
import { HOUR } from "../../schemas/seconds.ts"
import { faultyFields } from "./faultyFields.ts"

/** The audience that every booking token names (specification §5). */
export const BOOKING_TOKEN_AUDIENCE = "service-scheduling"
const TOLERANCE_SECONDS = 30
const MAXIMUM_LIFETIME_SECONDS = HOUR

/** The token is not to be believed. `reason` is for logs: a caller is told only that it is invalid. */
export class BookingTokenRefused extends Data.TaggedError("BookingTokenRefused")<{ readonly reason: string }> {}

const Identifier = Schema.String.pipe(
  Schema.filter((text) => text.length > 0 && text.length <= 255 && text.isWellFormed() && !text.includes("\0"))
)

const Claims = Schema.Struct({
  aud: Schema.Literal(BOOKING_TOKEN_AUDIENCE),
  exp: Schema.Int,
  nbf: Schema.Int,
  iat: Schema.Int,
  shop_identifier: Identifier,
  shop_customer_id: Identifier,
  patient_profile_fields: ProfileFields
})

const decodeClaims = Schema.decodeUnknown(Claims)

/** What a partner vouches for about one of its customers, and the secret that it vouched with. */
export interface VerifiedBookingToken<Secret> {
  readonly shop_identifier: string
  readonly shop_customer_id: string
  readonly profile: PatientProfile
  readonly secret: Secret
}

const refuse = (reason: string) => Effect.fail(new BookingTokenRefused({ reason }))
const asRefused = Effect.mapError(
  (error: ParseResult.ParseError) => new BookingTokenRefused({ reason: `claims: ${faultyFields(error)}` })
)

const keyIdOf = (token: string) =>
  Effect.try({
    try: () => decodeProtectedHeader(token).kid,
    catch: () => new BookingTokenRefused({ reason: "no JWT" })
  }).pipe(
    Effect.filterOrFail(
      (kid): kid is string => typeof kid === "string" && kid.length > 0,
      () => new BookingTokenRefused({ reason: "no kid in the header" })
    )
  )

const claimsOf = Effect.fn("BookingTokens.claims")(function* (token: string, secret: string) {
  const now = yield* Clock.currentTimeMillis
  const { payload } = yield* Effect.tryPromise({
    try: () =>
      jwtVerify(token, new TextEncoder().encode(secret), {
        algorithms: ["HS256"],
        audience: BOOKING_TOKEN_AUDIENCE,
        clockTolerance: TOLERANCE_SECONDS,
        currentDate: new Date(now),
        requiredClaims: ["exp", "nbf", "iat"]
      }),
    catch: (cause) => new BookingTokenRefused({ reason: String(cause) })
  })
  const claims = yield* decodeClaims(payload).pipe(asRefused)
  if (claims.iat > now / 1000 + TOLERANCE_SECONDS) return yield* refuse("issued in the future")
  if (claims.exp <= claims.iat) return yield* refuse("expires before it was issued")
  if (claims.exp - claims.iat > MAXIMUM_LIFETIME_SECONDS) return yield* refuse("lives longer than an hour")
  return claims
})

/**
 * Checks a patient's booking token (specification §5, item 3): HS256 by the secret that its `kid` names, the audience,
 * the times with 30 seconds of tolerance, a life of an hour at most, and the claims. Real time counts here, not the
 * domain's. The caller still has to check that the shop belongs to the secret's organisation.
 */
export const verifyBookingToken = Effect.fn("BookingTokens.verify")(function* <
  Secret extends { readonly secret: string },
  E,
  R
>(token: string, lookupSecret: (keyId: string) => Effect.Effect<Option.Option<Secret>, E, R>) {
  const keyId = yield* keyIdOf(token)
  const found = yield* lookupSecret(keyId)
  if (Option.isNone(found)) return yield* refuse("unknown kid")
  const claims = yield* claimsOf(token, found.value.secret)
  const verified: VerifiedBookingToken<Secret> = {
    shop_identifier: claims.shop_identifier,
    shop_customer_id: claims.shop_customer_id,
    profile: claims.patient_profile_fields,
    secret: found.value
  }
  return verified
})
