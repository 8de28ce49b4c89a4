/** Contract: rooms, devices and other persons that appointments take (section 18.1). */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdempotencyKeyReused } from "../../../schemas/access/errors.ts"
import { ResourceUid } from "../../../schemas/ids.ts"
import { Listed, ListQuery } from "../../../schemas/paging.ts"
import { Invalid, PreconditionFailed } from "../../../schemas/problems.ts"
import { ResourceNotFound } from "../../../schemas/scheduling/errors.ts"
import {
  NewResource,
  Resource,
  ResourceChanges,
  ResourceEffects,
  ResourcePreview
} from "../../../schemas/scheduling/Resource.ts"
import { Noun, Recorded } from "../../annotations.ts"
import { IfMatch } from "../../conditional.ts"
import { OrganisationKey } from "../../credentials/credentials.ts"
import { GroupPermissions } from "../../credentials/requiredPermissions.ts"
import { IdempotencyKey, NotReplayed } from "../../idempotent.ts"
import { problem } from "../../problems.ts"

const one = Schema.Struct({ resource_uid: ResourceUid })

export class ResourcesApi extends HttpApiGroup.make("management.resources")
  .add(
    HttpApiEndpoint.get("list", "/resources")
      .setUrlParams(ListQuery)
      .addSuccess(Listed(Resource))
      .addError(problem(Invalid))
      .annotate(OpenApi.Summary, "List resources, by name")
  )
  .add(
    HttpApiEndpoint.post("create", "/resources")
      .setHeaders(IdempotencyKey)
      .setPayload(NewResource)
      .addSuccess(Resource, { status: 201 })
      .addError(problem(IdempotencyKeyReused, Invalid))
      .annotate(OpenApi.Summary, "Create a resource")
      .annotate(
        OpenApi.Description,
        "Appointments take it once a type names it in `requirements`. With `always_available: false` it is free within its own availability rules and date overrides alone."
      )
  )
  .add(
    HttpApiEndpoint.get("one", "/resources/:resource_uid")
      .setPath(one)
      .addSuccess(Resource)
      .addError(problem(ResourceNotFound))
      .annotate(OpenApi.Summary, "Read a resource")
  )
  .add(
    HttpApiEndpoint.patch("update", "/resources/:resource_uid")
      .setPath(one)
      .setHeaders(IfMatch)
      .setPayload(ResourceChanges)
      .addSuccess(Resource)
      .addError(problem(PreconditionFailed, Invalid, ResourceNotFound))
      .annotate(OpenApi.Summary, "Change a resource; only sent fields change")
      .annotate(OpenApi.Description, "Cancels nothing: appointments that took it keep it; `preview` lists them.")
  )
  .add(
    HttpApiEndpoint.del("remove", "/resources/:resource_uid")
      .setPath(one)
      .setHeaders(IfMatch)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(problem(PreconditionFailed, ResourceNotFound))
      .annotate(OpenApi.Summary, "Delete a resource")
      .annotate(
        OpenApi.Description,
        "Cancels nothing: appointments that took it keep it. Nothing new takes it, also where a type still names it."
      )
  )
  .add(
    HttpApiEndpoint.post("preview", "/resources/:resource_uid/preview")
      .setPath(one)
      .setPayload(ResourcePreview)
      .addSuccess(ResourceEffects)
      .addError(problem(Invalid, ResourceNotFound))
      .annotate(OpenApi.Identifier, "previewResourceChange")
      .annotate(OpenApi.Summary, "Preview which appointments a change or the deletion of a resource hits")
      .annotate(NotReplayed, true)
      .annotate(OpenApi.Description, "Changes nothing.")
  )
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(Noun, "Resource")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Management: resources")
  .annotate(OpenApi.Description, "Rooms, devices and other persons that appointments take beside their doctor") {}
