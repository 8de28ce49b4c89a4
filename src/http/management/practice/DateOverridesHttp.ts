import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { DateOverrides } from "../../../services/scheduling/practice/DateOverrides.ts"
import { Api } from "../../Api.ts"
import { Conditional } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials.ts"
import { overrideListTags, overrideTags, presentOverride } from "./versions.ts"

export const DateOverridesHttp = HttpApiBuilder.group(Api, "management.date_overrides", (handlers) =>
  Effect.zipWith(DateOverrides, Conditional, (overrides, { changing }) =>
    handlers
      .handle("list", ({ path, urlParams }) =>
        Effect.flatMap(currentOrganisation, (owner) => overrides.list(owner, path.doctor_uid, urlParams)).pipe(
          (answer) => overrideListTags.tagged(answer, urlParams)
        )
      )
      .handle("create", ({ path, payload }) =>
        Effect.flatMap(currentOrganisation, (owner) => overrides.create(owner, path.doctor_uid, payload)).pipe(
          overrideTags.tagged
        )
      )
      .handle("update", ({ path: { doctor_uid: doctor, override_uid: uid }, payload, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changing(
            headers,
            presentOverride(overrides, owner, doctor, uid),
            overrides.update(owner, doctor, uid, payload)
          )
        ).pipe(overrideTags.tagged)
      )
      .handle("remove", ({ path: { doctor_uid: doctor, override_uid: uid }, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changing(headers, presentOverride(overrides, owner, doctor, uid), overrides.remove(owner, doctor, uid))
        )
      )
  )
).pipe(Layer.provide([Conditional.Default, DateOverrides.Default]))
