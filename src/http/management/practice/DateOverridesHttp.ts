import { Effect, Layer } from "effect"
import { Idempotency } from "../../../services/Idempotency.ts"
import { DateOverrides } from "../../../services/scheduling/practice/DateOverrides.ts"
import { OverridePreviews } from "../../../services/scheduling/practice/OverridePreviews.ts"
import { Conditional } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders } from "../../idempotent.ts"
import { overrideHandling } from "./kinds.ts"

export const DateOverridesHttp = group("management.date_overrides", (handlers) =>
  Effect.gen(function* () {
    const overrides = overrideHandling(yield* DateOverrides, yield* Conditional, holders.key)
    const previews = yield* OverridePreviews
    return handlers
      .handle("list", ({ path, urlParams }) =>
        Effect.flatMap(currentOrganisation, (owner) => overrides.list([owner, path.doctor_uid], urlParams))
      )
      .handle("create", (request) =>
        Effect.flatMap(currentOrganisation, (owner) => overrides.create([owner, request.path.doctor_uid], request))
      )
      .handle("preview", ({ path, payload }) =>
        Effect.flatMap(currentOrganisation, (owner) => previews.preview(owner, path.doctor_uid, payload))
      )
      .handle("update", ({ path: { doctor_uid: doctor, override_uid: uid }, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => overrides.update([owner, doctor], uid, request))
      )
      .handle("remove", ({ path: { doctor_uid: doctor, override_uid: uid }, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => overrides.remove([owner, doctor], uid, request))
      )
  })
).pipe(Layer.provide([Idempotency.Default, Conditional.Default, DateOverrides.Default, OverridePreviews.Default]))
