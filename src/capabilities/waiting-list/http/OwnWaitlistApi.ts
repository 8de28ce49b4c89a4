/** Contract: the waiting list by launch code, and offers by the code in their messages (section 19). */

import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Recorded } from "../../../http/annotations.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { UsesKey } from "../../../http/idempotent.ts"
import { recordEndpoints } from "../../../http/recordEndpoints.ts"
import { lookedUp } from "../../../schemas/ids.ts"
import { Invalid, TooManyRequests } from "../../../schemas/problems.ts"
import { Confirmed } from "../../../schemas/scheduling/Booking.ts"
import {
  AppointmentNotFound,
  AppointmentTypeNotFound,
  BookingSessionNotFound,
  HoldNotConfirmable,
  PatientRestricted,
  RebookingBlocked,
  SlotTaken,
  TooManyAppointments
} from "../../../schemas/scheduling/errors.ts"
import { TooManyEntries, WaitlistEntryNotFound, WaitlistEntryOver, WaitlistOfferNotFound } from "../schemas/errors.ts"
import { OwnWaitlistEntry, WaitlistEntry, WaitlistOffer } from "../schemas/Waitlist.ts"
import { problem } from "./problems.ts"

const session = Schema.Struct({ booking_launch_code: lookedUp(255, "The only credential of the session") })
const code = Schema.Struct({ code: lookedUp(255, "The only credential of the offer") })
const offers = recordEndpoints("/:code", code, WaitlistOffer, WaitlistOfferNotFound)

export class OwnWaitlistApi extends apiGroup(
  "patient.waitlist",
  HttpApiEndpoint.post("add", "/:booking_launch_code/waitlist-entry")
    .setPath(session)
    .setPayload(OwnWaitlistEntry)
    .addSuccess(WaitlistEntry, { status: 201 })
    .addSuccess(WaitlistEntry, { status: 200 })
    .addError(problem(Invalid, BookingSessionNotFound, AppointmentTypeNotFound, TooManyEntries))
    .addError(problem(WaitlistEntryNotFound, WaitlistEntryOver))
    // repeating it changes nothing and has the same answer; so for the others
    .annotate(UsesKey, "none")
    .annotate(OpenApi.Identifier, "createOwnWaitlistEntry")
    .annotate(OpenApi.Summary, "Wait for a time that becomes free")
    .annotate(
      OpenApi.Description,
      "For the session's patient and type. One entry a launch code: sent again with another wish it is changed, keeps its place, and is 200."
    ),
  HttpApiEndpoint.get("entry", "/:booking_launch_code/waitlist-entry")
    .setPath(session)
    .addSuccess(WaitlistEntry)
    .addError(problem(BookingSessionNotFound, WaitlistEntryNotFound))
    .annotate(OpenApi.Identifier, "getOwnWaitlistEntry")
    .annotate(OpenApi.Summary, "Read the launch code's waiting-list entry"),
  HttpApiEndpoint.del("leave", "/:booking_launch_code/waitlist-entry")
    .setPath(session)
    .addSuccess(HttpApiSchema.NoContent)
    .addError(problem(BookingSessionNotFound, WaitlistEntryNotFound))
    .annotate(OpenApi.Identifier, "deleteOwnWaitlistEntry")
    .annotate(OpenApi.Summary, "Leave the waiting list")
)
  .addError(problem(TooManyRequests))
  .prefix("/v1/scheduling/booking-sessions")
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Patient waiting list")
  .annotate(OpenApi.Description, "Waiting for a time that becomes free, by launch code") {}

export class WaitlistOffersApi extends apiGroup(
  "patient.waitlist_offers",
  offers
    .read("context", "Read an offer of the waiting list")
    .annotate(OpenApi.Identifier, "getWaitlistOffer")
    .annotate(OpenApi.Description, "Reading changes nothing. A removed entry is 404."),
  offers
    .act("accept", "Accept an offer", Confirmed, Invalid, AppointmentNotFound, HoldNotConfirmable, RebookingBlocked)
    .addError(problem(SlotTaken, PatientRestricted, TooManyAppointments))
    .annotate(UsesKey, "none")
    .annotate(OpenApi.Identifier, "acceptWaitlistOffer")
    .annotate(
      OpenApi.Description,
      "Books the time, or moves the entry's appointment to it. 409 `slot_taken` when it is lost. A lapsed offer can be " +
        "accepted while its time is free; again it is the same record."
    ),
  offers
    .act("decline", "Decline an offer", WaitlistOffer, HoldNotConfirmable)
    .annotate(UsesKey, "none")
    .annotate(OpenApi.Identifier, "declineWaitlistOffer")
    .annotate(OpenApi.Description, "The entry keeps its place; the time is offered to the next.")
)
  .addError(problem(TooManyRequests))
  .prefix("/v1/scheduling/waitlist-offers")
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Offers of the waiting list")
  .annotate(OpenApi.Description, "The offers in mails and text messages; the code is the only credential") {}
