import { Effect, Layer } from "effect"
import { AppointmentLists } from "../../services/scheduling/appointments/AppointmentLists.ts"
import { Appointments } from "../../services/scheduling/appointments/Appointments.ts"
import { publicAppointment } from "../../services/scheduling/appointments/StoredAppointment.ts"
import { KeyHolds } from "../../services/scheduling/booking/KeyHolds.ts"
import { asKey, inOrganisation } from "../credentials/credentials.ts"
import { group } from "../group.ts"

export const AppointmentsHttp = group("management.appointments", (handlers) =>
  Effect.gen(function* () {
    const lists = yield* AppointmentLists
    const appointments = yield* Appointments
    const holds = yield* KeyHolds
    return handlers
      .handle("list", ({ urlParams: { doctor_uid, including_further, ...query } }) => {
        const name = including_further === "true" ? "day_of" : "doctor_uid"
        const of = doctor_uid === undefined ? {} : { [name]: doctor_uid }
        return inOrganisation((owner) => lists.list(owner, { ...query, ...of }))
      })
      .handle("one", ({ path }) =>
        asKey((caller) => Effect.map(appointments.find(caller, path.appointment_uid), publicAppointment))
      )
      .handle("book", ({ payload }) => asKey((caller) => holds.book(caller, payload)))
  })
).pipe(Layer.provide([AppointmentLists.Default, Appointments.Default, KeyHolds.Default]))
