/** Contract: the organisation itself (Rule 12.1.3). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { OrganisationNotFound } from "../../../schemas/access/errors.ts"
import { Organisation, OrganisationChanges } from "../../../schemas/access/Organisation.ts"
import { Invalid, PreconditionFailed } from "../../../schemas/problems.ts"
import { IfMatch } from "../../conditional.ts"
import { OrganisationKey } from "../../credentials/credentials.ts"
import { RequiredPermissions } from "../../credentials/requiredPermissions.ts"
import { problem } from "../../problems.ts"

export class OrganisationApi extends HttpApiGroup.make("organisation.settings")
  .add(
    HttpApiEndpoint.get("one", "/organisation")
      .addSuccess(Organisation)
      .addError(problem(OrganisationNotFound))
      .annotate(OpenApi.Summary, "Read the organisation")
  )
  .add(
    HttpApiEndpoint.patch("update", "/organisation")
      .setHeaders(IfMatch)
      .setPayload(OrganisationChanges)
      .addSuccess(Organisation)
      .addError(problem(Invalid, OrganisationNotFound, PreconditionFailed))
      .annotate(OpenApi.Summary, "Change the organisation; only sent fields change")
  )
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotateEndpoints(RequiredPermissions, ["organisation:admin"])
  .annotate(OpenApi.Title, "Organisation: settings")
  .annotate(OpenApi.Description, "Name, zone, origins, messages, limits, consent and administrators") {}
