/** Contract: an organisation's appointments (Rule 7.2). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Paged } from "../../schemas/paging.ts"
import { Invalid } from "../../schemas/problems.ts"
import { Appointment } from "../../schemas/scheduling/Appointment.ts"
import { AppointmentQuery } from "../../schemas/scheduling/AppointmentQuery.ts"
import { OrganisationKey } from "../credentials.ts"
import { problem } from "../problems.ts"
import { RequiredPermissions } from "../requiredPermissions.ts"

export class AppointmentsApi extends HttpApiGroup.make("management.appointments")
  .add(
    HttpApiEndpoint.get("list", "/appointments")
      .setUrlParams(AppointmentQuery)
      .addSuccess(Paged(Appointment))
      .addError(problem(Invalid))
      .annotate(RequiredPermissions, ["scheduling:read"])
      .annotate(OpenApi.Summary, "List appointments")
      .annotate(
        OpenApi.Description,
        "By start, then uid. Without filters: held and confirmed from now on; history is `status=all&from=0`."
      )
  )
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(OpenApi.Title, "Management: appointments")
  .annotate(OpenApi.Description, "Reading the organisation's appointments") {}
