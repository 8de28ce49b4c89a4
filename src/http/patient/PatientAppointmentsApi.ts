/** Contract: cancelling, moving and joining appointments by patients, and holds by API key (Rules 4.7, 4.8, 4.10 and 5.2). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdempotencyKeyReused, ShopNotFound } from "../../schemas/access/errors.ts"
import { AppointmentUid } from "../../schemas/ids.ts"
import { Invalid } from "../../schemas/problems.ts"
import { describeTrigger } from "../../schemas/scheduling/AppointmentStates.ts"
import { Confirmation, Confirmed } from "../../schemas/scheduling/Booking.ts"
import { Cancellation, Cancelled } from "../../schemas/scheduling/Cancellation.ts"
import {
  AppointmentNotFound,
  BookableTypeNotFound,
  bookingRefusals,
  CancellationTooLate,
  HoldNotConfirmable,
  HoldNotFound,
  PreparationMissing,
  rebookingRefusals,
  refusalsOf,
  SlotNotOffered,
  SlotTaken,
  TooManyAppointments
} from "../../schemas/scheduling/errors.ts"
import { JoinToken } from "../../schemas/scheduling/JoinToken.ts"
import { KeyHold, NewKeyHold } from "../../schemas/scheduling/KeyHold.ts"
import { Rebooked, Rebooking } from "../../schemas/scheduling/Rebooking.ts"
import { apiGroup } from "../apiGroup.ts"
import { BookingToken, PatientOrKey, WriteKey } from "../credentials/credentials.ts"
import { RequiredPermissions } from "../credentials/requiredPermissions.ts"
import { UsesKey } from "../idempotent.ts"
import { problem } from "../problems.ts"
import { recordEndpoints } from "../recordEndpoints.ts"

const uid = Schema.Struct({ appointment_uid: AppointmentUid })
const appointments = recordEndpoints("/appointments/:appointment_uid", uid, Confirmed, AppointmentNotFound)

// Middleware added last runs first: the rate limit also counts requests with an invalid credential
export class PatientAppointmentsApi extends apiGroup(
  "patient.appointments",
  appointments
    .act("cancel", "Cancel an appointment", Cancelled, Invalid, CancellationTooLate, ...refusalsOf("cancel"))
    .setPayload(Cancellation)
    .middleware(PatientOrKey)
    .annotate(RequiredPermissions, ["scheduling:write"])
    .annotate(OpenApi.Identifier, "cancelPatientAppointment")
    .annotate(OpenApi.Description, `${describeTrigger("cancel")} An API key overrides the notice.`),
  HttpApiEndpoint.post("rebook", "/appointments/:appointment_uid/rebook")
    .setPath(uid)
    .annotate(UsesKey, "service")
    .setPayload(Rebooking)
    .addSuccess(Rebooked)
    .addError(problem(Invalid, SlotNotOffered, BookableTypeNotFound, ...rebookingRefusals))
    .addError(problem(...bookingRefusals, IdempotencyKeyReused))
    .middleware(PatientOrKey)
    .annotate(RequiredPermissions, ["scheduling:write"])
    .annotate(OpenApi.Identifier, "rebookPatientAppointment")
    .annotate(OpenApi.Summary, "Move an appointment")
    .annotate(
      OpenApi.Description,
      `${describeTrigger("rebook")} The new appointment is confirmed in the same transaction. An API key overrides ` +
        "allow_patient_rebooking and the notice. Send an Idempotency-Key: a retry then gets the first response."
    ),
  appointments
    .act("join", "Join the video appointment", JoinToken, Invalid, PreparationMissing)
    .middleware(BookingToken)
    .annotate(UsesKey, "again")
    .annotate(OpenApi.Identifier, "joinPatientAppointment")
    .annotate(OpenApi.Description, "From 10 minutes before the start to 60 minutes after the end; otherwise 400."),
  HttpApiEndpoint.post("hold", "/holds")
    .annotate(UsesKey, "service")
    .setPayload(NewKeyHold)
    .addSuccess(KeyHold)
    .addError(problem(Invalid, SlotNotOffered, ShopNotFound, BookableTypeNotFound, ...rebookingRefusals))
    .addError(problem(...bookingRefusals, IdempotencyKeyReused))
    .middleware(WriteKey)
    .annotate(RequiredPermissions, ["scheduling:write"])
    .annotate(OpenApi.Identifier, "createHold")
    .annotate(OpenApi.Summary, "Hold a slot for a customer")
    .annotate(
      OpenApi.Description,
      "409 when the slot is taken. The limits of a patient do not apply. Repeated with its Idempotency-Key, it answers " +
        "the same hold with its current status."
    ),
  HttpApiEndpoint.post("confirm_hold", "/holds/:hold_uid/confirm")
    .setPath(Schema.Struct({ hold_uid: AppointmentUid }))
    .setPayload(Confirmation)
    .addSuccess(Confirmed)
    .addError(problem(Invalid, HoldNotFound, ...rebookingRefusals, SlotTaken, HoldNotConfirmable, TooManyAppointments))
    .middleware(WriteKey)
    .annotate(RequiredPermissions, ["scheduling:write"])
    .annotate(OpenApi.Identifier, "confirmHold")
    .annotate(OpenApi.Summary, "Confirm a hold that was made by API key")
    .annotate(OpenApi.Description, describeTrigger("confirm"))
)
  .prefix("/v1/scheduling")
  .annotate(OpenApi.Title, "Patient appointments")
  .annotate(OpenApi.Description, "Cancelling, moving and joining booked appointments; holds by API key") {}
