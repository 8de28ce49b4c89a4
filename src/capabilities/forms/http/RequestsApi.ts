/** Contract: requests in writing (Rule 22.5). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Noun, Recorded } from "../../../http/annotations.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { DoctorToken, OrganisationKey } from "../../../http/credentials/credentials.ts"
import { GroupPermissions, RequiredPermissions } from "../../../http/credentials/requiredPermissions.ts"
import { addProblems, problem } from "../../../http/problems.ts"
import { recordEndpoints } from "../../../http/recordEndpoints.ts"
import { Listed, ListedWhole, ListQuery, Paged } from "../../../schemas/paging.ts"
import { Invalid } from "../../../schemas/problems.ts"
import { BookingSessionNotFound, PatientRestricted } from "../../../schemas/scheduling/errors.ts"
import { RequestClosed, RequestNotFound, RequestTypeNotFound, TooManyOpenRequests } from "../schemas/errors.ts"
import {
  CreatedRequest,
  ListedRequest,
  NewRequest,
  NewRequestType,
  OwnRequest,
  ReadRequest,
  Request,
  RequestAnswer,
  RequestClosing,
  RequestCounts,
  RequestQuery,
  RequestType,
  RequestTypeChanges,
  RequestTypeUid,
  RequestUid
} from "../schemas/Request.ts"
import { launchCode, upload } from "./uploads.ts"

addProblems(404, RequestNotFound, RequestTypeNotFound)
addProblems(409, RequestClosed, TooManyOpenRequests)

const types = recordEndpoints(
  "/request-types/:request_type_uid",
  Schema.Struct({ request_type_uid: RequestTypeUid }),
  RequestType,
  RequestTypeNotFound
)
export class RequestTypes extends apiGroup(
  "management.request_types",
  types.list("list", "List types of requests", ListQuery, ListedWhole(RequestType)),
  types.create("create", "Make a type of request", NewRequestType),
  types.read("get", "Read a type of request"),
  types.update("update", "Change a type of request; only sent fields change", RequestTypeChanges),
  types.remove("remove", "Delete a type of request").annotate(OpenApi.Description, "What was sent with it stays.")
)
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotate(GroupPermissions, { read: ["organisation:admin"], change: ["organisation:admin"] })
  .annotate(Noun, "RequestType")
  .annotate(Recorded, "what is offered, no patients")
  .annotate(OpenApi.Title, "Management: types of requests")
  .annotate(OpenApi.Description, "What patients can ask in writing") {}

const one = Schema.Struct({ request_uid: RequestUid })
const requests = recordEndpoints("/requests/:request_uid", one, Request, RequestNotFound)
const readRequest = HttpApiEndpoint.get("get", "/requests/:request_uid")
  .setPath(one)
  .addSuccess(ReadRequest)
  .addError(problem(RequestNotFound))
  .annotate(OpenApi.Summary, "Read a request with its answers")
const answered = requests.act("answer", "Answer a request", Request, Invalid, RequestClosed).setPayload(RequestAnswer)
const closed = requests.act("close", "Close a request", Request, Invalid, RequestClosed).setPayload(RequestClosing)

export class PracticeRequests extends apiGroup(
  "management.requests",
  requests
    .list("list", "List requests, the oldest first", RequestQuery, Paged(ListedRequest))
    .annotate(RequiredPermissions, ["intake:read"])
    .annotate(OpenApi.Description, "Without what was asked and answered."),
  HttpApiEndpoint.get("count", "/statistics/requests")
    .addSuccess(RequestCounts)
    .annotate(RequiredPermissions, ["intake:read"])
    .annotate(Recorded, "numbers, no patients")
    .annotate(OpenApi.Identifier, "countPatientRequests")
    .annotate(OpenApi.Summary, "Count the requests that wait"),
  readRequest.annotate(RequiredPermissions, ["intake:read"]),
  requests
    .act("take", "Take care of a request", Request, RequestClosed)
    .annotate(RequiredPermissions, ["patients:write"])
    .annotate(OpenApi.Description, "Also in place of another."),
  answered
    .annotate(RequiredPermissions, ["patients:write"])
    .annotate(OpenApi.Description, "The patient gets a link to the text, never the text itself. Answering takes."),
  closed
    .annotate(RequiredPermissions, ["patients:write"])
    .annotate(OpenApi.Description, "`text` replaces an earlier answer.")
)
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotate(Noun, "PatientRequest")
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Management: requests")
  .annotate(OpenApi.Description, "What patients have asked in writing") {}

const OWN = "As the practice's operation of the same name, for requests to the doctor."
export class DoctorsRequests extends apiGroup(
  "doctor.requests",
  HttpApiEndpoint.get("list", "/requests")
    .addSuccess(Listed(OwnRequest))
    .annotate(OpenApi.Identifier, "listOwnPatientRequests")
    .annotate(OpenApi.Summary, "List the requests to you that are not closed, the oldest first"),
  readRequest.annotate(OpenApi.Identifier, "getOwnPatientRequest"),
  answered.annotate(OpenApi.Identifier, "answerOwnPatientRequest").annotate(OpenApi.Description, OWN),
  closed.annotate(OpenApi.Identifier, "closeOwnPatientRequest").annotate(OpenApi.Description, OWN)
)
  .middleware(DoctorToken)
  .prefix("/v1/doctor")
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Doctor portal: requests")
  .annotate(OpenApi.Description, "What patients have asked the doctor in writing") {}

export class PatientRequests extends apiGroup(
  "patient.requests",
  HttpApiEndpoint.post("create", "/booking-sessions/:booking_launch_code/requests")
    .setPath(launchCode)
    .setPayload(NewRequest)
    .addSuccess(CreatedRequest, { status: 201 })
    .addError(problem(Invalid, BookingSessionNotFound, RequestTypeNotFound, PatientRestricted, TooManyOpenRequests))
    .annotate(OpenApi.Identifier, "createSessionRequest")
    .annotate(OpenApi.Summary, "Ask the practice in writing"),
  upload("add_file", "/booking-sessions/:booking_launch_code/requests/files")
    .setPath(launchCode)
    .addError(problem(BookingSessionNotFound))
    .annotate(OpenApi.Identifier, "addRequestFile")
    .annotate(OpenApi.Summary, "Add a file to a request that is sent next")
)
  .prefix("/v1/scheduling")
  .annotate(OpenApi.Title, "Requests in writing")
  .annotate(OpenApi.Description, "What a patient asks instead of booking") {}
