/** Contract: public holidays by region, and the preview of a change (Rules 3.11.4 and 3.11.5). */
import { HttpApi, HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Recorded } from "../../../http/annotations.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { OrganisationKey } from "../../../http/credentials/credentials.ts"
import { RequiredPermissions } from "../../../http/credentials/requiredPermissions.ts"
import { UsesKey } from "../../../http/idempotent.ts"
import { problem } from "../../../http/problems.ts"
import { OrganisationNotFound } from "../../../schemas/access/errors.ts"
import { Listed } from "../../../schemas/paging.ts"
import { Invalid } from "../../../schemas/problems.ts"
import { Holiday } from "../../../schemas/scheduling/Holiday.ts"
import { HolidayEffects, HolidayPreview, HolidayQuery } from "../schemas/Holidays.ts"

class Holidays extends apiGroup(
  "management.holidays",
  HttpApiEndpoint.post("preview", "/organisation/holidays/preview")
    .setPayload(HolidayPreview)
    .addSuccess(HolidayEffects)
    .addError(problem(Invalid, OrganisationNotFound))
    .annotate(RequiredPermissions, ["organisation:admin"])
    .annotate(UsesKey, "again")
    .annotate(OpenApi.Identifier, "previewHolidays")
    .annotate(OpenApi.Summary, "Preview which appointments a change of the holidays hits")
    .annotate(OpenApi.Description, "Takes the body of a change of the organisation. Changes and cancels nothing."),
  HttpApiEndpoint.get("list", "/holidays")
    .setUrlParams(HolidayQuery)
    .addSuccess(Listed(Holiday))
    .addError(problem(Invalid))
    .annotate(RequiredPermissions, ["scheduling:read"])
    .annotate(OpenApi.Identifier, "listHolidays")
    .annotate(OpenApi.Summary, "List the public holidays of a region")
    .annotate(OpenApi.Description, "Computed, for 1990 to 2100.")
)
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Management: holidays")
  .annotate(OpenApi.Description, "Public holidays of regions") {}

export class HolidaysApi extends HttpApi.make("sprechstunde").add(Holidays) {}
