/** Rooms, devices and other persons that appointments take (section 18.1). */
import { Schema } from "effect"
import {
  body,
  changes,
  described,
  Flag,
  Name,
  oneOf,
  optional,
  UnixSeconds,
  withDefault,
  withExample
} from "../fields.ts"
import { AppointmentUid, OrganisationUid, ResourceUid } from "../ids.ts"
import { TypedStart } from "./DateOverride.ts"

export const ResourceKind = oneOf("room", "device", "person").annotations({
  description: "A room, a device, or a person who is no doctor, such as an interpreter"
})
export type ResourceKind = typeof ResourceKind.Type

const fields = {
  kind: ResourceKind,
  name: Name.annotations({ description: "Name of the resource", examples: ["Room 1"] }),
  site: Schema.NullOr(Name).annotations({
    description: "Where it is, as patients read it; null: not stated",
    examples: ["Main Street 1, first floor"]
  }),
  always_available: described(Flag, "true: free whenever no appointment takes it; false: within its own hours alone"),
  active: described(Flag, "Whether appointments can take it")
}

export const Resource = Schema.Struct({
  uid: ResourceUid,
  organisation_uid: OrganisationUid,
  ...fields,
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}).annotations({ identifier: "Resource" })
export type Resource = typeof Resource.Type

export const NewResource = withExample(
  body({
    kind: fields.kind,
    name: fields.name,
    site: withDefault(fields.site, null),
    always_available: withDefault(fields.always_available, true),
    active: withDefault(fields.active, true)
  }),
  { kind: "room", name: "Room 3", site: "Main Street 1, first floor" }
)
export type NewResource = typeof NewResource.Type

export const ResourceChanges = withExample(changes(fields), { name: "Room 3 (ultrasound)" })
export type ResourceChanges = typeof ResourceChanges.Type

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

/** A resource that an appointment takes. */
export const TakenResource = Schema.Struct({
  uid: ResourceUid,
  kind: ResourceKind,
  name: Schema.String.annotations({ description: "Name of the resource", examples: ["Room 1"] })
}).annotations({ identifier: "TakenResource" })
export type TakenResource = typeof TakenResource.Type
