import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { AvailabilityRules } from "../../../services/scheduling/practice/AvailabilityRules.ts"
import { Api } from "../../Api.ts"
import { currentOrganisation } from "../../credentials.ts"

export const AvailabilityRulesHttp = HttpApiBuilder.group(Api, "management.availability_rules", (handlers) =>
  Effect.map(AvailabilityRules, (rules) =>
    handlers
      .handle("list", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) => rules.list(owner, path.doctor_uid)).pipe(
          Effect.map((data) => ({ data }))
        )
      )
      .handle("create", ({ path, payload }) =>
        Effect.flatMap(currentOrganisation, (owner) => rules.create(owner, path.doctor_uid, payload))
      )
      .handle("update", ({ path, payload }) =>
        Effect.flatMap(currentOrganisation, (owner) => rules.update(owner, path.doctor_uid, path.rule_uid, payload))
      )
      .handle("remove", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) => rules.remove(owner, path.doctor_uid, path.rule_uid))
      )
  )
).pipe(Layer.provide(AvailabilityRules.Default))
