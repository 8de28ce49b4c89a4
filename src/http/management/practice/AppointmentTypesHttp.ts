import { Effect, Layer } from "effect"
import { WholeType } from "../../../schemas/scheduling/AppointmentType.ts"
import { AppointmentTypes } from "../../../services/scheduling/practice/AppointmentTypes.ts"
import { Conditional } from "../../conditional.ts"
import { group } from "../../group.ts"
import { byKey, listedRecords } from "../../records.ts"

const typeHandling = listedRecords(WholeType)

export const AppointmentTypesHttp = group("management.appointment_types", (handlers) =>
  Effect.zipWith(AppointmentTypes, Conditional, (service, conditional) => {
    const types = typeHandling(service, conditional, byKey, "appointment_type_uid")
    return handlers
      .handle("list", types.list)
      .handle("create", types.create(service.create))
      .handle("update", types.update(service.update))
      .handle("remove", types.remove(service.remove))
  })
).pipe(Layer.provide([AppointmentTypes.Default]))
