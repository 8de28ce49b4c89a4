/** Contract: series of appointments (Rule 4.12). */
import { HttpApi, HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { apiGroup } from "../../../http/apiGroup.ts"
import { OrganisationKey } from "../../../http/credentials/credentials.ts"
import { RequiredPermissions } from "../../../http/credentials/requiredPermissions.ts"
import { UsesKey } from "../../../http/idempotent.ts"
import { addProblems, problem } from "../../../http/problems.ts"
import { IdempotencyKeyReused, PatientNotFound, ShopNotFound } from "../../../schemas/access/errors.ts"
import { SeriesUid } from "../../../schemas/ids.ts"
import { Invalid, TooManyRequests } from "../../../schemas/problems.ts"
import {
  AppointmentNotConfirmed,
  AppointmentNotFound,
  BookableTypeNotFound,
  PatientRestricted,
  RebookingBlocked,
  SlotNotOffered,
  SlotTaken,
  TooManyAppointments,
  TooManyHolds
} from "../../../schemas/scheduling/errors.ts"
import { SeriesConflict, SeriesNotFound } from "../schemas/errors.ts"
import { NewSeries, SeriesAnswer, SeriesCancellation, SeriesCancelled, SeriesPlan } from "../schemas/Series.ts"

addProblems(404, SeriesNotFound)
addProblems(409, SeriesConflict)

class PracticeSeries extends apiGroup(
  "management.series",
  HttpApiEndpoint.post("book", "/appointment-series")
    .annotate(UsesKey, "service")
    .setPayload(NewSeries)
    .addSuccess(SeriesPlan, { status: 200 })
    .addSuccess(SeriesAnswer, { status: 201 })
    .addError(
      problem(
        IdempotencyKeyReused,
        Invalid,
        BookableTypeNotFound,
        PatientNotFound,
        PatientRestricted,
        AppointmentNotFound,
        AppointmentNotConfirmed,
        RebookingBlocked,
        TooManyAppointments,
        TooManyHolds,
        TooManyRequests,
        ShopNotFound,
        SlotNotOffered,
        SlotTaken,
        SeriesConflict
      )
    )
    .annotate(RequiredPermissions, ["scheduling:write"])
    .annotate(OpenApi.Identifier, "bookAppointmentSeries")
    .annotate(OpenApi.Summary, "Book a series of appointments in one transaction")
    .annotate(
      OpenApi.Description,
      "The wall-clock time is kept across clock changes. With `on_conflict: fail` a conflict is 409 `slot_taken`, whose body has the first `start_date` in conflict."
    ),
  HttpApiEndpoint.post("cancel", "/appointment-series/:series_uid/cancel")
    .setPath(Schema.Struct({ series_uid: SeriesUid }))
    .setPayload(SeriesCancellation)
    .addSuccess(SeriesCancelled)
    .addError(problem(Invalid, SeriesNotFound))
    .annotate(RequiredPermissions, ["scheduling:write"])
    .annotate(OpenApi.Identifier, "cancelAppointmentSeries")
    .annotate(OpenApi.Summary, "Cancel the appointments of a series that have not begun")
)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(OpenApi.Title, "Management: series")
  .annotate(OpenApi.Description, "Several appointments as one act") {}

export class SeriesApi extends HttpApi.make("sprechstunde").add(PracticeSeries) {}
