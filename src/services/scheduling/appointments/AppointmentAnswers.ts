/** Answers about appointments to their doctors and practices: with what capabilities add. */
import { Effect } from "effect"
import type { AppointmentUid, DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { Extensions } from "../../Extensions.ts"

/** A record of an appointment, or of what became of it. */
export interface AboutAppointment {
  readonly uid?: AppointmentUid
  readonly appointment_uid?: AppointmentUid
  /** The appointment that replaces it; null: none does. */
  readonly new_uid?: AppointmentUid | null
}

export class AppointmentAnswers extends Effect.Service<AppointmentAnswers>()("scheduling/AppointmentAnswers", {
  effect: Effect.map(Extensions, ({ having }) => {
    /** The records with the added fields. `doctor`: as this one sees them; null: as the practice does. `isNew`: as they were made. */
    const completed = Effect.fn("AppointmentAnswers.completed")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid | null,
      records: ReadonlyArray<AboutAppointment>,
      isNew: boolean
    ) {
      const uidOf = ({ uid, appointment_uid = uid, new_uid }: AboutAppointment) => new_uid ?? appointment_uid
      const uids = records.flatMap((one) => uidOf(one) ?? [])
      const added =
        uids.length === 0
          ? []
          : yield* Effect.forEach(yield* having("ofAppointments"), ({ ofAppointments }) =>
              ofAppointments(owner, doctor, uids, isNew)
            )
      return records.map((one) => {
        const uid = uidOf(one)
        return uid === undefined ? one : Object.assign({}, one, ...added.map((of) => of(uid)))
      })
    })
    return { completed } as const
  })
}) {}
