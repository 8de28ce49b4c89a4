/** Contract: the links in a patient's mails; the code is the only credential (Rule 5.4). */
import { OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { lookedUp } from "../../schemas/ids.ts"
import { Invalid, TooManyRequests } from "../../schemas/problems.ts"
import { ActionLinkContext } from "../../schemas/scheduling/ActionLink.ts"
import { describeTrigger } from "../../schemas/scheduling/AppointmentStates.ts"
import { BookingSessionCreated } from "../../schemas/scheduling/Booking.ts"
import { Cancellation, Cancelled } from "../../schemas/scheduling/Cancellation.ts"
import {
  ActionLinkNotFound,
  ActionNotPossible,
  AppointmentNotConfirmed,
  AppointmentNotFound,
  BookableTypeNotFound,
  PreparationMissing,
  refusalsOf
} from "../../schemas/scheduling/errors.ts"
import { JoinToken } from "../../schemas/scheduling/JoinToken.ts"
import { Recorded } from "../annotations.ts"
import { apiGroup } from "../apiGroup.ts"
import { UsesKey } from "../idempotent.ts"
import { problem } from "../problems.ts"
import { recordEndpoints } from "../recordEndpoints.ts"

const code = Schema.Struct({ code: lookedUp(255, "The only credential of the link") })
const links = recordEndpoints("/:code", code, ActionLinkContext, ActionLinkNotFound)

export class ActionLinksApi extends apiGroup(
  "patient.action_links",
  links
    .read("context", "Read what a link does and whether it can still be used", AppointmentNotFound)
    .annotate(OpenApi.Identifier, "getActionLink")
    .annotate(OpenApi.Description, "Reading changes nothing. A missing or expired code is 404."),
  links
    .act("join", "Join by link", JoinToken, Invalid, AppointmentNotFound, PreparationMissing)
    .annotate(UsesKey, "again")
    .annotate(OpenApi.Identifier, "joinByActionLink")
    .annotate(OpenApi.Description, "Can be used again while the join window is open; outside of it 400."),
  links
    .act(
      "cancel",
      "Cancel by link",
      Cancelled,
      Invalid,
      AppointmentNotFound,
      ActionNotPossible,
      ...refusalsOf("cancel")
    )
    .setPayload(Cancellation)
    .annotate(OpenApi.Identifier, "cancelByActionLink")
    .annotate(OpenApi.Description, `${describeTrigger("cancel")} Inside the cancellation notice: 409.`),
  links
    .act(
      "rebook_session",
      "Open a rebooking session by link",
      BookingSessionCreated,
      AppointmentNotFound,
      BookableTypeNotFound,
      ActionNotPossible,
      AppointmentNotConfirmed
    )
    .annotate(UsesKey, "again")
    .annotate(OpenApi.Identifier, "rebookByActionLink")
    .annotate(
      OpenApi.Description,
      "Answers with the same session until it expires. The appointment stays until a new time is confirmed."
    )
)
  .addError(problem(TooManyRequests))
  .prefix("/v1/scheduling/appointment-actions")
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Appointment action links")
  .annotate(OpenApi.Description, "The actions of links in reminders; the code is the only credential") {}
