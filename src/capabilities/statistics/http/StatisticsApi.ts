/** Contract: weekly statistics (section 7.8). */
import { HttpApi, HttpApiEndpoint, OpenApi } from "@effect/platform"
import { CostClass } from "../../../http/admission/costClasses.ts"
import { Recorded } from "../../../http/annotations.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { OrganisationKey } from "../../../http/credentials/credentials.ts"
import { RequiredPermissions } from "../../../http/credentials/requiredPermissions.ts"
import { problem } from "../../../http/problems.ts"
import { Listed } from "../../../schemas/paging.ts"
import { Invalid } from "../../../schemas/problems.ts"
import { WeeksQuery } from "../../shared/schemas/Weeks.ts"
import { DoctorsWeek, ResourcesWeek } from "../schemas/Statistics.ts"

class WeeklyStatistics extends apiGroup(
  "management.statistics",
  HttpApiEndpoint.get("statistics", "/statistics")
    .setUrlParams(WeeksQuery)
    .addSuccess(Listed(DoctorsWeek))
    .addError(problem(Invalid))
    .annotate(CostClass, "report")
    .annotate(OpenApi.Identifier, "getStatistics")
    .annotate(Recorded, "numbers, no patients")
    .annotate(OpenApi.Summary, "Read weekly statistics by doctor")
    .annotate(OpenApi.Description, "By week, then by doctor's name. Appointments count in the week of their start."),
  HttpApiEndpoint.get("resource_statistics", "/statistics/resources")
    .setUrlParams(WeeksQuery)
    .addSuccess(Listed(ResourcesWeek))
    .addError(problem(Invalid))
    .annotate(CostClass, "report")
    .annotate(OpenApi.Identifier, "getResourceStatistics")
    .annotate(Recorded, "numbers, no patients")
    .annotate(OpenApi.Summary, "Read the weekly use of resources")
    .annotate(
      OpenApi.Description,
      "By week, then by the resource's name. Appointments count in the week of their start."
    )
)
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotateEndpoints(RequiredPermissions, ["scheduling:read"])
  .annotate(OpenApi.Title, "Management: statistics")
  .annotate(OpenApi.Description, "Weekly statistics of doctors and resources") {}

export class StatisticsApi extends HttpApi.make("sprechstunde").add(WeeklyStatistics) {}
