/** Contract: the organisation itself (Rule 12.1.3). */
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Noun, Recorded } from "../../../../http/annotations.ts"
import { apiGroup } from "../../../../http/apiGroup.ts"
import { IfMatch } from "../../../../http/conditional.ts"
import { OrganisationKey } from "../../../../http/credentials/credentials.ts"
import { RequiredPermissions } from "../../../../http/credentials/requiredPermissions.ts"
import { problem } from "../../../../http/problems.ts"
import { AdministratorNotFound, OrganisationNotFound } from "../../../../schemas/access/errors.ts"
import { WholeOrganisation, WholeOrganisationChanges } from "../../../../schemas/access/Organisation.ts"
import { AdminUid } from "../../../../schemas/ids.ts"
import { Invalid, PreconditionFailed } from "../../../../schemas/problems.ts"

export class OrganisationApi extends apiGroup(
  "organisation.settings",
  HttpApiEndpoint.get("one", "/organisation")
    .addSuccess(WholeOrganisation)
    .addError(problem(OrganisationNotFound))
    .annotate(OpenApi.Summary, "Read the organisation"),
  HttpApiEndpoint.patch("update", "/organisation")
    .setHeaders(IfMatch)
    .setPayload(WholeOrganisationChanges)
    .addSuccess(WholeOrganisation)
    .addError(problem(Invalid, OrganisationNotFound, PreconditionFailed))
    .annotate(OpenApi.Summary, "Change the organisation; only sent fields change"),
  HttpApiEndpoint.del("remove_admin", "/organisation/admins/:admin_uid")
    .setPath(Schema.Struct({ admin_uid: AdminUid }))
    .addSuccess(HttpApiSchema.NoContent)
    .addError(problem(AdministratorNotFound))
    .annotate(OpenApi.Identifier, "deleteAdministrator")
    .annotate(OpenApi.Summary, "Remove an administrator: they get no more reminders")
)
  .annotateEndpoints(RequiredPermissions, ["organisation:admin"])
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotate(Noun, "Organisation")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Organisation: settings")
  .annotate(OpenApi.Description, "Name, zone, origins, messages, limits, consent and administrators") {}
