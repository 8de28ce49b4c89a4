import { Effect, Layer } from "effect"
import { DateOverride } from "../../../schemas/scheduling/DateOverride.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import { DateOverrides } from "../../../services/scheduling/practice/DateOverrides.ts"
import { OverridePreviews } from "../../../services/scheduling/practice/OverridePreviews.ts"
import { Conditional } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders, idempotent } from "../../idempotent.ts"
import { currentOverrideTags, overrideListTags, overrideTags } from "./versions.ts"

export const DateOverridesHttp = group("management.date_overrides", (handlers) =>
  Effect.gen(function* () {
    const overrides = yield* DateOverrides
    const previews = yield* OverridePreviews
    const { changeIfMatch } = yield* Conditional
    return handlers
      .handle("list", ({ path, urlParams }) =>
        Effect.flatMap(currentOrganisation, (owner) => overrides.list(owner, path.doctor_uid, urlParams)).pipe(
          (answer) => overrideListTags.tagged(answer, urlParams)
        )
      )
      .handle("create", (request) =>
        idempotent(
          request,
          { name: "overrides", answer: DateOverride, by: holders.key },
          Effect.flatMap(currentOrganisation, (owner) =>
            overrides.create(owner, request.path.doctor_uid, request.payload)
          )
        ).pipe(overrideTags.tagged)
      )
      .handle("preview", ({ path, payload }) =>
        Effect.flatMap(currentOrganisation, (owner) => previews.preview(owner, path.doctor_uid, payload))
      )
      .handle("update", ({ path: { doctor_uid: doctor, override_uid: uid }, payload, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(
            headers,
            currentOverrideTags(overrides, owner, doctor, uid),
            overrides.update(owner, doctor, uid, payload)
          )
        ).pipe(overrideTags.tagged)
      )
      .handle("remove", ({ path: { doctor_uid: doctor, override_uid: uid }, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(
            headers,
            currentOverrideTags(overrides, owner, doctor, uid),
            overrides.remove(owner, doctor, uid)
          )
        )
      )
  })
).pipe(Layer.provide([Idempotency.Default, Conditional.Default, DateOverrides.Default, OverridePreviews.Default]))
