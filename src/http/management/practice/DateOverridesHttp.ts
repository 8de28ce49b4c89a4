import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { DateOverrides } from "../../../services/scheduling/practice/DateOverrides.ts"
import { Api } from "../../Api.ts"
import { currentOrganisation } from "../../credentials.ts"

export const DateOverridesHttp = HttpApiBuilder.group(Api, "management.date_overrides", (handlers) =>
  Effect.map(DateOverrides, (overrides) =>
    handlers
      .handle("list", ({ path, urlParams }) =>
        Effect.flatMap(currentOrganisation, (owner) => overrides.list(owner, path.doctor_uid, urlParams))
      )
      .handle("create", ({ path, payload }) =>
        Effect.flatMap(currentOrganisation, (owner) => overrides.create(owner, path.doctor_uid, payload))
      )
      .handle("update", ({ path, payload }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          overrides.update(owner, path.doctor_uid, path.override_uid, payload)
        )
      )
      .handle("remove", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) => overrides.remove(owner, path.doctor_uid, path.override_uid))
      )
  )
).pipe(Layer.provide(DateOverrides.Default))
