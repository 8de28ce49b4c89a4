/** Contract: finding, holding and confirming a slot (Rules 3.8, 3.9 and 4.3 to 4.5). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdempotencyKeyReused, ShopNotFound } from "../../schemas/access/errors.ts"
import { body, described, oneOf } from "../../schemas/fields.ts"
import { AppointmentUid, lookedUp, ShopUid } from "../../schemas/ids.ts"
import { Listed } from "../../schemas/paging.ts"
import { Invalid, TooManyRequests } from "../../schemas/problems.ts"
import { describeTrigger } from "../../schemas/scheduling/AppointmentStates.ts"
import { ListedAppointmentType } from "../../schemas/scheduling/AppointmentType.ts"
import {
  AnySessionContext,
  BookingSessionCreated,
  Confirmation,
  Confirmed,
  Hold,
  NewBooking,
  NewBookingSession,
  NewHold,
  Slot,
  SlotSearch
} from "../../schemas/scheduling/Booking.ts"
import {
  AppointmentNotFound,
  BookableTypeNotFound,
  BookingSessionNotFound,
  bookingRefusals,
  HoldNotConfirmable,
  HoldNotFound,
  RebookingBlocked,
  rebookingRefusals,
  SlotNotOffered,
  SlotTaken,
  TooManyAppointments
} from "../../schemas/scheduling/errors.ts"
import { CostClass } from "../admission/costClasses.ts"
import { Recorded } from "../annotations.ts"
import { apiGroup } from "../apiGroup.ts"
import { OpeningToken } from "../credentials/credentials.ts"
import { UsesKey } from "../idempotent.ts"
import { problem } from "../problems.ts"

const code = Schema.Struct({
  booking_launch_code: lookedUp(255, "The only credential of the session")
})

/** As `rebookingRefusals`, within a session: Rule 4.4.10. */
const moving = [AppointmentNotFound, HoldNotConfirmable, RebookingBlocked] as const

// Middleware added last runs first: the rate limit also counts requests with an invalid credential
export class BookingApi extends apiGroup(
  "patient.booking",
  HttpApiEndpoint.get("appointment_types", "/appointment-types")
    .setUrlParams(
      body({
        shop_uid: ShopUid,
        include: Schema.optionalWith(oneOf("presentation"), { exact: true }).annotations({
          description:
            "`presentation` adds `description`, `preparation`, `cancellation_rule`, `price` and `translations`"
        })
      })
    )
    .addSuccess(Listed(ListedAppointmentType))
    .addError(problem(Invalid, ShopNotFound))
    .annotate(OpenApi.Identifier, "listPublicAppointmentTypes")
    .annotate(Recorded, "public")
    .annotate(OpenApi.Summary, "List the appointment types that can be booked in a shop"),
  HttpApiEndpoint.post("search", "/slots/search")
    .setPayload(SlotSearch)
    .addSuccess(
      Schema.Struct({
        slots: described(Schema.Array(Slot), "Free slots, by start and then by doctor")
      })
    )
    .addError(problem(Invalid, BookableTypeNotFound))
    .annotate(CostClass, "search")
    // changes nothing, and has no caller to keep an answer for
    .annotate(UsesKey, "none")
    .annotate(OpenApi.Identifier, "searchSlots")
    .annotate(OpenApi.Summary, "Search free slots")
    .annotate(
      OpenApi.Description,
      "At most 31 days; only slots that meet the effective booking notice; all of them, or the first `limit`."
    ),
  HttpApiEndpoint.post("open_session", "/booking-sessions")
    .setHeaders(
      Schema.Struct({
        "x-service-booking-token": Schema.optionalWith(lookedUp(8_192, "The patient's booking token"), {
          exact: true
        })
      })
    )
    .setPayload(NewBookingSession)
    .addSuccess(BookingSessionCreated)
    .addError(problem(Invalid, BookableTypeNotFound, ...rebookingRefusals))
    .middleware(OpeningToken)
    .annotate(UsesKey, "transaction")
    .annotate(OpenApi.Identifier, "createBookingSession")
    .annotate(OpenApi.Summary, "Exchange a booking token for a launch code")
    .annotate(OpenApi.Description, "The token comes in X-Service-Booking-Token or as booking_token in the body."),
  HttpApiEndpoint.get("session", "/booking-sessions/:booking_launch_code")
    .setPath(code)
    .addSuccess(AnySessionContext)
    .addError(problem(BookingSessionNotFound))
    .annotate(OpenApi.Identifier, "getBookingSession")
    .annotate(Recorded, "nothing of the patient (Rule 4.3)")
    .annotate(OpenApi.Summary, "Read a booking session")
    .annotate(OpenApi.Description, "The launch code is the credential. Shows no patient data."),
  HttpApiEndpoint.post("hold", "/booking-sessions/:booking_launch_code/holds")
    .setPath(code)
    .annotate(UsesKey, "service")
    .setPayload(NewHold)
    .addSuccess(Hold)
    .addError(problem(Invalid, SlotNotOffered, BookingSessionNotFound, BookableTypeNotFound, ...moving))
    .addError(problem(...bookingRefusals, IdempotencyKeyReused))
    .annotate(OpenApi.Identifier, "createSessionHold")
    .annotate(OpenApi.Summary, "Hold a slot")
    .annotate(
      OpenApi.Description,
      "For the session's type, in its range. A new hold of the session releases its earlier one. 409 when the slot is " +
        "taken, 429 when the patient has as many live holds and 400 when the patient has as many future appointments as " +
        "the organisation allows. Repeated with its Idempotency-Key, it answers the same hold with its current status."
    ),
  HttpApiEndpoint.post("book", "/booking-sessions/:booking_launch_code/appointments")
    .setPath(code)
    .annotate(UsesKey, "service")
    .setPayload(NewBooking)
    .addSuccess(Confirmed, { status: 201 })
    .addError(problem(Invalid, SlotNotOffered, BookingSessionNotFound, BookableTypeNotFound, ...moving))
    .addError(problem(...bookingRefusals, IdempotencyKeyReused))
    .annotate(OpenApi.Identifier, "bookSessionAppointment")
    .annotate(OpenApi.Summary, "Book without a hold")
    .annotate(
      OpenApi.Description,
      "Confirmed in one step, for the session's type. Without `doctor_uid` the first free doctor in the order of their " +
        "uids. In a rebooking session it moves the appointment."
    ),
  HttpApiEndpoint.post("confirm", "/booking-sessions/:booking_launch_code/holds/:hold_uid/confirm")
    .setPath(Schema.Struct({ ...code.fields, hold_uid: AppointmentUid }))
    .setPayload(Confirmation)
    .addSuccess(Confirmed)
    .addError(problem(Invalid, BookingSessionNotFound, HoldNotFound, ...moving))
    .addError(problem(SlotTaken, TooManyAppointments))
    .annotate(OpenApi.Identifier, "confirmSessionHold")
    .annotate(OpenApi.Summary, "Confirm a hold")
    .annotate(OpenApi.Description, describeTrigger("confirm"))
)
  .addError(problem(TooManyRequests))
  .prefix("/v1/scheduling")
  .annotate(OpenApi.Title, "Patient scheduling")
  .annotate(OpenApi.Description, "Finding, holding and confirming a slot") {}
