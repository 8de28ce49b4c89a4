/** Rooms, devices and other persons that appointments take (section 18.1). */
import { Schema } from "effect"
import { body, changes, described, Flag, Name, oneOf, UnixSeconds, withDefault, withExample } from "../fields.ts"
import { OrganisationUid, ResourceUid } from "../ids.ts"

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

/** A resource that an appointment takes. */
export const TakenResource = Schema.Struct({
  uid: ResourceUid,
  kind: ResourceKind,
  name: Schema.String.annotations({ description: "Name of the resource", examples: ["Room 1"] })
}).annotations({ identifier: "TakenResource" })
export type TakenResource = typeof TakenResource.Type
