/** Tokens for meeting rooms: a join token for the first entry, a resume token for reconnecting. */
import { Clock, Effect, Schema } from "effect"
import { HOUR } from "../../../schemas/seconds.ts"
import { type SigningKey, signToken, verifyToken } from "../../../services/access/signedTokens.ts"
import { Invited, verifyJoinToken } from "../../../services/scheduling/joining/joinTokens.ts"

/** Purpose of the derived key (`SecretBox.derive`). */
export const RESUME_TOKEN_PURPOSE = "meeting-resume"
/** How long a participant may reconnect, in seconds; never beyond the end of the join window. */
const RESUME_LIFETIME_SECONDS = 6 * HOUR
const RESUME_ISSUER = "sprechstunde/resume"

/** Who may enter a room. */
export const Guest = Schema.Struct({
  ...Invited.fields,
  /** When they first entered, in milliseconds of real time: the order of waiting patients. */
  since: Schema.Number
})
export type Guest = typeof Guest.Type

/** The guest of a token. `issuedBefore`: an upper bound of the token's time of issue, in milliseconds. */
export interface PresentedToken {
  readonly guest: Guest
  readonly issuedBefore: number
}

/** A token with which a guest's own browser reconnects after a network failure or a reload. */
export const mintResumeToken = (key: SigningKey, guest: Guest, windowSeconds: number) =>
  Effect.map(
    signToken(key, { iss: RESUME_ISSUER, ...guest }, { lifetime: Math.min(RESUME_LIFETIME_SECONDS, windowSeconds) }),
    ({ token }) => token
  )

const resumeClaims = verifyToken(Guest)

const verifyResumeToken = (key: SigningKey, token: string) =>
  Effect.map(
    resumeClaims(key, token, { issuer: RESUME_ISSUER }),
    (guest): PresentedToken => ({ guest, issuedBefore: guest.since })
  )

/** The guest of a join token, who enters now, or of a resume token. Fails with `TokenRefused`. */
export const verifyMeetingToken = (keys: { readonly join: SigningKey; readonly resume: SigningKey }, token: string) =>
  verifyJoinToken(keys.join, token).pipe(
    Effect.zipWith(
      Clock.currentTimeMillis,
      ({ iat, context, ...place }, since): PresentedToken => ({
        guest: { ...place, ...context.user, since },
        issuedBefore: (iat + 1) * 1000
      })
    ),
    Effect.orElse(() => verifyResumeToken(keys.resume, token))
  )
