/** Contract: invitations of people to a practice's workspace (Rule 12.1.27). */
import { HttpApi, HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Noun, Recorded } from "../../../http/annotations.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { OrganisationKey } from "../../../http/credentials/credentials.ts"
import { RequiredPermissions } from "../../../http/credentials/requiredPermissions.ts"
import { IdempotencyKey } from "../../../http/idempotent.ts"
import { problem } from "../../../http/problems.ts"
import { IdempotencyKeyReused, StaffPersonNotFound } from "../../../schemas/access/errors.ts"
import { NewStaffPerson } from "../../../schemas/access/StaffPerson.ts"
import { StaffPersonUid } from "../../../schemas/ids.ts"
import { Invalid } from "../../../schemas/problems.ts"
import { StaffInvitation } from "../schemas/StaffInvitation.ts"

const one = Schema.Struct({ staff_person_uid: StaffPersonUid })

class StaffInvitations extends apiGroup(
  "organisation.staff_invitations",
  HttpApiEndpoint.post("create", "/staff")
    .setHeaders(IdempotencyKey)
    .setPayload(NewStaffPerson)
    .addSuccess(StaffInvitation, { status: 201 })
    .addError(problem(IdempotencyKeyReused, Invalid))
    .annotate(OpenApi.Summary, "Invite a person to the practice's workspace")
    .annotate(
      OpenApi.Description,
      "By the link the person signs in at the identity provider, once; the role then counts for whoever signed in."
    ),
  HttpApiEndpoint.post("invite", "/staff/:staff_person_uid/invitation")
    .setPath(one)
    .setHeaders(IdempotencyKey)
    .addSuccess(StaffInvitation, { status: 201 })
    .addError(problem(IdempotencyKeyReused, StaffPersonNotFound))
    .annotate(OpenApi.Identifier, "inviteStaffPerson")
    .annotate(OpenApi.Summary, "Make a new invitation link; an earlier one ends")
    .annotate(
      OpenApi.Description,
      "Whoever signs in by it becomes this person. A removed person may then sign in again."
    )
)
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotateEndpoints(RequiredPermissions, ["organisation:admin"])
  .annotate(Noun, "StaffPerson")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Organisation: invitations of staff")
  .annotate(OpenApi.Description, "Links by which people sign in to the practice's workspace of the console") {}

export class StaffInvitationsApi extends HttpApi.make("sprechstunde").add(StaffInvitations) {}
