/** What an appointment of a type takes beside its doctor, and how many a type or a doctor may have (sections 18.2 to 18.5). */
import { Schema } from "effect"
import { described, Flag, integer, listOf, omittable, oneOf, optional, withDefault } from "../fields.ts"
import { DoctorUid, ResourceUid } from "../ids.ts"
import { eitherOf, type Rule, withRules } from "../rules.ts"

/** Most requirements, and most limits, of one record. */
const LIST_MAX = 5
/** Most subjects from which one requirement chooses. */
const SUBJECTS_MAX = 100

const subjectFields = ["resource_uids", "doctor_uids"] as const

const countFits: Rule = ({ count = 1, ...sent }) =>
  subjectFields.flatMap((field) => {
    const uids = sent[field]
    return Array.isArray(uids) && uids.length > 0 && typeof count === "number" && count > uids.length
      ? [{ field: "count", message: `cannot be more than the ${uids.length} of ${field}` }]
      : []
  })

const withoutRepetition: Rule = (sent) =>
  subjectFields.flatMap((field) => {
    const uids = sent[field]
    return Array.isArray(uids) && new Set(uids).size < uids.length
      ? [{ field, message: "must not name the same one twice" }]
      : []
  })

const resource_uids = listOf(ResourceUid, { min: 1, max: SUBJECTS_MAX, description: "Resources, any of them" })
const doctor_uids = listOf(DoctorUid, {
  min: 1,
  max: SUBJECTS_MAX,
  description: "Further doctors, any of them, beside the one who is booked"
})
const count = integer(1, SUBJECTS_MAX, "How many of them an appointment takes")

/** `count` of the resources, or of the further doctors. */
export const Requirement = Schema.Struct({
  resource_uids: omittable(resource_uids),
  doctor_uids: omittable(doctor_uids),
  count
})
export type Requirement = typeof Requirement.Type

const description = "What an appointment takes beside its doctor: of each entry as many as `count`, for its whole time"
const example = [{ resource_uids: ["res_demo_room_1", "res_demo_room_2"], count: 1 }]

/** The requirements of a record. */
export const Requirements = Schema.Array(Requirement).annotations({ description, jsonSchema: { examples: [example] } })
/** The requirements of a body. */
export const NewRequirements = listOf(
  withRules(
    Schema.Struct({
      resource_uids: optional(resource_uids),
      doctor_uids: optional(doctor_uids),
      count: withDefault(count, 1)
    }),
    [eitherOf("resource_uids", "doctor_uids"), withoutRepetition, countFits]
  ),
  { max: LIST_MAX, description, example }
)

export const LimitPeriod = described(oneOf("day", "week", "month"), "Calendar day, week from Monday, or calendar month")
const limit = {
  per: LimitPeriod,
  max: integer(1, 10_000, "Most appointments that start in one of these periods").annotations({ examples: [4] })
}
export const LimitScope = oneOf("doctor", "organisation").annotations({
  description: "Whether it counts each doctor's appointments or those of all doctors together"
})

export const DoctorLimit = Schema.Struct(limit)
export type DoctorLimit = typeof DoctorLimit.Type
const doctorLimits = "Most appointments of any type that the doctor takes in a period; all of them hold"
export const DoctorLimits = listOf(DoctorLimit, { max: LIST_MAX, description: doctorLimits })

export const TypeLimit = Schema.Struct({ ...limit, scope: LimitScope })
export type TypeLimit = typeof TypeLimit.Type
const typeLimits = "Most appointments of the type in a period; all of them hold"
export const TypeLimits = described(Schema.Array(TypeLimit), typeLimits)
/** The limits of a type's body. */
export const NewTypeLimits = listOf(Schema.Struct({ ...limit, scope: withDefault(LimitScope, "doctor") }), {
  max: LIST_MAX,
  description: typeLimits
})

/** Of holds, bookings and moves by API key or administrator. */
export const overLimit = withDefault(
  described(Flag, "Limits of the type and the doctor do not count; for API keys and administrators"),
  false
)
