/** How a patient is named in the room (Rule 18.5.6). */
import type { StoredAppointment } from "../appointments/StoredAppointment.ts"

/** The patient's name; of a group's seat its number. */
export const nameInRoom = ({ seat, patient_display_name }: Pick<StoredAppointment, "seat" | "patient_display_name">) =>
  seat === null ? patient_display_name : `Participant ${seat}`
