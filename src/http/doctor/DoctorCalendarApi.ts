/** Contract: a doctor's days off and special hours, and the secret URL of their calendar (Rules 8.4.5, 8.4.7 and 8.4.8). */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdempotencyKeyReused } from "../../schemas/access/errors.ts"
import { lookedUp, OverrideUid } from "../../schemas/ids.ts"
import { Paged } from "../../schemas/paging.ts"
import { Invalid, PreconditionFailed } from "../../schemas/problems.ts"
import { CalendarFeed, NewCalendarFeed } from "../../schemas/scheduling/CalendarFeed.ts"
import {
  DateOverride,
  DateOverrideChanges,
  DateOverrideEffects,
  DateOverridePreview,
  DateOverrideQuery,
  NewDateOverride
} from "../../schemas/scheduling/DateOverride.ts"
import { AppointmentTypeNotFound, CalendarFeedNotFound, DateOverrideNotFound } from "../../schemas/scheduling/errors.ts"
import { FEEDS_PATH } from "../../services/scheduling/appointments/CalendarFeeds.ts"
import { CostClass } from "../admission/costClasses.ts"
import { Recorded } from "../annotations.ts"
import { IfMatch } from "../conditional.ts"
import { DoctorToken } from "../credentials/credentials.ts"
import { IdempotencyKey, NotReplayed } from "../idempotent.ts"
import { problem } from "../problems.ts"

const overrides = "/availability-date-overrides"
const feed = "/calendar-feed"
const one = Schema.Struct({ override_uid: OverrideUid })

export class DoctorCalendarApi extends HttpApiGroup.make("doctor.calendar")
  .add(
    HttpApiEndpoint.get("overrides", overrides)
      .setUrlParams(DateOverrideQuery)
      .addSuccess(Paged(DateOverride))
      .addError(problem(Invalid))
      .annotate(OpenApi.Identifier, "listOwnDateOverrides")
      .annotate(Recorded, "settings and stock, no patients and no secrets")
      .annotate(OpenApi.Summary, "List your days off and special hours")
  )
  .add(
    HttpApiEndpoint.post("create_override", overrides)
      .setHeaders(IdempotencyKey)
      .setPayload(NewDateOverride)
      .addSuccess(DateOverride, { status: 201 })
      .addError(problem(IdempotencyKeyReused, Invalid, AppointmentTypeNotFound))
      .annotate(OpenApi.Identifier, "createOwnDateOverride")
      .annotate(OpenApi.Summary, "Take a day off, or set special hours")
      .annotate(OpenApi.Description, "Booked appointments stay until they are cancelled or moved.")
  )
  .add(
    HttpApiEndpoint.post("preview_override", `${overrides}/preview`)
      .setPayload(DateOverridePreview)
      .addSuccess(DateOverrideEffects)
      .addError(problem(Invalid, DateOverrideNotFound, AppointmentTypeNotFound))
      .annotate(CostClass, "report")
      .annotate(OpenApi.Identifier, "previewOwnDateOverride")
      .annotate(OpenApi.Summary, "Preview the effects of a day off or special hours")
      .annotate(NotReplayed, true)
      .annotate(OpenApi.Description, "Changes nothing. `hit` lists your booked appointments outside of the new hours.")
  )
  .add(
    HttpApiEndpoint.patch("change_override", `${overrides}/:override_uid`)
      .setPath(one)
      .setHeaders(IfMatch)
      .setPayload(DateOverrideChanges)
      .addSuccess(DateOverride)
      .addError(problem(PreconditionFailed, Invalid, DateOverrideNotFound, AppointmentTypeNotFound))
      .annotate(OpenApi.Identifier, "updateOwnDateOverride")
      .annotate(OpenApi.Summary, "Change a day off or special hours; only sent fields change")
  )
  .add(
    HttpApiEndpoint.del("remove_override", `${overrides}/:override_uid`)
      .setPath(one)
      .setHeaders(IfMatch)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(problem(PreconditionFailed, DateOverrideNotFound))
      .annotate(OpenApi.Identifier, "deleteOwnDateOverride")
      .annotate(OpenApi.Summary, "Delete a day off or special hours")
  )
  .add(
    HttpApiEndpoint.get("feed", feed)
      .addSuccess(CalendarFeed)
      .annotate(OpenApi.Identifier, "getOwnCalendarFeed")
      .annotate(Recorded, "a date")
      .annotate(OpenApi.Summary, "Read whether your calendar has a URL")
  )
  .add(
    HttpApiEndpoint.post("create_feed", feed)
      .addSuccess(NewCalendarFeed, { status: 201 })
      .annotate(OpenApi.Identifier, "createOwnCalendarFeed")
      .annotate(OpenApi.Summary, "Create the secret URL of your calendar, for a calendar application")
      .annotate(OpenApi.Description, "Shown only in this response. An earlier URL is revoked.")
  )
  .add(
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

export class CalendarFeedsApi extends HttpApiGroup.make("calendar_feeds")
  .add(
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
