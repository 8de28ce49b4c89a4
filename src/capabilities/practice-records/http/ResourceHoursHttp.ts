import { Effect, Layer } from "effect"
import { Conditional } from "../../../http/conditional.ts"
import { below, byKey, pagedRecords, wholeRecords } from "../../../http/records.ts"
import type { ResourceUid } from "../../../schemas/ids.ts"
import { ResourceRule } from "../../../schemas/scheduling/Availability.ts"
import { DateOverrideQuery, ResourceOverride } from "../../../schemas/scheduling/DateOverride.ts"
import { ResourceRules } from "../../../services/scheduling/practice/AvailabilityRules.ts"
import { ResourceOverrides } from "../../../services/scheduling/practice/DateOverrides.ts"
import { group } from "./group.ts"

const resourceRuleHandling = wholeRecords(ResourceRule)
const resourceOverrideHandling = pagedRecords(ResourceOverride, DateOverrideQuery)

export const ResourceHoursHttp = group("management.resource_hours", (handlers) =>
  Effect.gen(function* () {
    const conditional = yield* Conditional
    const ofResource = below(byKey, ({ resource_uid }: { readonly resource_uid: ResourceUid }) => resource_uid)
    const ruleService = yield* ResourceRules
    const overrideService = yield* ResourceOverrides
    const rules = resourceRuleHandling(ruleService, conditional, ofResource, "rule_uid")
    const overrides = resourceOverrideHandling(overrideService, conditional, ofResource, "override_uid")
    return handlers
      .handle("rules", rules.list)
      .handle("create_rule", rules.create(ruleService.create))
      .handle("change_rule", rules.update(ruleService.update))
      .handle("remove_rule", rules.remove(ruleService.remove))
      .handle("overrides", overrides.list)
      .handle("create_override", overrides.create(overrideService.create))
      .handle("change_override", overrides.update(overrideService.update))
      .handle("remove_override", overrides.remove(overrideService.remove))
  })
).pipe(Layer.provide([ResourceRules.Default, ResourceOverrides.Default]))
