/** ETags of the practice's records, shared by all groups that read and change them. */
import { Effect, type Schema } from "effect"
import type {
  AppointmentTypeUid,
  OrganisationUid,
  OverrideUid,
  ReminderUid,
  ResourceUid,
  RuleUid
} from "../../../schemas/ids.ts"
import { Listed, ListQuery, Paged } from "../../../schemas/paging.ts"
import { AppointmentType } from "../../../schemas/scheduling/AppointmentType.ts"
import { AvailabilityRule, ResourceRule } from "../../../schemas/scheduling/Availability.ts"
import { DateOverride, DateOverrideQuery, ResourceOverride } from "../../../schemas/scheduling/DateOverride.ts"
import { Reminder } from "../../../schemas/scheduling/Reminder.ts"
import { Resource } from "../../../schemas/scheduling/Resource.ts"
import type { AppointmentTypes } from "../../../services/scheduling/practice/AppointmentTypes.ts"
import type { Reminders } from "../../../services/scheduling/practice/Reminders.ts"
import type { Resources } from "../../../services/scheduling/practice/Resources.ts"
import type { CurrentTenant } from "../../../services/tenancy/Tenancy.ts"
import { listTags, recordTags } from "../../conditional.ts"
import { inData } from "../../inData.ts"

export const typeTags = recordTags(AppointmentType)
export const typeListTags = listTags(Listed(AppointmentType), ListQuery)
export const currentTypeTags = (types: AppointmentTypes, owner: OrganisationUid, uid: AppointmentTypeUid) => ({
  record: Effect.map(types.findForChange(owner, uid), typeTags.tagOf),
  isListed: typeListTags.isCurrent((query) => inData(types.list(owner, query)))
})

export const reminderTags = recordTags(Reminder)
export const reminderListTags = listTags(Listed(Reminder), ListQuery)
export const currentReminderTags = (
  reminders: Reminders,
  owner: OrganisationUid,
  type: AppointmentTypeUid,
  uid: ReminderUid
) => ({
  record: Effect.map(reminders.findForChange(owner, type, uid), reminderTags.tagOf),
  isListed: reminderListTags.isCurrent((query) => inData(reminders.list(owner, type, query)))
})

export const resourceTags = recordTags(Resource)
export const resourceListTags = listTags(Listed(Resource), ListQuery)
export const currentResourceTags = (resources: Resources, owner: OrganisationUid, uid: ResourceUid) => ({
  record: Effect.map(resources.findForChange(owner, uid), resourceTags.tagOf),
  isListed: resourceListTags.isCurrent((query) => inData(resources.list(owner, query)))
})

/** A service whose records belong to a doctor or a resource. */
interface Belonging<Uid, RecordUid, A, Answer, Query, E, E2> {
  readonly findForChange: (owner: OrganisationUid, whose: Uid, uid: RecordUid) => Effect.Effect<A, E, CurrentTenant>
  readonly list: (owner: OrganisationUid, whose: Uid, query: Query) => Effect.Effect<Answer, E2, CurrentTenant>
}

const ruleVersions = <A, I>(record: Schema.Schema<A, I>) => {
  const tags = recordTags(record)
  const ofList = listTags(Listed(record), ListQuery)
  const current = <Uid, E, E2>(
    rules: Belonging<Uid, RuleUid, A, ReadonlyArray<A>, ListQuery, E, E2>,
    owner: OrganisationUid,
    whose: Uid,
    uid: RuleUid
  ) => ({
    record: Effect.map(rules.findForChange(owner, whose, uid), tags.tagOf),
    isListed: ofList.isCurrent((query) => inData(rules.list(owner, whose, query)))
  })
  return { tags, listTags: ofList, current } as const
}
export const { tags: ruleTags, listTags: ruleListTags, current: currentRuleTags } = ruleVersions(AvailabilityRule)
export const {
  tags: resourceRuleTags,
  listTags: resourceRuleListTags,
  current: currentResourceRuleTags
} = ruleVersions(ResourceRule)

const overrideVersions = <A, I>(record: Schema.Schema<A, I>) => {
  const tags = recordTags(record)
  const answer = Paged(record)
  const ofList = listTags(answer, DateOverrideQuery)
  const current = <Uid, E, E2>(
    overrides: Belonging<Uid, OverrideUid, A, typeof answer.Type, DateOverrideQuery, E, E2>,
    owner: OrganisationUid,
    whose: Uid,
    uid: OverrideUid
  ) => ({
    record: Effect.map(overrides.findForChange(owner, whose, uid), tags.tagOf),
    isListed: ofList.isCurrent((query) => overrides.list(owner, whose, query))
  })
  return { tags, listTags: ofList, current } as const
}
export const {
  tags: overrideTags,
  listTags: overrideListTags,
  current: currentOverrideTags
} = overrideVersions(DateOverride)
export const {
  tags: resourceOverrideTags,
  listTags: resourceOverrideListTags,
  current: currentResourceOverrideTags
} = overrideVersions(ResourceOverride)
