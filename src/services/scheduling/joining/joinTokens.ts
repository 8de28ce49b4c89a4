/** Join tokens: with them a patient or doctor enters the room of an appointment, here or in a Jitsi deployment (Rule 5.2). */
import { Schema } from "effect"
import { AppointmentUid, OrganisationUid } from "../../../schemas/ids.ts"
import { type SigningKey, signToken, verifyToken } from "../../access/signedTokens.ts"

/** Purpose of the derived key (`SecretBox.derive`). */
export const JOIN_TOKEN_PURPOSE = "join-token"

/** Lifetime of a join token, in seconds; the meeting itself may last longer. */
export const JOIN_TOKEN_LIFETIME_SECONDS = 600
const ISSUER = "sprechstunde"
const AUDIENCE = "jitsi"

const Role = Schema.Literal("patient", "doctor")

/** The appointment and its room. */
export const Place = {
  organisation_uid: OrganisationUid,
  appointment_uid: AppointmentUid,
  room: Schema.String,
  /** Whether other patients share the room: the patient has a number, and may choose a name. */
  group: Schema.optionalWith(Schema.Boolean, { exact: true })
}

/** A patient or doctor of one appointment, who may enter its room. */
export const Invited = Schema.Struct({ ...Place, id: Schema.String, name: Schema.String, role: Role })
export type Invited = typeof Invited.Type

const JoinClaims = Schema.Struct({
  ...Place,
  iat: Schema.Number,
  context: Schema.Struct({ user: Schema.Struct({ id: Schema.String, name: Schema.String, role: Role }) })
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
