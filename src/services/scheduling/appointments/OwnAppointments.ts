/** Appointments as their doctors see them: with what capabilities add. */
import { Effect } from "effect"
import type { DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { Extensions } from "../../Extensions.ts"

interface OfDoctor {
  readonly organisation_uid: OrganisationUid
  readonly doctor_uid: DoctorUid
}

export class OwnAppointments extends Effect.Service<OwnAppointments>()("scheduling/OwnAppointments", {
  effect: Effect.map(Extensions, ({ all }) => {
    const seen = Effect.fn("OwnAppointments.seen")(function* (
      doctor: OfDoctor,
      appointments: ReadonlyArray<Appointment>
    ) {
      const uids = appointments.map(({ uid }) => uid)
      const added =
        uids.length === 0
          ? []
          : yield* Effect.forEach(yield* all, ({ ownAppointments }) => ownAppointments(doctor, uids))
      return appointments.map((one): Appointment => Object.assign({}, one, ...added.map((of) => of(one.uid))))
    })
    return {
      seen,
      one: <E, R>(doctor: OfDoctor, appointment: Effect.Effect<Appointment, E, R>) =>
        Effect.flatMap(appointment, (one) => Effect.map(seen(doctor, [one]), ([found]) => found ?? one))
    } as const
  })
}) {}
