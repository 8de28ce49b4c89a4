/** Contract: guests of calls (Rule 5.7.8). */
import { HttpApi, HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Recorded } from "../../../http/annotations.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { DoctorToken, OrganisationKey } from "../../../http/credentials/credentials.ts"
import { GroupPermissions } from "../../../http/credentials/requiredPermissions.ts"
import { addProblems, problem } from "../../../http/problems.ts"
import { AppointmentUid } from "../../../schemas/ids.ts"
import { ListedWhole } from "../../../schemas/paging.ts"
import { Invalid } from "../../../schemas/problems.ts"
import { AppointmentNotFound } from "../../../schemas/scheduling/errors.ts"
import { Guest, GuestNotFound, GuestUid, InvitedGuest, NewGuest, TooManyGuests } from "../schemas/Guest.ts"

addProblems(404, GuestNotFound)
addProblems(409, TooManyGuests)

const appointment = Schema.Struct({ appointment_uid: AppointmentUid })
const PATH = "/appointments/:appointment_uid/guests"

/** The same three endpoints for both callers; the identifiers end differently. */
const endpoints = (whose: "Own" | "") =>
  [
    HttpApiEndpoint.get("list", PATH)
      .setPath(appointment)
      .addSuccess(ListedWhole(Guest))
      .addError(problem(AppointmentNotFound))
      .annotate(OpenApi.Identifier, `list${whose}Guests`)
      .annotate(OpenApi.Summary, "List the guests of a video appointment"),
    HttpApiEndpoint.post("invite", PATH)
      .setPath(appointment)
      .setPayload(NewGuest)
      .addSuccess(InvitedGuest, { status: 201 })
      .addError(problem(Invalid, AppointmentNotFound, TooManyGuests))
      .annotate(OpenApi.Identifier, `invite${whose}Guest`)
      .annotate(OpenApi.Summary, "Invite an interpreter, a relative or a carer to a video appointment")
      .annotate(
        OpenApi.Description,
        "At most two. The link goes to `email`, else to `phone`, in their language. The guest agrees to secrecy and waits until the doctor " +
          "admits them and the patient agrees. The link follows a move, and ends with the join window, a cancellation or DELETE."
      ),
    HttpApiEndpoint.del("remove", `${PATH}/:guest_uid`)
      .setPath(Schema.Struct({ appointment_uid: AppointmentUid, guest_uid: GuestUid }))
      .addSuccess(Schema.Void, { status: 204 })
      .addError(problem(AppointmentNotFound, GuestNotFound))
      .annotate(OpenApi.Identifier, `remove${whose}Guest`)
      .annotate(OpenApi.Summary, "Remove a guest, also from a call that is running")
  ] as const

const [ownList, ownInvite, ownRemove] = endpoints("Own")
class DoctorsGuests extends apiGroup("doctor.guests", ownList, ownInvite, ownRemove)
  .middleware(DoctorToken)
  .prefix("/v1/doctor")
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Doctor portal: guests")
  .annotate(OpenApi.Description, "Who else takes part in the doctor's video appointments") {}

const [list, invite, remove] = endpoints("")
class PracticeGuests extends apiGroup("management.guests", list, invite, remove)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:write"] })
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Management: guests")
  .annotate(OpenApi.Description, "Who else takes part in video appointments") {}

export class GuestsApi extends HttpApi.make("sprechstunde").add(DoctorsGuests).add(PracticeGuests) {}
