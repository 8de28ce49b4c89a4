/** Contract: finding, holding and confirming a slot (specification §4.2). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdempotencyKeyReused } from "../../schemas/access/errors.ts"
import { body, Opaque } from "../../schemas/fields.ts"
import { AppointmentUid, ShopUid } from "../../schemas/ids.ts"
import { Invalid, NotFound } from "../../schemas/problems.ts"
import { describeTrigger } from "../../schemas/scheduling/AppointmentStates.ts"
import { PublicAppointmentType } from "../../schemas/scheduling/AppointmentType.ts"
import {
  BookingSessionContext,
  BookingSessionCreated,
  Confirmation,
  Confirmed,
  Hold,
  NewBookingSession,
  NewHold,
  Slot,
  SlotSearch
} from "../../schemas/scheduling/Booking.ts"
import { OpeningToken } from "../credentials.ts"
import { conflict, problem } from "../problems.ts"
import { RateLimited } from "../RateLimit.ts"

const code = Schema.Struct({ booking_launch_code: Schema.String })
const idempotent = Schema.Struct({ "idempotency-key": Schema.optionalWith(Opaque(255), { exact: true }) })

// What is added last runs first: the limit also counts requests whose credential is no good.
export class BookingApi extends HttpApiGroup.make("patient.booking")
  .add(
    HttpApiEndpoint.get("appointment_types", "/appointment-types")
      .setUrlParams(body({ shop_uid: ShopUid }))
      .addSuccess(Schema.Struct({ data: Schema.Array(PublicAppointmentType) }))
      .addError(problem(Invalid))
      .addError(problem(NotFound))
      .annotate(OpenApi.Summary, "Appointment types that can be booked in a shop")
  )
  .add(
    HttpApiEndpoint.post("search", "/slots/search")
      .setPayload(SlotSearch)
      .addSuccess(Schema.Struct({ slots: Schema.Array(Slot) }))
      .addError(problem(Invalid))
      .addError(problem(NotFound))
      .annotate(OpenApi.Summary, "Search free slots")
      .annotate(OpenApi.Description, "At most 31 days; only slots that meet the effective booking notice.")
  )
  .add(
    HttpApiEndpoint.post("open_session", "/booking-sessions")
      .setHeaders(Schema.Struct({ "x-service-booking-token": Schema.optionalWith(Schema.String, { exact: true }) }))
      .setPayload(NewBookingSession)
      .addSuccess(BookingSessionCreated)
      .addError(problem(Invalid))
      .addError(problem(NotFound))
      .addError(conflict("not_confirmed"))
      .middleware(OpeningToken)
      .annotate(OpenApi.Summary, "Exchange a booking token for a launch code")
      .annotate(OpenApi.Description, "The token comes in X-Service-Booking-Token or as booking_token in the body.")
  )
  .add(
    HttpApiEndpoint.get("session", "/booking-sessions/:booking_launch_code")
      .setPath(code)
      .addSuccess(BookingSessionContext)
      .addError(problem(NotFound))
      .annotate(OpenApi.Summary, "Read a booking session")
      .annotate(OpenApi.Description, "The launch code is the credential. Nothing of the patient is shown.")
  )
  .add(
    HttpApiEndpoint.post("hold", "/booking-sessions/:booking_launch_code/holds")
      .setPath(code)
      .setHeaders(idempotent)
      .setPayload(NewHold)
      .addSuccess(Hold)
      .addError(problem(Invalid))
      .addError(problem(NotFound))
      .addError(conflict("slot_taken", "not_confirmed"))
      .addError(problem(IdempotencyKeyReused))
      .annotate(OpenApi.Summary, "Hold a slot")
      .annotate(OpenApi.Description, "A new hold of the session releases its earlier one. 409 when the slot is taken.")
  )
  .add(
    HttpApiEndpoint.post("confirm", "/booking-sessions/:booking_launch_code/holds/:hold_uid/confirm")
      .setPath(Schema.Struct({ ...code.fields, hold_uid: AppointmentUid }))
      .setPayload(Confirmation)
      .addSuccess(Confirmed)
      .addError(problem(Invalid))
      .addError(problem(NotFound))
      .addError(conflict("slot_taken", "not_confirmable", "not_confirmed"))
      .annotate(OpenApi.Summary, "Confirm a hold")
      .annotate(OpenApi.Description, describeTrigger("confirm"))
  )
  .middlewareEndpoints(RateLimited)
  .prefix("/v1/scheduling")
  .annotate(OpenApi.Title, "Patient scheduling") {}
