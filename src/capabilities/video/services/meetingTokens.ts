/** Tokens for meeting rooms: a join token for the first entry, a resume token for reconnecting. */
import { Clock, Effect, Schema } from "effect"
import { HOUR } from "../../../schemas/seconds.ts"
import { type SigningKey, signToken, verifyToken } from "../../../services/access/signedTokens.ts"
import { Invited, verifyJoinToken } from "../../../services/scheduling/joining/joinTokens.ts"

import { MeetingRole } from "../schemas/Signal.ts"

/** Purpose of the derived key (`SecretBox.derive`). */
export const RESUME_TOKEN_PURPOSE = "meeting-resume"
/** How long a participant may reconnect, in seconds; never beyond the end of the join window. */
const RESUME_LIFETIME_SECONDS = 6 * HOUR
const RESUME_ISSUER = "sprechstunde/resume"

/** Who may enter a room. */
export const Entrant = Schema.Struct({
  ...Invited.fields,
  role: MeetingRole,
  /** When they first entered, in milliseconds of real time: the order of waiting patients. */
  since: Schema.Number
})
export type Entrant = typeof Entrant.Type

/** Whose a token is. `issuedBefore`: an upper bound of the token's time of issue, in milliseconds. */
export interface PresentedToken {
  readonly entrant: Entrant
  readonly issuedBefore: number
  /** Whether they have been here before. */
  readonly isResumed: boolean
}

/** A token with which a participant's own browser reconnects after a network failure or a reload. */
export const mintResumeToken = (key: SigningKey, entrant: Entrant, windowSeconds: number) =>
  Effect.map(
    signToken(key, { iss: RESUME_ISSUER, ...entrant }, { lifetime: Math.min(RESUME_LIFETIME_SECONDS, windowSeconds) }),
    ({ token }) => token
  )

const resumeClaims = verifyToken(Entrant)

const verifyResumeToken = (key: SigningKey, token: string) =>
  Effect.map(
    resumeClaims(key, token, { issuer: RESUME_ISSUER }),
    (entrant): PresentedToken => ({ entrant, issuedBefore: entrant.since, isResumed: true })
  )

/** Whose a join token is, who enters now, or of a resume token. Fails with `TokenRefused`. */
export const verifyMeetingToken = (keys: { readonly join: SigningKey; readonly resume: SigningKey }, token: string) =>
  verifyJoinToken(keys.join, token).pipe(
    Effect.zipWith(
      Clock.currentTimeMillis,
      ({ iat, context, ...place }, since): PresentedToken => ({
        entrant: { ...place, ...context.user, since },
        issuedBefore: (iat + 1) * 1000,
        isResumed: false
      })
    ),
    Effect.orElse(() => verifyResumeToken(keys.resume, token))
  )
