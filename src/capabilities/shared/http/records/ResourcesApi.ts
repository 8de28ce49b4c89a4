/** Contract: rooms, devices and other persons that appointments take (section 18.1). */
import { OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Noun, Recorded } from "../../../../http/annotations.ts"
import { apiGroup } from "../../../../http/apiGroup.ts"
import { OrganisationKey } from "../../../../http/credentials/credentials.ts"
import { GroupPermissions } from "../../../../http/credentials/requiredPermissions.ts"
import { recordEndpoints } from "../../../../http/recordEndpoints.ts"
import { ResourceUid } from "../../../../schemas/ids.ts"
import { ListedWhole, ListQuery } from "../../../../schemas/paging.ts"
import { ResourceNotFound } from "../../../../schemas/scheduling/errors.ts"
import { NewResource, Resource, ResourceChanges } from "../../../../schemas/scheduling/Resource.ts"

const one = Schema.Struct({ resource_uid: ResourceUid })
const resources = recordEndpoints("/resources/:resource_uid", one, Resource, ResourceNotFound)

export class ResourcesApi extends apiGroup(
  "management.resources",
  resources.list("list", "List resources, by name", ListQuery, ListedWhole(Resource)),
  resources
    .create("create", "Create a resource", NewResource)
    .annotate(
      OpenApi.Description,
      "Appointments take it once a type names it in `requirements`. With `always_available: false` it is free within its own availability rules and date overrides alone."
    ),
  resources.read("one", "Read a resource"),
  resources
    .update("update", "Change a resource; only sent fields change", ResourceChanges)
    .annotate(OpenApi.Description, "Cancels nothing: appointments that took it keep it."),
  resources
    .remove("remove", "Delete a resource")
    .annotate(
      OpenApi.Description,
      "Cancels nothing: appointments that took it keep it. Nothing new takes it, also where a type still names it."
    )
)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(Noun, "Resource")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Management: resources")
  .annotate(OpenApi.Description, "Rooms, devices and other persons that appointments take beside their doctor") {}
