/** Contract: moving many appointments (Rule 7.2.8). */
import { HttpApi, HttpApiEndpoint, OpenApi } from "@effect/platform"
import { CostClass } from "../../../http/admission/costClasses.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { OrganisationKey } from "../../../http/credentials/credentials.ts"
import { RequiredPermissions } from "../../../http/credentials/requiredPermissions.ts"
import { problem } from "../../../http/problems.ts"
import { Invalid } from "../../../schemas/problems.ts"
import { DoctorNotFound, ResourceNotFound } from "../../../schemas/scheduling/errors.ts"
import { BulkMove, BulkMoved } from "../schemas/BulkMove.ts"

class BulkMovesGroup extends apiGroup(
  "management.bulk_moves",
  HttpApiEndpoint.post("move", "/appointments/bulk-move")
    .setPayload(BulkMove)
    .addSuccess(BulkMoved)
    .addError(problem(Invalid, DoctorNotFound, ResourceNotFound))
    .annotate(CostClass, "report")
    .annotate(OpenApi.Identifier, "moveAppointments")
    .annotate(OpenApi.Summary, "Move many appointments")
    .annotate(
      OpenApi.Description,
      "Confirmed appointments that start in `[from, to)`, of one doctor or of all: a request looks at the first 200 by start and " +
        "moves at most 50; send it again for those `left` with `too_many_requests`. Each gets the first time that is free up to " +
        "31 days after `to`. If its type allows any doctor: with another doctor, from its own start on; otherwise " +
        "with the same doctor, from `to` on. With `resource_uid` those that take it keep their time where another is free. Each appointment is moved separately, with its own event and message."
    )
)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotateEndpoints(RequiredPermissions, ["scheduling:admin"])
  .annotate(OpenApi.Title, "Management: moving many appointments")
  .annotate(OpenApi.Description, "Out of a doctor's absence, or a room that is closed") {}

export const BulkMovesApi = HttpApi.make("bulk-moves").add(BulkMovesGroup)
