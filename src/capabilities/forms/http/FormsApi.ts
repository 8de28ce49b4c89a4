/** Contract: forms, and what patients answer before they book and before they come (section 22). */
import { HttpApi, HttpApiEndpoint, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Noun, Recorded } from "../../../http/annotations.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { DoctorToken, OrganisationKey } from "../../../http/credentials/credentials.ts"
import { GroupPermissions, RequiredPermissions } from "../../../http/credentials/requiredPermissions.ts"
import { addProblems, problem } from "../../../http/problems.ts"
import { recordEndpoints } from "../../../http/recordEndpoints.ts"
import { described } from "../../../schemas/fields.ts"
import { AppointmentUid, lookedUp } from "../../../schemas/ids.ts"
import { ListedWhole, ListQuery } from "../../../schemas/paging.ts"
import { Invalid } from "../../../schemas/problems.ts"
import {
  ActionLinkNotFound,
  ActionNotPossible,
  AppointmentNotFound,
  BookingSessionNotFound,
  PatientRestricted
} from "../../../schemas/scheduling/errors.ts"
import { FORM_FILES_PATH } from "../paths.ts"
import { FilesOff, FormFileNotFound, TooManyFiles } from "../schemas/errors.ts"
import { Form, FormChanges, FormInUse, FormNotFound, FormUid, NewForm } from "../schemas/Form.ts"
import { AskedForm, EntryAnswer, EntryState, PutAnswers, PutIntake, ReadForm } from "../schemas/TypeFields.ts"
import { DoctorsRequests, PatientRequests, PracticeRequests, RequestTypes } from "./RequestsApi.ts"
import { launchCode, upload } from "./uploads.ts"

addProblems(404, FormNotFound, FormFileNotFound)
addProblems(409, FormInUse, TooManyFiles)
addProblems(400, FilesOff)

const forms = recordEndpoints("/forms/:form_uid", Schema.Struct({ form_uid: FormUid }), Form, FormNotFound)

class PracticeForms extends apiGroup(
  "management.forms",
  forms.list("list", "List forms", ListQuery, ListedWhole(Form)),
  forms.create("create", "Make a form", NewForm, FilesOff),
  forms.read("get", "Read a form"),
  forms
    .update("update", "Change a form; only sent fields change", FormChanges, FilesOff)
    .annotate(OpenApi.Description, "A change of `items` makes a new version; what was answered before keeps its own."),
  forms.remove("remove", "Delete a form that nothing asks", FormInUse)
)
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotate(GroupPermissions, { read: ["organisation:admin"], change: ["organisation:admin"] })
  .annotate(Noun, "Form")
  .annotate(Recorded, "what is asked, no patients")
  .annotate(OpenApi.Title, "Management: forms")
  .annotate(OpenApi.Description, "What patients are asked") {}

class Entry extends apiGroup(
  "patient.entry",
  HttpApiEndpoint.get("read_entry", "/booking-sessions/:booking_launch_code/entry")
    .setPath(launchCode)
    .addSuccess(EntryState)
    .addError(problem(BookingSessionNotFound))
    .annotate(OpenApi.Identifier, "getSessionEntry")
    .annotate(OpenApi.Summary, "Read what is asked before times are shown"),
  HttpApiEndpoint.put("answer_entry", "/booking-sessions/:booking_launch_code/entry")
    .setPath(launchCode)
    .setPayload(PutAnswers)
    .addSuccess(EntryAnswer)
    .addError(problem(Invalid, BookingSessionNotFound, PatientRestricted))
    .annotate(OpenApi.Identifier, "answerSessionEntry")
    .annotate(OpenApi.Summary, "Answer what is asked before times are shown")
    .annotate(OpenApi.Description, "With `type` the session is for another appointment type from then on."),
  upload("add_entry_file", "/booking-sessions/:booking_launch_code/entry/files")
    .setPath(launchCode)
    .addError(problem(BookingSessionNotFound))
    .annotate(OpenApi.Identifier, "addEntryFile")
    .annotate(OpenApi.Summary, "Add a file to the questions before booking")
)
  .prefix("/v1/scheduling")
  .annotate(Recorded, "a patient's own answers, by the code of the session")
  .annotate(OpenApi.Title, "Booking: questions before times")
  .annotate(OpenApi.Description, "What a type asks before it is booked") {}

const ofCode = Schema.Struct({ code: lookedUp(255, "A code of the appointment"), form_uid: FormUid })

