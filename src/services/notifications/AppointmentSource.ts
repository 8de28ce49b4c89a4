/** The port by which messages learn of appointments; scheduling answers, which this domain does not know. */
import { Context, type Effect } from "effect"
import type { AppointmentUid, OrganisationUid } from "../../schemas/ids.ts"
import type { IssuedActionLink } from "../../schemas/scheduling/ActionLink.ts"
import type { Appointment } from "../../schemas/scheduling/Appointment.ts"

export interface NotifiedAppointment extends Appointment {
  /** The first of the appointments that replaced one another: one entry in a recipient's calendar. */
  readonly first_uid: AppointmentUid
  /** How often it was moved since. */
  readonly moves: number
  /** The language in which the patient booked, if they chose one. */
  readonly patient_language: string | null
  /** The IANA zone in which the patient chose the time, if it is known. */
  readonly patient_timezone: string | null
  /** How patients prepare for the type. */
  readonly preparation: string | null
}

export class AppointmentSource extends Context.Tag("notifications/AppointmentSource")<
  AppointmentSource,
  {
    readonly find: (owner: OrganisationUid, uid: AppointmentUid) => Effect.Effect<NotifiedAppointment>
    /** The same, locked against changes until the caller's transaction ends. */
    readonly lock: (owner: OrganisationUid, uid: AppointmentUid) => Effect.Effect<NotifiedAppointment>
    /** New links for everything that the appointment's patient may do. */
    readonly issueLinks: (owner: OrganisationUid, uid: AppointmentUid) => Effect.Effect<ReadonlyArray<IssuedActionLink>>
  }
>() {}
