import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { DoctorSettings } from "../../../services/scheduling/practice/DoctorSettings.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { Api } from "../../Api.ts"
import { currentOrganisation } from "../../credentials.ts"

const inData = <A>(data: A) => ({ data })

export const DoctorsHttp = HttpApiBuilder.group(Api, "management.doctors", (handlers) =>
  Effect.zipWith(Doctors, DoctorSettings, (doctors, settings) =>
    handlers
      .handle("list", () => Effect.map(Effect.flatMap(currentOrganisation, doctors.list), inData))
      .handle("settings", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) => settings.list(owner, path.doctor_uid)).pipe(Effect.map(inData))
      )
      .handle("put_setting", ({ path, payload }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          settings.put(owner, path.doctor_uid, path.appointment_type_uid, payload)
        )
      )
      .handle("remove_setting", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          settings.remove(owner, path.doctor_uid, path.appointment_type_uid)
        )
      )
  )
).pipe(Layer.provide([Doctors.Default, DoctorSettings.Default]))
