/** Contract: an organisation's appointments (Rule 7.2). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdempotencyKeyReused, PatientNotFound, ShopNotFound } from "../../schemas/access/errors.ts"
import { AppointmentUid } from "../../schemas/ids.ts"
import { Paged } from "../../schemas/paging.ts"
import { Invalid } from "../../schemas/problems.ts"
import { AppointmentQuery } from "../../schemas/scheduling/AppointmentQuery.ts"
import { BookedAppointment, StaffAppointment } from "../../schemas/scheduling/appointmentAnswers.ts"
import {
  AppointmentNotConfirmed,
  AppointmentNotFound,
  BookableTypeNotFound,
  bookingRefusals,
  RebookingBlocked,
  SlotNotOffered
} from "../../schemas/scheduling/errors.ts"
import { NewKeyBooking } from "../../schemas/scheduling/KeyHold.ts"
import { Noun, Recorded } from "../annotations.ts"
import { apiGroup } from "../apiGroup.ts"
import { OrganisationKey } from "../credentials/credentials.ts"
import { GroupPermissions } from "../credentials/requiredPermissions.ts"
import { UsesKey } from "../idempotent.ts"
import { problem } from "../problems.ts"
import { recordEndpoints } from "../recordEndpoints.ts"

const one = Schema.Struct({ appointment_uid: AppointmentUid })
const appointments = recordEndpoints("/appointments/:appointment_uid", one, StaffAppointment, AppointmentNotFound)

export class AppointmentsApi extends apiGroup(
  "management.appointments",
  appointments
    .list("list", "List appointments", AppointmentQuery, Paged(StaffAppointment))
    .annotate(
      OpenApi.Description,
      "By start, then uid. Without filters: held and confirmed from now on; history is `status=all&from=0`. " +
        "Add `updated_after` for those that have changed since."
    ),
  appointments.read("one", "Read an appointment"),
  HttpApiEndpoint.post("book", "/appointments")
    .annotate(UsesKey, "service")
    .setPayload(NewKeyBooking)
    .addSuccess(BookedAppointment, { status: 201 })
    .addError(problem(Invalid, SlotNotOffered, ShopNotFound, PatientNotFound, BookableTypeNotFound))
    .addError(problem(AppointmentNotFound, RebookingBlocked))
    .addError(problem(...bookingRefusals, AppointmentNotConfirmed, IdempotencyKeyReused))
    .annotate(OpenApi.Identifier, "bookAppointment")
    .annotate(OpenApi.Summary, "Book an appointment for a patient")
    .annotate(
      OpenApi.Description,
      "Confirmed in one step. Without `doctor_uid` the first free doctor in the order of their uids. The patient is " +
        "identified by `patient_uid`, or by `shop_customer_id`, which creates or updates the patient. The limits of a " +
        "patient do not apply."
    )
)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:write"] })
  .annotate(Noun, "Appointment")
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Management: appointments")
  .annotate(OpenApi.Description, "Reading the organisation's appointments") {}
