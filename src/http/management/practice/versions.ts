/** ETags of the practice's records, shared by all groups that read and change them. */

import { Effect } from "effect"
import type {
  AppointmentTypeUid,
  DoctorUid,
  OrganisationUid,
  OverrideUid,
  ReminderUid,
  RuleUid
} from "../../../schemas/ids.ts"
import { Listed, ListQuery, Paged } from "../../../schemas/paging.ts"
import { AppointmentType } from "../../../schemas/scheduling/AppointmentType.ts"
import { AvailabilityRule } from "../../../schemas/scheduling/Availability.ts"
import { DateOverride, DateOverrideQuery } from "../../../schemas/scheduling/DateOverride.ts"
import { Reminder } from "../../../schemas/scheduling/Reminder.ts"
import type { AppointmentTypes } from "../../../services/scheduling/practice/AppointmentTypes.ts"
import type { AvailabilityRules } from "../../../services/scheduling/practice/AvailabilityRules.ts"
import type { DateOverrides } from "../../../services/scheduling/practice/DateOverrides.ts"
import type { Reminders } from "../../../services/scheduling/practice/Reminders.ts"
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

export const ruleTags = recordTags(AvailabilityRule)
export const ruleListTags = listTags(Listed(AvailabilityRule), ListQuery)
export const currentRuleTags = (rules: AvailabilityRules, owner: OrganisationUid, doctor: DoctorUid, uid: RuleUid) => ({
  record: Effect.map(rules.findForChange(owner, doctor, uid), ruleTags.tagOf),
  isListed: ruleListTags.isCurrent((query) => inData(rules.list(owner, doctor, query)))
})

export const overrideTags = recordTags(DateOverride)
export const overrideListTags = listTags(Paged(DateOverride), DateOverrideQuery)
export const currentOverrideTags = (
  overrides: DateOverrides,
  owner: OrganisationUid,
  doctor: DoctorUid,
  uid: OverrideUid
) => ({
  record: Effect.map(overrides.findForChange(owner, doctor, uid), overrideTags.tagOf),
  isListed: overrideListTags.isCurrent((query) => overrides.list(owner, doctor, query))
})
