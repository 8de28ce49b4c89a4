import { Effect, Layer } from "effect"
import { CurrentDoctor, CurrentOrganisationKey } from "../../../http/credentials/credentials.ts"
import { groupOf } from "../../../http/group.ts"
import type { AppointmentUid } from "../../../schemas/ids.ts"
import type { Caller } from "../../../services/scheduling/appointments/Appointments.ts"
import type { GuestUid, NewGuest } from "../schemas/Guest.ts"
import { Guests } from "../services/Guests.ts"
import { GuestsApi } from "./GuestsApi.ts"

const group = groupOf(GuestsApi)

interface OfAppointment {
  readonly path: { readonly appointment_uid: AppointmentUid }
}

/** What the doctor and the practice do alike. */
const handlersFor = <R>(caller: Effect.Effect<Caller, never, R>) =>
  Effect.map(Guests, (guests) => ({
    list: Effect.fnUntraced(function* ({ path }: OfAppointment) {
      return { data: yield* guests.list(yield* caller, path.appointment_uid), next: null }
    }),
    invite: Effect.fnUntraced(function* ({ path, payload }: OfAppointment & { readonly payload: NewGuest }) {
      const one = yield* caller
      const invited = yield* guests.invite(one, path.appointment_uid, payload)
      yield* guests.sendSoon(one.organisation_uid)
      return invited
    }),
    remove: ({ path }: OfAppointment & { readonly path: { readonly guest_uid: GuestUid } }) =>
      Effect.flatMap(caller, (one) => guests.remove(one, path.appointment_uid, path.guest_uid))
  }))

const Doctors = group("doctor.guests", (handlers) =>
  Effect.map(handlersFor(CurrentDoctor), ({ list, invite, remove }) =>
    handlers.handle("list", list).handle("invite", invite).handle("remove", remove)
  )
)
const Practice = group("management.guests", (handlers) =>
  Effect.map(handlersFor(CurrentOrganisationKey), ({ list, invite, remove }) =>
    handlers.handle("list", list).handle("invite", invite).handle("remove", remove)
  )
)

export const GuestsHttp = Layer.merge(Doctors, Practice)
