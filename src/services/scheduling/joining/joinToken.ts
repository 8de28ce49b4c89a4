import { Clock, Data, Effect, Schema } from "effect"
import { jwtVerify, SignJWT } from "jose"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { faultyFields } from "../../access/faultyFields.ts"

/** How long a join token can be presented, in seconds: the meeting itself may last longer. */
export const JOIN_TOKEN_LIFETIME_SECONDS = 600
const ISSUER = "sprechstunde"
const AUDIENCE = "jitsi"

/** Who enters which room. A moderator admits the others from the waiting room. */
export interface Participant {
  readonly room_name: string
  readonly uid: string
  readonly name: string
  readonly role: "patient" | "doctor"
}

/** The token does not open a room. `reason` is for logs. */
export class JoinTokenRefused extends Data.TaggedError("JoinTokenRefused")<{ readonly reason: string }> {}

const Claims = Schema.Struct({
  room: Schema.String,
  moderator: Schema.Boolean,
  context: Schema.Struct({
    user: Schema.Struct({ id: Schema.String, name: Schema.String, role: Schema.Literal("patient", "doctor") })
  })
})
export type JoinTokenClaims = typeof Claims.Type

/** What the key of join tokens is derived for: nothing else has to be kept or shared (`SecretBox.derive`). */
export const JOIN_TOKEN_PURPOSE = "join-token"

/**
 * Makes the token that opens a meeting room, with the claims that a Jitsi deployment reads. Its times are real time, because other parties check them.
 */
export const mintJoinToken = Effect.fn("joinToken.mint")(function* (key: Uint8Array, participant: Participant) {
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const { room_name, uid, name, role } = participant
  const moderator = role === "doctor"
  const expires_at = UnixSeconds.make(now + JOIN_TOKEN_LIFETIME_SECONDS)
  const user = { id: uid, name, role, moderator }
  const token = yield* Effect.promise(() =>
    new SignJWT({ room: room_name, moderator, context: { user } })
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(ISSUER)
      .setIssuedAt(now)
      .setNotBefore(now - 10)
      .setExpirationTime(expires_at)
      .sign(key)
  )
  return { token, expires_at }
})

/**
 * Reads a join token that this service made, as the meeting's signalling does at the door. `tolerance` ("1 day") is for
 * who only wants to know whose token it was.
 */
export const verifyJoinToken = Effect.fn("joinToken.verify")(function* (
  key: Uint8Array,
  token: string,
  tolerance = "0 seconds"
) {
  const now = yield* Clock.currentTimeMillis
  const refused = (cause: unknown) => new JoinTokenRefused({ reason: String(cause) })
  const { payload } = yield* Effect.tryPromise({
    try: () =>
      jwtVerify(token, key, {
        algorithms: ["HS256"],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ["exp"],
        clockTolerance: tolerance,
        currentDate: new Date(now)
      }),
    catch: refused
  })
  return yield* Effect.mapError(
    Schema.decodeUnknown(Claims)(payload),
    (error) => new JoinTokenRefused({ reason: `claims: ${faultyFields(error)}` })
  )
})
