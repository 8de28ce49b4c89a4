import { Effect, Layer } from "effect"
import { AvailabilityRule } from "../../../schemas/scheduling/Availability.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import { AvailabilityRules } from "../../../services/scheduling/practice/AvailabilityRules.ts"
import { Conditional } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders, idempotent } from "../../idempotent.ts"
import { inData } from "../../inData.ts"
import { currentRuleTags, ruleListTags, ruleTags } from "./versions.ts"

export const AvailabilityRulesHttp = group("management.availability_rules", (handlers) =>
  Effect.zipWith(AvailabilityRules, Conditional, (rules, { changeIfMatch }) =>
    handlers
      .handle("list", ({ path, urlParams }) =>
        Effect.flatMap(currentOrganisation, (owner) => inData(rules.list(owner, path.doctor_uid, urlParams))).pipe(
          (answer) => ruleListTags.tagged(answer, urlParams)
        )
      )
      .handle("create", (request) =>
        idempotent(
          request,
          { name: "rules", answer: AvailabilityRule, by: holders.key },
          Effect.flatMap(currentOrganisation, (owner) => rules.create(owner, request.path.doctor_uid, request.payload))
        ).pipe(ruleTags.tagged)
      )
      .handle("replace", ({ path, payload }) =>
        inData(Effect.flatMap(currentOrganisation, (owner) => rules.replaceWeek(owner, path.doctor_uid, payload)))
      )
      .handle("update", ({ path: { doctor_uid: doctor, rule_uid: uid }, payload, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(headers, currentRuleTags(rules, owner, doctor, uid), rules.update(owner, doctor, uid, payload))
        ).pipe(ruleTags.tagged)
      )
      .handle("remove", ({ path: { doctor_uid: doctor, rule_uid: uid }, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(headers, currentRuleTags(rules, owner, doctor, uid), rules.remove(owner, doctor, uid))
        )
      )
  )
).pipe(Layer.provide([Idempotency.Default, AvailabilityRules.Default, Conditional.Default]))
