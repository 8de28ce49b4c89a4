/** Contract: people who work in the practice, with their roles (Rule 12.1.27). */
import { OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Noun, Recorded } from "../../../../http/annotations.ts"
import { apiGroup } from "../../../../http/apiGroup.ts"
import { OrganisationKey } from "../../../../http/credentials/credentials.ts"
import { RequiredPermissions } from "../../../../http/credentials/requiredPermissions.ts"
import { addProblems } from "../../../../http/problems.ts"
import { recordEndpoints } from "../../../../http/recordEndpoints.ts"
import { StaffPersonUid } from "../../../../schemas/ids.ts"
import { ListedWhole, ListQuery } from "../../../../schemas/paging.ts"
import { Invalid } from "../../../../schemas/problems.ts"
import { StaffPersonNotFound } from "../../schemas/errors.ts"
import { StaffPerson, StaffPersonChanges } from "../../schemas/StaffPerson.ts"

addProblems(404, StaffPersonNotFound)

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
  staff.read("one", "Read a person of the practice"),
  staff
    .update("update", "Change a person of the practice; only sent fields change", StaffPersonChanges)
    .annotate(OpenApi.Description, "A role that is set here counts instead of the provider's."),
  staff
    .remove("remove", "Remove a person: they may no longer sign in to the practice", Invalid)
    .annotate(
      OpenApi.Description,
      "Also a person with a role of the identity provider. The name stays for the audit log."
    )
)
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotateEndpoints(RequiredPermissions, ["organisation:admin"])
  .annotate(Noun, "StaffPerson")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Organisation: staff")
  .annotate(OpenApi.Description, "People who work in the practice, and their roles") {}
