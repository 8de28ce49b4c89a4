import { Effect, Layer } from "effect"
import { Idempotency } from "../../../services/Idempotency.ts"
import { ResourceRules } from "../../../services/scheduling/practice/AvailabilityRules.ts"
import { ResourceOverrides } from "../../../services/scheduling/practice/DateOverrides.ts"
import { ResourcePreviews } from "../../../services/scheduling/practice/ResourcePreviews.ts"
import { Conditional } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders } from "../../idempotent.ts"
import { resourceOverrideHandling, resourceRuleHandling } from "./kinds.ts"

export const ResourceHoursHttp = group("management.resource_hours", (handlers) =>
  Effect.gen(function* () {
    const conditional = yield* Conditional
    const rules = resourceRuleHandling(yield* ResourceRules, conditional, holders.key)
    const overrides = resourceOverrideHandling(yield* ResourceOverrides, conditional, holders.key)
    const previews = yield* ResourcePreviews
    return handlers
      .handle("rules", ({ path, urlParams }) =>
        Effect.flatMap(currentOrganisation, (owner) => rules.list([owner, path.resource_uid], urlParams))
      )
      .handle("create_rule", (request) =>
        Effect.flatMap(currentOrganisation, (owner) => rules.create([owner, request.path.resource_uid], request))
      )
      .handle("change_rule", ({ path, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => rules.update([owner, path.resource_uid], path.rule_uid, request))
      )
      .handle("remove_rule", ({ path, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => rules.remove([owner, path.resource_uid], path.rule_uid, request))
      )
      .handle("overrides", ({ path, urlParams }) =>
        Effect.flatMap(currentOrganisation, (owner) => overrides.list([owner, path.resource_uid], urlParams))
      )
      .handle("create_override", (request) =>
        Effect.flatMap(currentOrganisation, (owner) => overrides.create([owner, request.path.resource_uid], request))
      )
      .handle("preview_override", ({ path, payload }) =>
        Effect.flatMap(currentOrganisation, (owner) => previews.ofOverride(owner, path.resource_uid, payload))
      )
      .handle("change_override", ({ path: { resource_uid, override_uid: uid }, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => overrides.update([owner, resource_uid], uid, request))
      )
      .handle("remove_override", ({ path: { resource_uid, override_uid: uid }, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => overrides.remove([owner, resource_uid], uid, request))
      )
  })
).pipe(
  Layer.provide([
    Idempotency.Default,
    Conditional.Default,
    ResourceRules.Default,
    ResourceOverrides.Default,
    ResourcePreviews.Default
  ])
)
