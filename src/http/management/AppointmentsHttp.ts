import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { AppointmentLists } from "../../services/scheduling/appointments/AppointmentLists.ts"
import { Api } from "../Api.ts"
import { currentOrganisation } from "../credentials.ts"

export const AppointmentsHttp = HttpApiBuilder.group(Api, "management.appointments", (handlers) =>
  Effect.map(AppointmentLists, (lists) =>
    handlers.handle("list", ({ urlParams }) =>
      Effect.flatMap(currentOrganisation, (owner) => lists.list(owner, urlParams))
    )
  )
).pipe(Layer.provide(AppointmentLists.Default))
