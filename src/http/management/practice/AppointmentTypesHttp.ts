import { Effect, Layer } from "effect"
import { AppointmentType } from "../../../schemas/scheduling/AppointmentType.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import { AppointmentTypes } from "../../../services/scheduling/practice/AppointmentTypes.ts"
import { Conditional } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders } from "../../idempotent.ts"
import { listedRecords } from "../../records.ts"

const typeHandling = listedRecords("appointment types", AppointmentType)

export const AppointmentTypesHttp = group("management.appointment_types", (handlers) =>
  Effect.zipWith(AppointmentTypes, Conditional, (service, conditional) => {
    const types = typeHandling(service, conditional, holders.key)
    return handlers
      .handle("list", ({ urlParams }) => Effect.flatMap(currentOrganisation, (owner) => types.list([owner], urlParams)))
      .handle("create", (request) => Effect.flatMap(currentOrganisation, (owner) => types.create([owner], request)))
      .handle("update", ({ path, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => types.update([owner], path.appointment_type_uid, request))
      )
      .handle("remove", ({ path, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => types.remove([owner], path.appointment_type_uid, request))
      )
  })
).pipe(Layer.provide([Idempotency.Default, AppointmentTypes.Default, Conditional.Default]))
