import { Effect, Layer } from "effect"
import type { DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { Listed } from "../../../schemas/paging.ts"
import { AvailabilityRule } from "../../../schemas/scheduling/Availability.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import { AvailabilityRules } from "../../../services/scheduling/practice/AvailabilityRules.ts"
import { Conditional, recordTags } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders } from "../../idempotent.ts"
import { inData } from "../../inData.ts"
import { ruleHandling } from "./kinds.ts"

const list = recordTags(Listed(AvailabilityRule))

/** Of a doctor's rules as a whole, for replacing the week: the tag of their list, or of its JSON. */
const weekTags = (service: AvailabilityRules, owner: OrganisationUid, doctor: DoctorUid) => ({
  record: Effect.map(service.listForChange(owner, doctor), (data) => list.tagOf({ data })),
  // the list's tag begins with that of its JSON
  isListed: (tag: string, record: string) => Effect.succeed(tag.startsWith(`${record.slice(0, -1)}.`))
})

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
      .handle("replace", ({ path: { doctor_uid: doctor }, payload, headers }) =>
        inData(
          Effect.flatMap(currentOrganisation, (owner) =>
            conditional.changeIfMatch(
              headers,
              weekTags(service, owner, doctor),
              service.replaceWeek(owner, doctor, payload)
            )
          )
        )
      )
      .handle("update", ({ path, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => rules.update([owner, path.doctor_uid], path.rule_uid, request))
      )
      .handle("remove", ({ path, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => rules.remove([owner, path.doctor_uid], path.rule_uid, request))
      )
  })
).pipe(Layer.provide([Idempotency.Default, AvailabilityRules.Default, Conditional.Default]))
