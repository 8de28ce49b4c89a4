import { Effect, Layer } from "effect"
import type { DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { Listed } from "../../../schemas/paging.ts"
import { AvailabilityRule } from "../../../schemas/scheduling/Availability.ts"
import { AvailabilityRules } from "../../../services/scheduling/practice/AvailabilityRules.ts"
import { Conditional, recordTags } from "../../conditional.ts"
import { inOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { inData } from "../../inData.ts"
import { below, byKey } from "../../records.ts"
import { doctorOf, ruleHandling } from "./kinds.ts"

const list = recordTags(Listed(AvailabilityRule))

/** Of a doctor's rules as a whole, for replacing the week: the tag of their list, or of its JSON. */
const weekTags = (service: AvailabilityRules, owner: OrganisationUid, doctor: DoctorUid) => ({
  record: Effect.map(service.listForChange(owner, doctor), (data) => list.tagOf({ data })),
  // the list's tag begins with that of its JSON
  isListed: (tag: string, record: string) => Effect.succeed(tag.startsWith(`${record.slice(0, -1)}.`))
})

export const AvailabilityRulesHttp = group("management.availability_rules", (handlers) =>
  Effect.zipWith(AvailabilityRules, Conditional, (service, conditional) => {
    const rules = ruleHandling(service, conditional, below(byKey, doctorOf), "rule_uid")
    return handlers
      .handle("list", rules.list)
      .handle("create", rules.create(service.create))
      .handle("replace", ({ path: { doctor_uid: doctor }, payload, headers }) =>
        inData(
          inOrganisation((owner) =>
            conditional.changeIfMatch(
              headers,
              weekTags(service, owner, doctor),
              service.replaceWeek(owner, doctor, payload)
            )
          )
        )
      )
      .handle("update", rules.update(service.update))
      .handle("remove", rules.remove(service.remove))
  })
).pipe(Layer.provide([AvailabilityRules.Default]))
