/** Contract: invitations of people to a practice's workspace (Rule 12.1.27). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Noun, Recorded } from "../../../http/annotations.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { OrganisationKey } from "../../../http/credentials/credentials.ts"
import { RequiredPermissions } from "../../../http/credentials/requiredPermissions.ts"
import { UsesKey } from "../../../http/idempotent.ts"
import { addProblems, problem } from "../../../http/problems.ts"
import { StaffPersonUid } from "../../../schemas/ids.ts"
import { Invalid } from "../../../schemas/problems.ts"
import { StaffPersonNotFound } from "../schemas/errors.ts"
import { StaffInvitation } from "../schemas/StaffInvitation.ts"
import { NewStaffPerson } from "../schemas/StaffPerson.ts"

addProblems(404, StaffPersonNotFound)

const one = Schema.Struct({ staff_person_uid: StaffPersonUid })

export class StaffInvitations extends apiGroup(
  "organisation.staff_invitations",
  HttpApiEndpoint.post("create", "/staff")
    .annotate(UsesKey, "transaction")
    .setPayload(NewStaffPerson)
    .addSuccess(StaffInvitation, { status: 201 })
    .addError(problem(Invalid))
    .annotate(OpenApi.Summary, "Invite a person to the practice's workspace")
    .annotate(
      OpenApi.Description,
      "The link is also mailed. By it the person signs in, once; the role then counts for whoever signed in."
    ),
  HttpApiEndpoint.post("invite", "/staff/:staff_person_uid/invitation")
    .setPath(one)
    .annotate(UsesKey, "transaction")
    .addSuccess(StaffInvitation, { status: 201 })
    .addError(problem(Invalid, StaffPersonNotFound))
    .annotate(OpenApi.Identifier, "inviteStaffPerson")
    .annotate(OpenApi.Summary, "Make a new invitation link; an earlier one ends")
    .annotate(
      OpenApi.Description,
      "It is also mailed to the person, who needs a mail address. Whoever signs in by it becomes this person. A removed person may then sign in again."
    )
)
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotateEndpoints(RequiredPermissions, ["organisation:admin"])
  .annotate(Noun, "StaffPerson")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Organisation: invitations of staff")
  .annotate(OpenApi.Description, "Links by which people sign in to the practice's workspace of the console") {}
