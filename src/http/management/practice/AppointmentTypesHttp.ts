import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { AppointmentTypes } from "../../../services/scheduling/practice/AppointmentTypes.ts"
import { Api } from "../../Api.ts"
import { currentOrganisation } from "../../credentials.ts"

export const AppointmentTypesHttp = HttpApiBuilder.group(Api, "management.appointment_types", (handlers) =>
  Effect.map(AppointmentTypes, (types) =>
    handlers
      .handle("list", () => Effect.map(Effect.flatMap(currentOrganisation, types.list), (data) => ({ data })))
      .handle("create", ({ payload }) => Effect.flatMap(currentOrganisation, (owner) => types.create(owner, payload)))
      .handle("update", ({ path, payload }) =>
        Effect.flatMap(currentOrganisation, (owner) => types.update(owner, path.appointment_type_uid, payload))
      )
      .handle("remove", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) => types.remove(owner, path.appointment_type_uid))
      )
  )
).pipe(Layer.provide(AppointmentTypes.Default))
