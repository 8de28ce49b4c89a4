/** The notifications domain's port to appointments, implemented by scheduling. */
import { Context, type Effect } from "effect"
import type { AppointmentUid, OrganisationUid } from "../../schemas/ids.ts"
import type { IssuedActionLink } from "../../schemas/scheduling/ActionLink.ts"
import type { Appointment } from "../../schemas/scheduling/Appointment.ts"
import type { AppointmentType } from "../../schemas/scheduling/AppointmentType.ts"
import type { Room } from "../../schemas/scheduling/place.ts"
import type { CurrentTenant } from "../tenancy/Tenancy.ts"

export interface NotifiedAppointment extends Appointment {
  /** The first appointment of a chain of replacements: one entry in a recipient's calendar. */
  readonly first_uid: AppointmentUid
  /** Number of moves since. */
  readonly moves: number
  /** The rooms among its resources. */
  readonly rooms: ReadonlyArray<Room>
  /** The language in which the patient booked, if chosen. */
  readonly patient_language: string | null
  /** The IANA zone in which the patient chose the time, if known. */
  readonly patient_timezone: string | null
  /** What patients read about its type; null without one. */
  readonly type: Pick<AppointmentType, "name" | "preparation" | "translations"> | null
  /** Minutes of delay announced by the doctor. */
  readonly doctor_late_minutes: number | null
  /** The practice put it in place of one that could not take place. */
  readonly moved_by_practice: boolean
}

export class AppointmentSource extends Context.Tag("notifications/AppointmentSource")<
  AppointmentSource,
  {
    readonly find: (
      owner: OrganisationUid,
      uid: AppointmentUid
    ) => Effect.Effect<NotifiedAppointment, never, CurrentTenant>
    /** As `find`, locked against changes until the caller's transaction ends. */
    readonly lock: (
      owner: OrganisationUid,
      uid: AppointmentUid
    ) => Effect.Effect<NotifiedAppointment, never, CurrentTenant>
    /**
     * Issues new links to the appointment's page, one for each action that the page can show first; for a cancelled one the one that leads
     * to another appointment, if there can be one.
     */
    readonly issueLinks: (
      owner: OrganisationUid,
      uid: AppointmentUid
    ) => Effect.Effect<ReadonlyArray<IssuedActionLink>, never, CurrentTenant>
  }
>() {}
