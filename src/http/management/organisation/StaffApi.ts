/** Contract: people who work in the practice, with their roles (Rule 12.1.27). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdempotencyKeyReused, StaffPersonNotFound } from "../../../schemas/access/errors.ts"
import {
  NewStaffPerson,
  StaffInvitation,
  StaffPerson,
  StaffPersonChanges
} from "../../../schemas/access/StaffPerson.ts"
import { StaffPersonUid } from "../../../schemas/ids.ts"
import { ListedWhole, ListQuery } from "../../../schemas/paging.ts"
import { Invalid } from "../../../schemas/problems.ts"
import { Noun, Recorded } from "../../annotations.ts"
import { apiGroup } from "../../apiGroup.ts"
import { OrganisationKey } from "../../credentials/credentials.ts"
import { RequiredPermissions } from "../../credentials/requiredPermissions.ts"
import { IdempotencyKey } from "../../idempotent.ts"
import { problem } from "../../problems.ts"
import { recordEndpoints } from "../../recordEndpoints.ts"

const one = Schema.Struct({ staff_person_uid: StaffPersonUid })
const staff = recordEndpoints("/staff/:staff_person_uid", one, StaffPerson, StaffPersonNotFound)

export class StaffApi extends apiGroup(
  "organisation.staff",
  staff
    .list("list", "List people of the practice, by name", ListQuery, ListedWhole(StaffPerson))
    .annotate(OpenApi.Identifier, "listStaffPeople")
    .annotate(
      OpenApi.Description,
      "Those to whom the identity provider gives a role, from their first sign-in, and those who were invited; removed people included."
    ),
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
  staff.read("one", "Read a person of the practice"),
  staff
    .update("update", "Change a person of the practice; only sent fields change", StaffPersonChanges)
    .annotate(OpenApi.Description, "A role that is set here counts instead of the provider's."),
  staff
    .remove("remove", "Remove a person: they may no longer sign in to the practice", Invalid)
    .annotate(
      OpenApi.Description,
      "Also a person with a role of the identity provider. The name stays for the audit log."
    ),
  HttpApiEndpoint.post("invite", "/staff/:staff_person_uid/invitation")
    .setPath(one)
    .setHeaders(IdempotencyKey)
    .addSuccess(StaffInvitation, { status: 201 })
    .addError(problem(IdempotencyKeyReused, Invalid, StaffPersonNotFound))
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
  .annotate(OpenApi.Title, "Organisation: staff")
  .annotate(OpenApi.Description, "People who work in the practice's workspace of the console, and their roles") {}
