import { Effect, Layer } from "effect"
import { Idempotency } from "../../../services/Idempotency.ts"
import { AvailabilityRules } from "../../../services/scheduling/practice/AvailabilityRules.ts"
import { Conditional } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders } from "../../idempotent.ts"
import { inData } from "../../inData.ts"
import { ruleHandling } from "./kinds.ts"

export const AvailabilityRulesHttp = group("management.availability_rules", (handlers) =>
  Effect.zipWith(AvailabilityRules, Conditional, (service, conditional) => {
    const rules = ruleHandling(service, conditional, holders.key)
    return handlers
      .handle("list", ({ path, urlParams }) =>
        Effect.flatMap(currentOrganisation, (owner) => rules.list([owner, path.doctor_uid], urlParams))
      )
      .handle("create", (request) =>
        Effect.flatMap(currentOrganisation, (owner) => rules.create([owner, request.path.doctor_uid], request))
      )
      .handle("replace", ({ path, payload }) =>
        inData(Effect.flatMap(currentOrganisation, (owner) => service.replaceWeek(owner, path.doctor_uid, payload)))
      )
      .handle("update", ({ path, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => rules.update([owner, path.doctor_uid], path.rule_uid, request))
      )
      .handle("remove", ({ path, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => rules.remove([owner, path.doctor_uid], path.rule_uid, request))
      )
  })
).pipe(Layer.provide([Idempotency.Default, AvailabilityRules.Default, Conditional.Default]))
