import { Effect, Schema } from "effect"
import { MeetingRole } from "../../schemas/meetings/Signal.ts"
import { signToken, verifyToken } from "../access/signedTokens.ts"

/** What the key of resume tokens is derived for. */
export const RESUME_TOKEN_PURPOSE = "meeting-resume"
/** How long someone who was let in once may come back: the join token itself holds for minutes only. */
const RESUME_LIFETIME_SECONDS = 6 * 3600
const ISSUER = "sprechstunde/resume"

const Guest = Schema.Struct({
  room: Schema.String,
  id: Schema.String,
  name: Schema.String,
  role: MeetingRole,
  /** since when this person waits, in milliseconds of real time */
  since: Schema.Number
})
/** Someone who has been let into a room. */
export type Guest = typeof Guest.Type

/** A token by which a guest's own browser returns to the room after a network failure or a reload. */
export const mintResumeToken = (key: Uint8Array, guest: Guest) =>
  Effect.map(signToken(key, { iss: ISSUER, ...guest }, { lifetime: RESUME_LIFETIME_SECONDS }), ({ token }) => token)

const guestOf = verifyToken(Guest)

/** The guest of a resume token that this service made. Fails with `TokenRefused`. */
export const verifyResumeToken = (key: Uint8Array, token: string) => guestOf(key, token, { issuer: ISSUER })
