/** Contract: the organisation's audit log (Rule 13.2.1). */
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "@effect/platform"
import { AuditExportQuery, AuditLogPage, AuditQuery } from "../../schemas/audit/AuditEntry.ts"
import { Invalid } from "../../schemas/problems.ts"
import { CostClass } from "../admission/costClasses.ts"
import { Recorded } from "../annotations.ts"
import { apiGroup } from "../apiGroup.ts"
import { OrganisationKey } from "../credentials/credentials.ts"
import { RequiredPermissions } from "../credentials/requiredPermissions.ts"
import { problem } from "../problems.ts"

export class AuditApi extends apiGroup(
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
