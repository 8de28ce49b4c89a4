/** Answers about appointments to their doctors and practices: with what capabilities add. */
import { Effect, Record } from "effect"
import type { AppointmentUid, DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { appointmentFields } from "../../../schemas/scheduling/appointmentAnswers.ts"
import { Extensions } from "../../Extensions.ts"
import { onFirstUse } from "../../onFirstUse.ts"

/** A record of an appointment, or of what became of it. */
export interface AboutAppointment {
  readonly uid?: AppointmentUid
  readonly appointment_uid?: AppointmentUid
  /** The appointment that replaces it; null: none does. */
  readonly new_uid?: AppointmentUid | null
  /** False: its reader has seen that capabilities have added nothing to it. */
  readonly has_added?: boolean
}

export class AppointmentAnswers extends Effect.Service<AppointmentAnswers>()("scheduling/AppointmentAnswers", {
  effect: Effect.map(Extensions, ({ having }) => {
    const nothing = onFirstUse(() => Record.map(appointmentFields.all(), ({ absent }) => absent))
    /** The records with the added fields. `doctor`: as this one sees them; null: as the practice does. `isNew`: as they were made. */
    const completed = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      doctor: DoctorUid | null,
      records: ReadonlyArray<AboutAppointment>,
      isNew: boolean
    ) {
      const uidOf = ({ uid, appointment_uid = uid, new_uid }: AboutAppointment) => new_uid ?? appointment_uid
      const uids = records.flatMap((one) => (one.has_added === false ? [] : (uidOf(one) ?? [])))
      const added =
        uids.length === 0
          ? []
          : yield* Effect.forEach(yield* having("ofAppointments"), ({ ofAppointments }) =>
              ofAppointments.read(owner, doctor, uids, isNew)
            )
      return records.map((one) => {
        const uid = uidOf(one)
        if (uid === undefined) return one
        return one.has_added === false
          ? Object.assign({}, one, nothing())
          : Object.assign({}, one, ...added.map((of) => of(uid)))
      })
    })
    return { completed } as const
  })
}) {}
