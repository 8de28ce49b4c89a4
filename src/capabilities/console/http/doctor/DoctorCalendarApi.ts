/** Contract: a doctor's days off and special hours, and the secret URL of their calendar (Rules 8.4.5, 8.4.7 and 8.4.8). */
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { CostClass } from "../../../../http/admission/costClasses.ts"
import { Recorded } from "../../../../http/annotations.ts"
import { apiGroup } from "../../../../http/apiGroup.ts"
import { DoctorToken } from "../../../../http/credentials/credentials.ts"
import { UsesKey } from "../../../../http/idempotent.ts"
import { addProblems, problem } from "../../../../http/problems.ts"
import { recordEndpoints } from "../../../../http/recordEndpoints.ts"
import { lookedUp, OverrideUid } from "../../../../schemas/ids.ts"
import { Paged } from "../../../../schemas/paging.ts"
import { Invalid } from "../../../../schemas/problems.ts"
import {
  DateOverride,
  DateOverrideChanges,
  DateOverrideQuery,
  NewDateOverride
} from "../../../../schemas/scheduling/DateOverride.ts"
import { AppointmentTypeNotFound, DateOverrideNotFound } from "../../../../schemas/scheduling/errors.ts"
import { CalendarFeed, NewCalendarFeed } from "../../schemas/CalendarFeed.ts"
import { CalendarFeedNotFound } from "../../schemas/errors.ts"
import { DateOverrideEffects, DateOverridePreview } from "../../schemas/Previews.ts"
import { FEEDS_PATH } from "../../services/doctor/CalendarFeeds.ts"

addProblems(404, CalendarFeedNotFound)

const overrides = "/availability-date-overrides"
const feed = "/calendar-feed"
const one = Schema.Struct({ override_uid: OverrideUid })
const overrideEndpoints = recordEndpoints(`${overrides}/:override_uid`, one, DateOverride, DateOverrideNotFound)

export class DoctorCalendarApi extends apiGroup(
  "doctor.calendar",
  overrideEndpoints
    .list("overrides", "List your days off and special hours", DateOverrideQuery, Paged(DateOverride))
    .annotate(OpenApi.Identifier, "listOwnDateOverrides")
    .annotate(Recorded, "settings and stock, no patients and no secrets"),
  overrideEndpoints
    .create("create_override", "Take a day off, or set special hours", NewDateOverride, AppointmentTypeNotFound)
    .annotate(OpenApi.Identifier, "createOwnDateOverride")
    .annotate(OpenApi.Description, "Booked appointments stay until they are cancelled or moved."),
  HttpApiEndpoint.post("preview_override", `${overrides}/preview`)
    .setPayload(DateOverridePreview)
    .addSuccess(DateOverrideEffects)
    .addError(problem(Invalid, DateOverrideNotFound, AppointmentTypeNotFound))
    .annotate(CostClass, "report")
    .annotate(OpenApi.Identifier, "previewOwnDateOverride")
    .annotate(OpenApi.Summary, "Preview the effects of a day off or special hours")
    .annotate(UsesKey, "again")
    .annotate(OpenApi.Description, "Changes nothing. `hit` lists your booked appointments outside of the new hours."),
  overrideEndpoints
    .update(
      "change_override",
      "Change a day off or special hours; only sent fields change",
      DateOverrideChanges,
      AppointmentTypeNotFound
    )
    .annotate(OpenApi.Identifier, "updateOwnDateOverride"),
  overrideEndpoints
    .remove("remove_override", "Delete a day off or special hours")
    .annotate(OpenApi.Identifier, "deleteOwnDateOverride"),
  HttpApiEndpoint.get("feed", feed)
    .addSuccess(CalendarFeed)
    .annotate(OpenApi.Identifier, "getOwnCalendarFeed")
    .annotate(Recorded, "a date")
    .annotate(OpenApi.Summary, "Read whether your calendar has a URL"),
  HttpApiEndpoint.post("create_feed", feed)
    .addSuccess(NewCalendarFeed, { status: 201 })
    .annotate(OpenApi.Identifier, "createOwnCalendarFeed")
    .annotate(OpenApi.Summary, "Create the secret URL of your calendar, for a calendar application")
    .annotate(OpenApi.Description, "Shown only in this response. An earlier URL is revoked."),
  HttpApiEndpoint.del("revoke_feed", feed)
    .addSuccess(HttpApiSchema.NoContent)
    .addError(problem(CalendarFeedNotFound))
    .annotate(OpenApi.Identifier, "revokeOwnCalendarFeed")
    .annotate(OpenApi.Summary, "Revoke the URL of your calendar")
)
  .middleware(DoctorToken)
  .prefix("/v1/doctor")
  .annotate(OpenApi.Title, "Doctor portal: the calendar")
  .annotate(OpenApi.Description, "Days off and special hours of the doctor, and the calendar's URL") {}

export class CalendarFeedsApi extends apiGroup(
  "calendar_feeds",
  HttpApiEndpoint.get("read", "/:code")
    .setPath(Schema.Struct({ code: lookedUp(255, "The only credential of the address") }))
    .addSuccess(HttpApiSchema.Text({ contentType: "text/calendar" }))
    .addError(problem(CalendarFeedNotFound))
    .annotate(OpenApi.Identifier, "readCalendarFeed")
    .annotate(OpenApi.Summary, "Read a doctor's calendar (iCalendar)")
    .annotate(
      OpenApi.Description,
      "Confirmed appointments from a month ago to a year ahead: times, type and place, without the patient, since calendars " +
        "are stored elsewhere. A revoked URL is 404."
    )
)
  .prefix(FEEDS_PATH)
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Calendar addresses")
  .annotate(OpenApi.Description, "Calendars at secret URLs, without another credential") {}
