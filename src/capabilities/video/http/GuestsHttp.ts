import { Effect, Layer } from "effect"
import { asKey } from "../../../http/credentials/credentials.ts"
import { asDoctor } from "../../../http/doctor/asDoctor.ts"
import { groupOf } from "../../../http/group.ts"
import { Guests } from "../services/Guests.ts"
import { GuestsApi } from "./GuestsApi.ts"

const group = groupOf(GuestsApi)
const whole = <A>(data: ReadonlyArray<A>) => ({ data, next: null })

const Doctors = group("doctor.guests", (handlers) =>
  Effect.map(Guests, (guests) =>
    handlers
      .handle("list", ({ path }) =>
        Effect.map(
          asDoctor((doctor) => guests.list(doctor, path.appointment_uid)),
          whole
        )
      )
      .handle("invite", (request) =>
        asDoctor((doctor) => guests.invite(doctor, request.path.appointment_uid, request.payload)).pipe(
          Effect.zipLeft(asDoctor(({ organisation_uid }) => guests.sendSoon(organisation_uid)))
        )
      )
      .handle("remove", ({ path }) => asDoctor((doctor) => guests.remove(doctor, path.appointment_uid, path.guest_uid)))
  )
)

const Practice = group("management.guests", (handlers) =>
  Effect.map(Guests, (guests) =>
    handlers
      .handle("list", ({ path }) =>
        Effect.map(
          asKey((caller) => guests.list(caller, path.appointment_uid)),
          whole
        )
      )
      .handle("invite", (request) =>
        asKey((caller) => guests.invite(caller, request.path.appointment_uid, request.payload)).pipe(
          Effect.zipLeft(asKey(({ organisation_uid }) => guests.sendSoon(organisation_uid)))
        )
      )
      .handle("remove", ({ path }) => asKey((caller) => guests.remove(caller, path.appointment_uid, path.guest_uid)))
  )
)

export const GuestsHttp = Layer.merge(Doctors, Practice)
