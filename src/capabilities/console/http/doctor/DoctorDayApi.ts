/** Contract: waiting patients, notes, follow-ups and prescriptions of the doctor (section 8.4). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { BodyLimit, MIB } from "../../../../http/admission/bodyLimits.ts"
import { Recorded } from "../../../../http/annotations.ts"
import { apiGroup } from "../../../../http/apiGroup.ts"
import { IfMatch } from "../../../../http/conditional.ts"
import { DoctorToken } from "../../../../http/credentials/credentials.ts"
import { UsesKey } from "../../../../http/idempotent.ts"
import { problem } from "../../../../http/problems.ts"
import { recordEndpoints } from "../../../../http/recordEndpoints.ts"
import { IdempotencyKeyReused, PatientNotFound, ShopNotFound } from "../../../../schemas/access/errors.ts"
import { AppointmentUid, PatientUid, PrescriptionUid } from "../../../../schemas/ids.ts"
import { Listed } from "../../../../schemas/paging.ts"
import {
  HasAnamnesis,
  NotRendered,
  PrescriptionNotFound,
  PrescriptionNotWaiting,
  RenderedAgain
} from "../../../../schemas/prescriptions/errors.ts"
import { ExternallySigned, RenderingAccepted } from "../../../../schemas/prescriptions/Prescription.ts"
import { Invalid, PreconditionFailed } from "../../../../schemas/problems.ts"
import { Appointment } from "../../../../schemas/scheduling/Appointment.ts"
import { describeTrigger } from "../../../../schemas/scheduling/AppointmentStates.ts"
import { StaffAppointment, StaffCancelled, StaffRebooked } from "../../../../schemas/scheduling/appointmentAnswers.ts"
import { ReasonedCancellation } from "../../../../schemas/scheduling/Cancellation.ts"
import {
  AppointmentNotConfirmed,
  AppointmentNotFound,
  BookableTypeNotFound,
  bookingRefusals,
  CancellationTooLate,
  RebookingBlocked,
  refusalsOf,
  SlotNotOffered
} from "../../../../schemas/scheduling/errors.ts"
import { AppointmentNote } from "../../../shared/schemas/AppointmentNote.ts"
import {
  Delay,
  FollowUp,
  NoteChange,
  OwnMove,
  OwnPatient,
  OwnPatientQuery,
  PatientCard,
  WaitingPatient
} from "../../schemas/DoctorDay.ts"
import { NewWaitingPrescription, SignedFile, WaitingPrescription } from "../../schemas/DoctorsPrescription.ts"

const appointment = Schema.Struct({ appointment_uid: AppointmentUid })
const prescription = Schema.Struct({ prescription_uid: PrescriptionUid })
const appointments = recordEndpoints("/appointments/:appointment_uid", appointment, Appointment, AppointmentNotFound)
const notes = "/appointments/:appointment_uid/note"

export class DoctorDayApi extends apiGroup(
  "doctor.day",
  HttpApiEndpoint.get("waiting", "/waiting")
    .addSuccess(Listed(WaitingPatient))
    .annotate(OpenApi.Identifier, "listWaitingPatients")
    .annotate(OpenApi.Summary, "List the patients in your waiting rooms")
    .annotate(OpenApi.Description, "In all rooms, the longest wait first."),
  HttpApiEndpoint.post("late", "/late")
    .setPayload(Delay)
    .addSuccess(Listed(StaffAppointment))
    .addError(problem(Invalid))
    .annotate(OpenApi.Identifier, "announceDelay")
    .annotate(OpenApi.Summary, "Tell your next patients that you are late")
    .annotate(
      OpenApi.Description,
      "By mail, else by SMS, on their appointments' pages and in the waiting room. Answers the appointments to which it is new; another call " +
        "with the same minutes tells nobody twice."
    ),
  HttpApiEndpoint.get("patients", "/patients")
    .setUrlParams(OwnPatientQuery)
    .addSuccess(Listed(OwnPatient))
    .addError(problem(Invalid))
    .annotate(OpenApi.Identifier, "findOwnPatients")
    .annotate(OpenApi.Summary, "Find your patients")
    .annotate(
      OpenApi.Description,
      "Those with an appointment with you, past or future; at most 50, those added last first."
    ),
  HttpApiEndpoint.get("patient", "/patients/:patient_uid")
    .setPath(Schema.Struct({ patient_uid: PatientUid }))
    .addSuccess(PatientCard)
    .addError(problem(PatientNotFound))
    .annotate(OpenApi.Identifier, "getOwnPatient")
    .annotate(OpenApi.Summary, "Read a patient with their visits to the practice")
    .annotate(OpenApi.Description, "404 for a patient who has never had an appointment with the doctor."),
  HttpApiEndpoint.post("follow_up", "/appointments")
    .annotate(UsesKey, "service")
    .setPayload(FollowUp)
    .addSuccess(StaffAppointment, { status: 201 })
    .addError(problem(Invalid, SlotNotOffered, PatientNotFound, BookableTypeNotFound, AppointmentNotFound))
    .addError(problem(RebookingBlocked, ShopNotFound))
    .addError(problem(...bookingRefusals, AppointmentNotConfirmed, IdempotencyKeyReused))
    .annotate(OpenApi.Identifier, "bookFollowUp")
    .annotate(OpenApi.Summary, "Book a follow-up for one of your patients"),
  HttpApiEndpoint.get("note", notes)
    .setPath(appointment)
    .addSuccess(AppointmentNote)
    .addError(problem(AppointmentNotFound))
    .annotate(OpenApi.Identifier, "getAppointmentNote")
    .annotate(OpenApi.Summary, "Read your note on an appointment"),
  HttpApiEndpoint.put("write_note", notes)
    .setPath(appointment)
    .setHeaders(IfMatch)
    .setPayload(NoteChange)
    .addSuccess(AppointmentNote)
    .addError(problem(PreconditionFailed, Invalid, AppointmentNotFound))
    .annotate(OpenApi.Identifier, "putAppointmentNote")
    .annotate(OpenApi.Summary, "Write your note on an appointment")
    .annotate(OpenApi.Description, "Encrypted with the organisation's key; neither events nor lists show it."),
  HttpApiEndpoint.get("prescriptions", "/prescriptions")
    .addSuccess(Listed(WaitingPrescription))
    .annotate(OpenApi.Identifier, "listWaitingPrescriptions")
    .annotate(OpenApi.Summary, "List the prescriptions that wait for you")
    .annotate(OpenApi.Description, "Prescriptions of the doctor and of no doctor, oldest first; at most 100."),
  HttpApiEndpoint.post("write_prescription", "/prescriptions")
    .annotate(UsesKey, "transaction")
    .setPayload(NewWaitingPrescription)
    .addSuccess(WaitingPrescription, { status: 201 })
    .addError(problem(Invalid, PatientNotFound))
    .annotate(OpenApi.Identifier, "createOwnPrescription")
    .annotate(OpenApi.Summary, "Write a prescription for one of your patients")
    .annotate(OpenApi.Description, "It waits for your signature: render it, sign the PDF, and register it as signed."),
  appointments
    .act(
      "cancel",
      "Cancel one of your appointments",
      StaffCancelled,
      Invalid,
      CancellationTooLate,
      ...refusalsOf("cancel")
    )
    .setPayload(ReasonedCancellation)
    .annotate(OpenApi.Identifier, "cancelOwnAppointment")
    .annotate(OpenApi.Description, `${describeTrigger("cancel")} The cancellation notice does not apply.`),
  appointments
    .act(
      "move",
      "Move one of your appointments to another of your times",
      StaffRebooked,
      Invalid,
      SlotNotOffered,
      BookableTypeNotFound,
      RebookingBlocked
    )
    .annotate(UsesKey, "service")
    .setPayload(OwnMove)
    .addError(problem(...bookingRefusals, AppointmentNotConfirmed, IdempotencyKeyReused))
    .annotate(OpenApi.Identifier, "moveOwnAppointment"),
  HttpApiEndpoint.post("render", "/prescriptions/:prescription_uid/render")
    .setPath(prescription)
    .addSuccess(RenderingAccepted, { status: 202 })
    .addError(problem(PrescriptionNotFound))
    .annotate(OpenApi.Identifier, "renderWaitingPrescription")
    .annotate(OpenApi.Summary, "Render the unsigned PDF of a prescription"),
  HttpApiEndpoint.post("sign", "/prescriptions/:prescription_uid/external-sign")
    .setPath(prescription)
    .addSuccess(ExternallySigned)
    .addError(problem(PrescriptionNotFound, PrescriptionNotWaiting, HasAnamnesis, NotRendered, RenderedAgain))
    .annotate(OpenApi.Summary, "Register a prescription as signed outside the service")
    .annotate(OpenApi.Identifier, "signWaitingPrescription"),
  HttpApiEndpoint.post("upload_signed", "/prescriptions/:prescription_uid/signed-file")
    .setPath(prescription)
    .addSuccess(ExternallySigned)
    .addError(problem(Invalid, PrescriptionNotFound, PrescriptionNotWaiting, HasAnamnesis))
    .annotate(OpenApi.Summary, "Upload the signed PDF of a prescription")
    .setPayload(SignedFile)
    .annotate(BodyLimit, 16 * MIB)
    .annotate(OpenApi.Identifier, "uploadSignedPrescription")
    .annotate(
      OpenApi.Description,
      "Registers it as signed with this file in place of the rendered one; `signature` then says what its examination found. 400 for a file " +
        "that was changed after it was signed."
    )
)
  .middleware(DoctorToken)
  .prefix("/v1/doctor")
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Doctor portal: the day")
  .annotate(OpenApi.Description, "Waiting patients, notes, follow-ups and prescriptions of the doctor") {}
