/** The meetings domain's port to its appointments, implemented by scheduling. */
import { Context, type Effect, type Option } from "effect"
import type { AppointmentUid, OrganisationUid } from "../../schemas/ids.ts"
import type { CurrentTenant } from "../tenancy/Tenancy.ts"

export interface MeetingAppointment {
  readonly room_name: string
  /** The booked doctor and further ones who are not deleted. */
  readonly doctor_uids: ReadonlyArray<string>
  readonly patient_uid: string
  /** Duration of the appointment. */
  readonly minutes: number
  /** It is confirmed, its join window is open, and its doctor is not deleted. */
  readonly open: boolean
  /** Seconds until the join window closes; negative afterwards. */
  readonly closes_in_seconds: number
}

export interface LatePatient {
  readonly patient_uid: string
  readonly name: string
  readonly minutes: number
}

export class MeetingAppointments extends Context.Tag("meetings/MeetingAppointments")<
  MeetingAppointments,
  {
    /** Patients who announced that they will be late for the room's appointments that have not ended. */
    readonly lateIn: (
      owner: OrganisationUid,
      room: string
    ) => Effect.Effect<ReadonlyArray<LatePatient>, never, CurrentTenant>
    readonly find: (
      owner: OrganisationUid,
      uid: AppointmentUid
    ) => Effect.Effect<Option.Option<MeetingAppointment>, never, CurrentTenant>
    /** Records that the patient is in the waiting room. */
    readonly arrived: (owner: OrganisationUid, uid: AppointmentUid) => Effect.Effect<void, never, CurrentTenant>
  }
>() {}
