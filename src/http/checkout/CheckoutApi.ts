/** Contract: the public checkout for telemedicine partners (Rule 11.1). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { InProgress, ShopNotFound } from "../../schemas/access/errors.ts"
import {
  NewReservation,
  OrdersOfPrescription,
  PrescriptionCheckout,
  PrescriptionCheckoutResult,
  Reservation,
  TreatmentCheckout,
  TreatmentCheckoutResult
} from "../../schemas/checkout/Checkout.ts"
import {
  DraftOrderCompleted,
  DraftOrderNotFound,
  LineAlreadyPrescribed,
  PrescriptionAlreadyAccepted,
  ReservationExpired
} from "../../schemas/checkout/errors.ts"
import { StorefrontRefused, StorefrontUnavailable } from "../../schemas/checkout/storefrontProblems.ts"
import { lookedUp, PrescriptionUid } from "../../schemas/ids.ts"
import { PrescriptionNotFound } from "../../schemas/prescriptions/errors.ts"
import { Invalid } from "../../schemas/problems.ts"
import { BodyLimit, MIB } from "../admission/bodyLimits.ts"
import { CostClass } from "../admission/costClasses.ts"
import { Recorded } from "../annotations.ts"
import { apiGroup } from "../apiGroup.ts"
import { OrganisationKey } from "../credentials/credentials.ts"
import { GroupPermissions, RequiredPermissions } from "../credentials/requiredPermissions.ts"
import { problem } from "../problems.ts"

const shop = Schema.Struct({
  shop_identifier: lookedUp(255, "Identifier that the shop is configured with")
})

export class CheckoutApi extends apiGroup(
  "checkout",
  HttpApiEndpoint.post("prescriptions", "/prescriptions/:shop_identifier")
    .addError(problem(InProgress))
    .setPath(shop)
    .setPayload(PrescriptionCheckout)
    .addSuccess(PrescriptionCheckoutResult)
    .addError(
      problem(
        Invalid,
        ShopNotFound,
        DraftOrderNotFound,
        PrescriptionAlreadyAccepted,
        InProgress,
        ReservationExpired,
        DraftOrderCompleted,
        LineAlreadyPrescribed,
        StorefrontRefused,
        StorefrontUnavailable
      )
    )
    .annotate(CostClass, "shop")
    .annotate(BodyLimit, 50 * MIB)
    .annotate(OpenApi.Identifier, "createPrescriptionCheckout")
    .annotate(OpenApi.Summary, "Send signed prescriptions with their lines to a shop")
    .annotate(
      OpenApi.Description,
      "An id of `prescriptions` is accepted once per provider: a later request with it is 409 and names the " +
        "prescription that it created. An id whose request failed can be used again: send the same request. Without " +
        "an e-mail address a `draft_order` sends no invitation to check out; pass on `checkout_url` yourself."
    ),
  HttpApiEndpoint.post("treatments", "/treatments/:shop_identifier")
    .addError(problem(InProgress))
    .setPath(shop)
    .setPayload(TreatmentCheckout)
    .addSuccess(TreatmentCheckoutResult)
    .addError(problem(Invalid, ShopNotFound, StorefrontRefused, StorefrontUnavailable))
    .annotate(CostClass, "shop")
    .annotate(BodyLimit, 50 * MIB)
    .annotate(RequiredPermissions, ["create_treatment_checkout"])
    .annotate(OpenApi.Identifier, "createTreatmentCheckout")
    .annotate(OpenApi.Summary, "Open a checkout for lines that a doctor decides on after the order"),
  HttpApiEndpoint.post("reserve", "/reservations/:shop_identifier")
    .addError(problem(InProgress))
    .setPath(shop)
    .setPayload(NewReservation)
    .addSuccess(Reservation, { status: 201 })
    .addError(problem(Invalid, ShopNotFound, StorefrontRefused, StorefrontUnavailable))
    .annotate(CostClass, "shop")
    .annotate(BodyLimit, 50 * MIB)
    .annotate(OpenApi.Identifier, "createReservation")
    .annotate(OpenApi.Summary, "Reserve lines in a draft order for a day, until the prescription is signed"),
  HttpApiEndpoint.get("orders", "/orders/:prescription_uid")
    .setPath(Schema.Struct({ prescription_uid: PrescriptionUid }))
    .addSuccess(OrdersOfPrescription)
    .addError(problem(PrescriptionNotFound))
    .annotate(OpenApi.Identifier, "getPrescriptionOrders")
    .annotate(OpenApi.Summary, "List the pharmacy orders of a prescription")
)
  .middleware(OrganisationKey)
  .prefix("/v2/public-api")
  .annotate(GroupPermissions, { read: ["create_prescription_checkout"], change: ["create_prescription_checkout"] })
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Public checkout")
  .annotate(OpenApi.Description, "Checkouts of prescriptions and treatments in a shop") {}
