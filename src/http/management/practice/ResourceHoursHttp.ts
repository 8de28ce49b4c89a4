import { Effect, Layer } from "effect"
import { ResourceRule } from "../../../schemas/scheduling/Availability.ts"
import { ResourceOverride } from "../../../schemas/scheduling/DateOverride.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import { ResourceRules } from "../../../services/scheduling/practice/AvailabilityRules.ts"
import { ResourceOverrides } from "../../../services/scheduling/practice/DateOverrides.ts"
import { ResourcePreviews } from "../../../services/scheduling/practice/ResourcePreviews.ts"
import { Conditional } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders, idempotent } from "../../idempotent.ts"
import { inData } from "../../inData.ts"
import {
  currentResourceOverrideTags,
  currentResourceRuleTags,
  resourceOverrideListTags,
  resourceOverrideTags,
  resourceRuleListTags,
  resourceRuleTags
} from "./versions.ts"

export const ResourceHoursHttp = group("management.resource_hours", (handlers) =>
  Effect.gen(function* () {
    const rules = yield* ResourceRules
    const overrides = yield* ResourceOverrides
    const previews = yield* ResourcePreviews
    const { changeIfMatch } = yield* Conditional
    return handlers
      .handle("rules", ({ path, urlParams }) =>
        resourceRuleListTags.tagged(
          inData(Effect.flatMap(currentOrganisation, (owner) => rules.list(owner, path.resource_uid, urlParams))),
          urlParams
        )
      )
      .handle("create_rule", (request) =>
        idempotent(
          request,
          { name: "resource-rules", answer: ResourceRule, by: holders.key },
          Effect.flatMap(currentOrganisation, (owner) =>
            rules.create(owner, request.path.resource_uid, request.payload)
          )
        ).pipe(resourceRuleTags.tagged)
      )
      .handle("change_rule", ({ path: { resource_uid, rule_uid: uid }, payload, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(
            headers,
            currentResourceRuleTags(rules, owner, resource_uid, uid),
            rules.update(owner, resource_uid, uid, payload)
          )
        ).pipe(resourceRuleTags.tagged)
      )
      .handle("remove_rule", ({ path: { resource_uid, rule_uid: uid }, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(
            headers,
            currentResourceRuleTags(rules, owner, resource_uid, uid),
            rules.remove(owner, resource_uid, uid)
          )
        )
      )
      .handle("overrides", ({ path, urlParams }) =>
        resourceOverrideListTags.tagged(
          Effect.flatMap(currentOrganisation, (owner) => overrides.list(owner, path.resource_uid, urlParams)),
          urlParams
        )
      )
      .handle("create_override", (request) =>
        idempotent(
          request,
          { name: "resource-overrides", answer: ResourceOverride, by: holders.key },
          Effect.flatMap(currentOrganisation, (owner) =>
            overrides.create(owner, request.path.resource_uid, request.payload)
          )
        ).pipe(resourceOverrideTags.tagged)
      )
      .handle("preview_override", ({ path, payload }) =>
        Effect.flatMap(currentOrganisation, (owner) => previews.ofOverride(owner, path.resource_uid, payload))
      )
      .handle("change_override", ({ path: { resource_uid, override_uid: uid }, payload, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(
            headers,
            currentResourceOverrideTags(overrides, owner, resource_uid, uid),
            overrides.update(owner, resource_uid, uid, payload)
          )
        ).pipe(resourceOverrideTags.tagged)
      )
      .handle("remove_override", ({ path: { resource_uid, override_uid: uid }, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(
            headers,
            currentResourceOverrideTags(overrides, owner, resource_uid, uid),
            overrides.remove(owner, resource_uid, uid)
          )
        )
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
