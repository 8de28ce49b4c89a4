import { Clock, Data, Effect, Schema } from "effect"
import { jwtVerify, SignJWT } from "jose"
import { MeetingRole } from "../../schemas/meetings/Signal.ts"

/** What the key of resume tokens is derived for. */
export const RESUME_TOKEN_PURPOSE = "meeting-resume"
/** How long someone who was let in once may come back: the join token itself holds for minutes only. */
const RESUME_LIFETIME_SECONDS = 6 * 3600
const ISSUER = "sprechstunde/resume"

/** Not let in. `reason` is for logs. */
export class ResumeTokenRefused extends Data.TaggedError("ResumeTokenRefused")<{ readonly reason: string }> {}

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

/** A token by which a guest's own browser finds back into the room after a break in the network or a reload. */
export const mintResumeToken = Effect.fn("doorTokens.mint")(function* (key: Uint8Array, guest: Guest) {
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  return yield* Effect.promise(() =>
    new SignJWT({ ...guest })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer(ISSUER)
      .setIssuedAt(now)
      .setExpirationTime(now + RESUME_LIFETIME_SECONDS)
      .sign(key)
  )
})

/** The guest of a resume token that this service made and that still holds. */
export const verifyResumeToken = Effect.fn("doorTokens.verify")(function* (key: Uint8Array, token: string) {
  const now = yield* Clock.currentTimeMillis
  const refused = (cause: unknown) => new ResumeTokenRefused({ reason: String(cause) })
  const { payload } = yield* Effect.tryPromise({
    try: () =>
      jwtVerify(token, key, {
        algorithms: ["HS256"],
        issuer: ISSUER,
        requiredClaims: ["exp"],
        currentDate: new Date(now)
      }),
    catch: refused
  })
  return yield* Effect.mapError(Schema.decodeUnknown(Guest)(payload), refused)
})
