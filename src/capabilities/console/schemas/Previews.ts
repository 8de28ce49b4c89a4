/** What a change of hours or resources would do. Rules 7.6.6 and 18.1.5. */
import { Schema } from "effect"
import { body, described, optional, UnixSeconds, withExample } from "../../../schemas/fields.ts"
import { withForms } from "../../../schemas/forms.ts"
import { AppointmentTypeUid, AppointmentUid, OverrideUid, optionalUid } from "../../../schemas/ids.ts"
import { isAbsent, type Rule, withRules } from "../../../schemas/rules.ts"
import { NewDateOverride } from "../../../schemas/scheduling/DateOverride.ts"
import { ResourceChanges } from "../../../schemas/scheduling/Resource.ts"

const previewNeedsOverride: Rule = ({ override, override_uid }) =>
  isAbsent(override) && isAbsent(override_uid)
    ? [{ field: "override", message: "is required unless override_uid names one that would be deleted" }]
    : []

/** A preview of a change of the overrides (Rule 7.6.6). */
export const DateOverridePreview = withForms(
  withRules(
    withExample(
      body({
        override: optional(NewDateOverride).annotations({
          description: "The new or changed override; if omitted, `override_uid` is deleted"
        }),
        override_uid: optionalUid(OverrideUid).annotations({
          description: "The override to change or delete; if omitted, a new one is created"
        })
      }),
      { override: { date: 2_051_827_200, day_off: true } }
    ),
    [previewNeedsOverride]
  ),
  [
    { name: "PreviewOfOverride", description: "A new or changed override", required: ["override"] },
    {
      name: "PreviewOfDeletion",
      description: "An override is deleted",
      fixed: { override: [null] },
      required: ["override_uid"]
    }
  ]
)
export type DateOverridePreview = typeof DateOverridePreview.Type

export const TypedStart = Schema.Struct({ appointment_type_uid: AppointmentTypeUid, start_date: UnixSeconds })
export type TypedStart = typeof TypedStart.Type

export const DateOverrideEffects = Schema.Struct({
  appearing: described(Schema.Array(TypedStart), "Starts that would become free, by type and start"),
  disappearing: described(Schema.Array(TypedStart), "Starts that would no longer be free, by type and start"),
  hit: Schema.Array(AppointmentUid).annotations({
    description: "Confirmed appointments that lie within the doctor's hours and would not, by start; they stay"
  })
}).annotations({ identifier: "DateOverrideEffects" })
export type DateOverrideEffects = typeof DateOverrideEffects.Type

/** A preview of a change of a resource, or of its removal (Rule 18.1.5). */
export const ResourcePreview = withExample(
  body({
    changes: optional(ResourceChanges).annotations({
      description: "The fields to change; if omitted, the resource is deleted"
    })
  }),
  { changes: { active: false } }
)
export type ResourcePreview = typeof ResourcePreview.Type

export const ResourceEffects = Schema.Struct({
  appearing: Schema.Array(TypedStart).annotations({
    description:
      "Starts that would become free with any doctor; of a change of the resource itself those of 28 days, at most 50,000"
  }),
  disappearing: described(Schema.Array(TypedStart), "Starts that would no longer be free with any doctor, likewise"),
  hit: Schema.Array(AppointmentUid).annotations({
    description: "Confirmed appointments with the resource for which it is open and would not be, by start; they stay"
  })
}).annotations({ identifier: "ResourceEffects" })
export type ResourceEffects = typeof ResourceEffects.Type
