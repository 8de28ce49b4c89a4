import { Schema } from "effect"
import { signToken, verifyToken } from "../../access/signedTokens.ts"

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

/** Makes the token that opens a meeting room, with the claims that a Jitsi deployment reads. */
export const mintJoinToken = (key: Uint8Array, { room_name, uid, name, role }: Participant) => {
  const moderator = role === "doctor"
  const user = { id: uid, name, role, moderator }
  return signToken(
    key,
    { iss: ISSUER, aud: AUDIENCE, sub: ISSUER, room: room_name, moderator, context: { user } },
    { lifetime: JOIN_TOKEN_LIFETIME_SECONDS, notBefore: -10, header: { typ: "JWT" } }
  )
}

const claimsOf = verifyToken(Claims)

/**
 * Checks a join token that this service made. `tolerance` (e.g. "1 day") accepts one that has expired since. Fails with
 * `TokenRefused`.
 */
export const verifyJoinToken = (key: Uint8Array, token: string, tolerance = "0 seconds") =>
  claimsOf(key, token, { issuer: ISSUER, audience: AUDIENCE, clockTolerance: tolerance })
