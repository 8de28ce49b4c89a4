/** The video room that an appointment meets in (Rules 5.3.3 and 18.5.5), and the names of its patients there. */
import { Effect } from "effect"
import { hashOf, newCodeOf, tagged } from "../../uid.ts"
import type { StoredAppointment } from "../appointments/StoredAppointment.ts"

/** Always the same for what it is derived from. */
const derived = (organisation_uid: string, from: string) =>
  `room_${tagged(organisation_uid, hashOf(`room/${organisation_uid}/${from}`).toString("base64url").slice(0, 32))}`

/**
 * `per_appointment`: random; `persistent_per_provider`: always the same for a doctor. With a `shared_group` one room for all seats of a
 * group. A name identifies the practice, but no participant.
 */
export const roomName = (
  strategy: string,
  organisation_uid: string,
  doctor_uid: string,
  shared_group: string | null = null
): Effect.Effect<string> => {
  if (shared_group !== null) return Effect.succeed(derived(organisation_uid, `group/${shared_group}`))
  return strategy === "persistent_per_provider"
    ? Effect.succeed(derived(organisation_uid, doctor_uid))
    : Effect.map(newCodeOf("room", organisation_uid), (code) => code.slice(0, 37))
}

/** The patient's name; of a group's seat its number (Rule 18.5.6). */
export const nameInRoom = ({ seat, patient_display_name }: Pick<StoredAppointment, "seat" | "patient_display_name">) =>
  seat === null ? patient_display_name : `Participant ${seat}`
