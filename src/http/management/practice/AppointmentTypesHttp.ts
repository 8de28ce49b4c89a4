import { Effect, Layer } from "effect"
import { AppointmentType } from "../../../schemas/scheduling/AppointmentType.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import { AppointmentTypes } from "../../../services/scheduling/practice/AppointmentTypes.ts"
import { Conditional } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders, idempotent } from "../../idempotent.ts"
import { inData } from "../../inData.ts"
import { currentTypeTags, typeListTags, typeTags } from "./versions.ts"

export const AppointmentTypesHttp = group("management.appointment_types", (handlers) =>
  Effect.zipWith(AppointmentTypes, Conditional, (types, { changeIfMatch }) =>
    handlers
      .handle("list", ({ urlParams }) =>
        typeListTags.tagged(
          inData(Effect.flatMap(currentOrganisation, (owner) => types.list(owner, urlParams))),
          urlParams
        )
      )
      .handle("create", (request) =>
        idempotent(
          request,
          { name: "appointment types", answer: AppointmentType, by: holders.key },
          Effect.flatMap(currentOrganisation, (owner) => types.create(owner, request.payload))
        ).pipe(typeTags.tagged)
      )
      .handle("update", ({ path: { appointment_type_uid: uid }, payload, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(headers, currentTypeTags(types, owner, uid), types.update(owner, uid, payload))
        ).pipe(typeTags.tagged)
      )
      .handle("remove", ({ path: { appointment_type_uid: uid }, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(headers, currentTypeTags(types, owner, uid), types.remove(owner, uid))
        )
      )
  )
).pipe(Layer.provide([Idempotency.Default, AppointmentTypes.Default, Conditional.Default]))
