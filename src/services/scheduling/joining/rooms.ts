/** The name of the video room that an appointment meets in (Rule 5.3.3). */
import { Effect } from "effect"
import { hashOf, newCodeOf, tagged } from "../../uid.ts"

/**
 * `per_appointment`: random; `persistent_per_provider`: always the same for a doctor. A name identifies the practice, but no
 * participant.
 */
export const roomName = (strategy: string, organisation_uid: string, doctor_uid: string): Effect.Effect<string> =>
  strategy === "persistent_per_provider"
    ? Effect.succeed(
        `room_${tagged(organisation_uid, hashOf(`room/${organisation_uid}/${doctor_uid}`).toString("base64url").slice(0, 32))}`
      )
    : Effect.map(newCodeOf("room", organisation_uid), (code) => code.slice(0, 37))
