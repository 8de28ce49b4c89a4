/** Contract: appointment types of an organisation (Rule 7.3). */
import { OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { AppointmentTypeUid } from "../../../schemas/ids.ts"
import { Listed, ListQuery } from "../../../schemas/paging.ts"
import { NewWholeType, WholeType, WholeTypeChanges } from "../../../schemas/scheduling/AppointmentType.ts"
import { AppointmentTypeNotFound } from "../../../schemas/scheduling/errors.ts"
import { Noun, Recorded } from "../../annotations.ts"
import { apiGroup } from "../../apiGroup.ts"
import { OrganisationKey } from "../../credentials/credentials.ts"
import { GroupPermissions } from "../../credentials/requiredPermissions.ts"
import { recordEndpoints } from "../../recordEndpoints.ts"

const uid = Schema.Struct({ appointment_type_uid: AppointmentTypeUid })
const types = recordEndpoints("/appointment-types/:appointment_type_uid", uid, WholeType, AppointmentTypeNotFound)

export class AppointmentTypesApi extends apiGroup(
  "management.appointment_types",
  types.list("list", "List appointment types", ListQuery, Listed(WholeType)),
  types.create("create", "Create an appointment type", NewWholeType),
  types.update("update", "Change an appointment type; only sent fields change", WholeTypeChanges),
  types
    .remove("remove", "Delete an appointment type")
    .annotate(OpenApi.Description, "It can no longer be booked; existing appointments keep its name.")
)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(Noun, "AppointmentType")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Management: appointment types")
  .annotate(OpenApi.Description, "What patients can book") {}
