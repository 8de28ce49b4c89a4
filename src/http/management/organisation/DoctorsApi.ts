/** Contract: an organisation's doctors (Rule 12.1.1). */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdempotencyKeyReused } from "../../../schemas/access/errors.ts"
import { DoctorUid } from "../../../schemas/ids.ts"
import { Paged } from "../../../schemas/paging.ts"
import { Invalid, PreconditionFailed } from "../../../schemas/problems.ts"
import { Doctor, DoctorChanges, DoctorQuery, NewDoctor } from "../../../schemas/scheduling/Doctor.ts"
import { DoctorHasAppointments, DoctorNotFound } from "../../../schemas/scheduling/errors.ts"
import { Noun, Recorded } from "../../annotations.ts"
import { IfMatch } from "../../conditional.ts"
import { OrganisationKey } from "../../credentials/credentials.ts"
import { RequiredPermissions } from "../../credentials/requiredPermissions.ts"
import { IdempotencyKey } from "../../idempotent.ts"
import { problem } from "../../problems.ts"

const uid = Schema.Struct({ doctor_uid: DoctorUid })

export class OrganisationDoctorsApi extends HttpApiGroup.make("organisation.doctors")
  .add(
    HttpApiEndpoint.get("list", "/doctors")
      .setUrlParams(DoctorQuery)
      .addSuccess(Paged(Doctor))
      .addError(problem(Invalid))
      .annotate(OpenApi.Summary, "List the records of doctors, by name")
  )
  .add(
    HttpApiEndpoint.post("create", "/doctors")
      .setHeaders(IdempotencyKey)
      .setPayload(NewDoctor)
      .addSuccess(Doctor, { status: 201 })
      .addError(problem(IdempotencyKeyReused, Invalid))
      .annotate(OpenApi.Summary, "Create a doctor")
      .annotate(OpenApi.Description, "Nothing can be booked until the doctor has availability rules.")
  )
  .add(
    HttpApiEndpoint.get("one", "/doctors/:doctor_uid")
      .setPath(uid)
      .addSuccess(Doctor)
      .addError(problem(DoctorNotFound))
      .annotate(OpenApi.Summary, "Read a doctor")
  )
  .add(
    HttpApiEndpoint.patch("update", "/doctors/:doctor_uid")
      .setPath(uid)
      .setHeaders(IfMatch)
      .setPayload(DoctorChanges)
      .addSuccess(Doctor)
      .addError(problem(Invalid, DoctorNotFound, PreconditionFailed))
      .annotate(OpenApi.Summary, "Change a doctor; only sent fields change")
  )
  .add(
    HttpApiEndpoint.del("remove", "/doctors/:doctor_uid")
      .setPath(uid)
      .setHeaders(IfMatch)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(problem(DoctorNotFound, DoctorHasAppointments, PreconditionFailed))
      .annotate(OpenApi.Summary, "Delete a doctor")
      .annotate(
        OpenApi.Description,
        "Removes the doctor from all lists and searches and blocks the sign-in; past appointments keep the name. 409 " +
          "while a hold or a confirmed appointment has not ended: cancel them (`bulk-cancel`) or move them first."
      )
  )
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotateEndpoints(RequiredPermissions, ["organisation:admin"])
  .annotate(Noun, "Doctor")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Organisation: doctors")
  .annotate(OpenApi.Description, "Doctors, the same records as in provisioning") {}
