/** Contract: the audit log, of the organisation (Rule 13.2.1) and of any owner for operators. */
import { HttpApi, HttpApiEndpoint, HttpApiSchema, OpenApi } from "@effect/platform"
import { CostClass } from "../../../http/admission/costClasses.ts"
import { Recorded } from "../../../http/annotations.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { OperatorToken, OrganisationKey } from "../../../http/credentials/credentials.ts"
import { RequiredPermissions } from "../../../http/credentials/requiredPermissions.ts"
import { problem } from "../../../http/problems.ts"
import { Invalid } from "../../../schemas/problems.ts"
import { AuditExportQuery, AuditLogPage, AuditQuery, OwnersAuditQuery } from "../schemas/AuditEntry.ts"

class Own extends apiGroup(
  "management.audit",
  HttpApiEndpoint.get("list", "/audit-log")
    .setUrlParams(AuditQuery)
    .addSuccess(AuditLogPage)
    .addError(problem(Invalid))
    .annotate(OpenApi.Identifier, "listAudit")
    .annotate(OpenApi.Summary, "Read the audit log in order")
    .annotate(
      OpenApi.Description,
      "Who changed what, who read health data or a secret, and who was denied. For the next page send `after` with the last id."
    ),
  HttpApiEndpoint.get("export", "/audit-log/export")
    .setUrlParams(AuditExportQuery)
    .addSuccess(HttpApiSchema.Text({ contentType: "application/x-ndjson" }))
    .addError(problem(Invalid))
    .annotate(CostClass, "report")
    .annotate(OpenApi.Identifier, "exportAuditLog")
    .annotate(OpenApi.Summary, "Export the audit log with the data that verifies it")
    .annotate(
      OpenApi.Description,
      "One JSON object per line: the sealed entries, each with its `number` and `mac`. The very last line is `{head}`; until it appears, continue with `after` = the last `number`. `cli audit verify --file` verifies the whole export."
    )
)
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotateEndpoints(RequiredPermissions, ["audit:read"])
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Management: audit log")
  .annotate(OpenApi.Description, "Who did what in the organisation") {}

class OfOwners extends apiGroup(
  "operator.audit",
  HttpApiEndpoint.get("list", "/audit-log")
    .setUrlParams(OwnersAuditQuery)
    .addSuccess(AuditLogPage)
    .addError(problem(Invalid))
    .annotate(OpenApi.Identifier, "listAuditLogOfOwner")
    .annotate(Recorded, true)
    .annotate(OpenApi.Summary, "Read an owner's audit log in order")
    .annotate(OpenApi.Description, "The same as organisations read; the read is itself recorded in that log.")
)
  .middleware(OperatorToken)
  .prefix("/v1/operator")
  .annotate(OpenApi.Title, "Operator: audit logs")
  .annotate(OpenApi.Description, "Who did what, in any owner's log") {}

export class AuditApi extends HttpApi.make("sprechstunde").add(Own).add(OfOwners) {}
