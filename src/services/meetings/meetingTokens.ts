/** Tokens for meeting rooms: a join token for the first entry, a resume token for reconnecting. */
import { Clock, Effect, Schema } from "effect"
import { AppointmentUid, OrganisationUid } from "../../schemas/ids.ts"
import { MeetingRole } from "../../schemas/meetings/Signal.ts"
import { HOUR } from "../../schemas/seconds.ts"
import { type SigningKey, signToken, verifyToken } from "../access/signedTokens.ts"

/** Purposes of the derived keys (`SecretBox.derive`). */
export const JOIN_TOKEN_PURPOSE = "join-token"
export const RESUME_TOKEN_PURPOSE = "meeting-resume"

/** Lifetime of a join token, in seconds; the meeting itself may last longer. */
export const JOIN_TOKEN_LIFETIME_SECONDS = 600
/** How long a participant may reconnect, in seconds; never beyond the end of the join window. */
const RESUME_LIFETIME_SECONDS = 6 * HOUR
const ISSUER = "sprechstunde"
const AUDIENCE = "jitsi"
const RESUME_ISSUER = "sprechstunde/resume"

const Place = {
  organisation_uid: OrganisationUid,
  appointment_uid: AppointmentUid,
  room: Schema.String
}

/** A patient or doctor of one appointment, who may enter its room. */
export const Guest = Schema.Struct({
  ...Place,
  id: Schema.String,
  name: Schema.String,
  role: MeetingRole,
  /** Whether other patients share the room: the patient has a number, and may choose a name. */
  group: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** When they first entered, in milliseconds of real time: the order of waiting patients. */
  since: Schema.Number
})
export type Guest = typeof Guest.Type
export type Invited = Omit<Guest, "since">

const JoinClaims = Schema.Struct({
  ...Place,
  iat: Schema.Number,
  group: Schema.optionalWith(Schema.Boolean, { exact: true }),
  context: Schema.Struct({ user: Schema.Struct({ id: Schema.String, name: Schema.String, role: MeetingRole }) })
})

/** Creates a join token, with the claims that a Jitsi deployment reads. A moderator admits others. */
export const mintJoinToken = (key: SigningKey, { id, name, role, ...place }: Invited) => {
  const moderator = role === "doctor"
  return signToken(
    key,
    { iss: ISSUER, aud: AUDIENCE, sub: ISSUER, ...place, moderator, context: { user: { id, name, role, moderator } } },
    { lifetime: JOIN_TOKEN_LIFETIME_SECONDS, notBefore: -10, header: { typ: "JWT" } }
  )
}

const joinClaims = verifyToken(JoinClaims)

/** Verifies a join token of this service. `tolerance` (e.g. "1 day") accepts one that has expired since. Fails with `TokenRefused`. */
export const verifyJoinToken = (key: SigningKey, token: string, tolerance = "0 seconds") =>
  joinClaims(key, token, { issuer: ISSUER, audience: AUDIENCE, clockTolerance: tolerance })

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
