/** Contract: an organisation's doctors (Rule 12.1.1). */
import { OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Noun, Recorded } from "../../../../http/annotations.ts"
import { apiGroup } from "../../../../http/apiGroup.ts"
import { OrganisationKey } from "../../../../http/credentials/credentials.ts"
import { RequiredPermissions } from "../../../../http/credentials/requiredPermissions.ts"
import { recordEndpoints } from "../../../../http/recordEndpoints.ts"
import { DoctorUid } from "../../../../schemas/ids.ts"
import { Paged } from "../../../../schemas/paging.ts"
import { Doctor, DoctorChanges, DoctorQuery, NewDoctor } from "../../../../schemas/scheduling/Doctor.ts"
import { DoctorHasAppointments, DoctorNotFound } from "../../../../schemas/scheduling/errors.ts"

const uid = Schema.Struct({ doctor_uid: DoctorUid })
const doctors = recordEndpoints("/doctors/:doctor_uid", uid, Doctor, DoctorNotFound)

export class OrganisationDoctorsApi extends apiGroup(
  "organisation.doctors",
  doctors.list("list", "List the records of doctors, by name", DoctorQuery, Paged(Doctor)),
  doctors
    .create("create", "Create a doctor", NewDoctor)
    .annotate(OpenApi.Description, "Nothing can be booked until the doctor has availability rules."),
  doctors.read("one", "Read a doctor"),
  doctors.update("update", "Change a doctor; only sent fields change", DoctorChanges),
  doctors
    .remove("remove", "Delete a doctor", DoctorHasAppointments)
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
