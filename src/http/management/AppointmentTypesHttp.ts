import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { AppointmentTypes } from "../../services/scheduling/AppointmentTypes.ts"
import { Api } from "../Api.ts"
import { CurrentOrganisationKey } from "../credentials.ts"

const organisation = Effect.map(CurrentOrganisationKey, ({ organisation_uid }) => organisation_uid)

export const AppointmentTypesHttp = HttpApiBuilder.group(Api, "management.appointment_types", (handlers) =>
  Effect.map(AppointmentTypes, (types) =>
    handlers
      .handle("list", () => Effect.map(Effect.flatMap(organisation, types.list), (data) => ({ data })))
      .handle("create", ({ payload }) => Effect.flatMap(organisation, (owner) => types.create(owner, payload)))
      .handle("update", ({ path, payload }) =>
        Effect.flatMap(organisation, (owner) => types.update(owner, path.appointment_type_uid, payload))
      )
      .handle("remove", ({ path }) =>
        Effect.flatMap(organisation, (owner) => types.remove(owner, path.appointment_type_uid))
      )
  )
)