class Intake extends apiGroup(
  "patient.intake",
  HttpApiEndpoint.get("read_intake", "/appointment-actions/:code/intake/:form_uid")
    .setPath(ofCode)
    .addSuccess(AskedForm)
    .addError(problem(ActionLinkNotFound, AppointmentNotFound, FormNotFound))
    .annotate(OpenApi.Identifier, "getIntake")
    .annotate(OpenApi.Summary, "Read a form of the appointment with its answers"),
  HttpApiEndpoint.put("answer_intake", "/appointment-actions/:code/intake/:form_uid")
    .setPath(ofCode)
    .setPayload(PutIntake)
    .addSuccess(AskedForm)
    .addError(
      problem(Invalid, ActionLinkNotFound, AppointmentNotFound, FormNotFound, ActionNotPossible, PatientRestricted)
    )
    .annotate(OpenApi.Identifier, "answerIntake")
    .annotate(OpenApi.Summary, "Answer a form of the appointment")
    .annotate(
      OpenApi.Description,
      "With `complete: false` a draft, in which required answers may be missing. Until the start; until the end where it is not complete."
    ),
  upload("add_intake_file", "/appointment-actions/:code/intake/:form_uid/files")
    .setPath(ofCode)
    .addError(problem(ActionLinkNotFound, AppointmentNotFound, FormNotFound, ActionNotPossible))
    .annotate(OpenApi.Identifier, "addIntakeFile")
    .annotate(OpenApi.Summary, "Add a file to a form of the appointment")
)
  .prefix("/v1/scheduling")
  .annotate(Recorded, "a patient's own answers, by a code of the appointment")
  .annotate(OpenApi.Title, "Appointments: forms before the visit")
  .annotate(OpenApi.Description, "What a type asks before the visit") {}

const uid = Schema.Struct({ appointment_uid: AppointmentUid })
const Read = Schema.Struct({
  data: described(
    Schema.Array(ReadForm),
    "In the order in which they were answered first, then those that nobody has begun"
  )
})

const readAnswers = HttpApiEndpoint.get("read_answers", "/appointments/:appointment_uid/intake")
  .setPath(uid)
  .addSuccess(Read)
  .addError(problem(AppointmentNotFound))

class PracticeIntake extends apiGroup(
  "management.intake",
  readAnswers
    .annotate(OpenApi.Identifier, "getAppointmentIntake")
    .annotate(OpenApi.Summary, "Read what the patient has answered before booking and before the visit")
)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotateEndpoints(RequiredPermissions, ["intake:read"])
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Management: answers of an appointment")
  .annotate(OpenApi.Description, "What patients have answered") {}

class DoctorsIntake extends apiGroup(
  "doctor.intake",
  readAnswers
    .annotate(OpenApi.Identifier, "getOwnAppointmentIntake")
    .annotate(OpenApi.Summary, "Read what your patient has answered before booking and before the visit"),
  HttpApiEndpoint.post("let_in", "/appointments/:appointment_uid/let-in")
    .setPath(uid)
    .addSuccess(HttpApiSchema.NoContent)
    .addError(problem(AppointmentNotFound))
    .annotate(OpenApi.Identifier, "letPatientIn")
    .annotate(OpenApi.Summary, "Let the patient in although a form is missing")
    .annotate(OpenApi.Description, "For this appointment, also after a move. Calling it again changes nothing.")
)
  .middleware(DoctorToken)
  .prefix("/v1/doctor")
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Doctor portal: answers of an appointment")
  .annotate(OpenApi.Description, "What the doctor's patients have answered") {}

class FormFilesApi extends apiGroup(
  "form_files",
  HttpApiEndpoint.get("download", "/:token")
    .setPath(Schema.Struct({ token: lookedUp(4_096, "Signed address of the file") }))
    .addSuccess(HttpApiSchema.Uint8Array({ contentType: "application/octet-stream" }))
    .addError(problem(FormFileNotFound))
    .annotate(OpenApi.Identifier, "downloadFormFile")
    .annotate(OpenApi.Summary, "Download a file of a form")
    .annotate(
      OpenApi.Description,
      "The address comes from `files[].url`; 404 if it is altered or expired. An attachment."
    )
)
  .prefix(FORM_FILES_PATH)
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Files of forms")
  .annotate(OpenApi.Description, "Files at signed addresses, without another credential") {}

export class FormsApi extends HttpApi.make("sprechstunde")
  .add(PracticeForms)
  .add(Entry)
  .add(Intake)
  .add(PracticeIntake)
  .add(DoctorsIntake)
  .add(RequestTypes)
  .add(PracticeRequests)
  .add(DoctorsRequests)
  .add(PatientRequests)
  .add(FormFilesApi) {}
