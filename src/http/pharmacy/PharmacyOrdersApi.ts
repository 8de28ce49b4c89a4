/** Contract: a pharmacy's orders and payouts (Rules 10.4 and 10.5). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { query } from "../../schemas/fields.ts"
import { PharmacyOrderUid } from "../../schemas/ids.ts"
import { Paged } from "../../schemas/paging.ts"
import {
  NothingToUndo,
  OrderChanged,
  OrderNotPaid,
  OrderNotShipped,
  PharmacyNotFound,
  PharmacyOrderNotFound,
  PrescriptionNotSigned,
  StatusNotAllowed
} from "../../schemas/pharmacy/errors.ts"
import { Payout, PayoutQuery } from "../../schemas/pharmacy/Payout.ts"
import {
  AcceptedChange,
  NewOrderProblem,
  NewTracking,
  OrderQuery,
  PharmacyOrder,
  StatusChange
} from "../../schemas/pharmacy/PharmacyOrder.ts"
import { describeTrigger } from "../../schemas/pharmacy/PharmacyOrderStates.ts"
import { Invalid, PreconditionFailed } from "../../schemas/problems.ts"
import { CostClass } from "../admission/costClasses.ts"
import { Noun, Recorded } from "../annotations.ts"
import { apiGroup } from "../apiGroup.ts"
import { IfMatch } from "../conditional.ts"
import { PharmacyKey } from "../credentials/credentials.ts"
import { GroupPermissions } from "../credentials/requiredPermissions.ts"
import { type ErrorClass, problem } from "../problems.ts"
import { pharmacyScope } from "./scope.ts"

export const OrderPage = Paged(PharmacyOrder)

const path = Schema.Struct({ pharmacy_order_uid: PharmacyOrderUid })
const scope = query(pharmacyScope)

/** A step of one order. */
const step = <const Name extends string, const E extends ReadonlyArray<ErrorClass>>(
  name: Name,
  below: string,
  summary: string,
  ...errors: E
) =>
  HttpApiEndpoint.patch(name, `/pharmacy_orders/:pharmacy_order_uid/${below}`)
    .setPath(path)
    .setUrlParams(scope)
    .addSuccess(PharmacyOrder)
    .addError(problem(PharmacyOrderNotFound, ...errors))
    .annotate(OpenApi.Summary, summary)

/** `HttpApi` documents one content type per response; this adds CSV as a second one. */
const alsoCsv = (operation: Record<string, unknown>) => {
  const documented = operation as { responses: Record<number, OpenApi.OpenApiSpecResponse> }
  const content = { ...documented.responses[200]?.content, "text/csv": { schema: { type: "string" } } }
  const ok = { description: "Success", ...documented.responses[200], content }
  return { ...operation, responses: { ...documented.responses, 200: ok } }
}

export class PharmacyOrdersApi extends apiGroup(
  "pharmacy.orders",
  HttpApiEndpoint.get("list", "/pharmacy_orders/")
    .setUrlParams(query({ ...pharmacyScope, ...OrderQuery.fields }))
    .addSuccess(OrderPage)
    .annotate(Recorded, true)
    .annotate(OpenApi.Summary, "List orders, newest first"),
  HttpApiEndpoint.get("get", "/pharmacy_orders/:pharmacy_order_uid")
    .setPath(path)
    .setUrlParams(scope)
    .addSuccess(PharmacyOrder)
    .addError(problem(PharmacyOrderNotFound))
    .annotate(Recorded, true)
    .annotate(OpenApi.Summary, "Read an order"),
  step("changeStatus", "status", "Change an order's status", OrderChanged, PrescriptionNotSigned, StatusNotAllowed)
    .setPayload(StatusChange)
    .annotate(OpenApi.Identifier, "updatePharmacyOrderStatus")
    .annotate(
      OpenApi.Description,
      `${describeTrigger("set_status")} \`completed\` is 400: complete the order instead.`
    ),
  step(
    "complete",
    "complete_order",
    "Complete a paid order",
    OrderChanged,
    OrderNotPaid,
    PrescriptionNotSigned,
    StatusNotAllowed
  ).annotate(
    OpenApi.Description,
    `${describeTrigger("complete_order")} Its payouts are frozen and each is routed once; repeating the call changes nothing.`
  ),
  step(
    "setTracking",
    "tracking",
    "Add or correct the tracking number of a shipped order",
    OrderNotShipped,
    PreconditionFailed
  )
    .setHeaders(IfMatch)
    .setPayload(NewTracking)
    .annotate(OpenApi.Identifier, "setPharmacyOrderTracking")
    .annotate(
      OpenApi.Description,
      "The status stays as it is; a completed order may have its tracking number corrected, too. The `ETag` of the response, for `If-Match`, is that of the order's `tracking` alone."
    ),
  step("undo", "undo", "Undo an order's last step, within ten seconds", NothingToUndo)
    .annotate(OpenApi.Identifier, "undoPharmacyOrderStep")
    .annotate(
      OpenApi.Description,
      "Accepting, preparing, readiness for pickup and shipping can be undone; the order's `undo` says until when. Rejecting, cancelling and completing cannot."
    ),
  step("report", "problem", "Report articles that are missing, or another problem of an order", PreconditionFailed)
    .setHeaders(IfMatch)
    .setPayload(NewOrderProblem)
    .annotate(OpenApi.Identifier, "reportPharmacyOrderProblem")
    .annotate(
      OpenApi.Description,
      "The status stays. Without a message and missing articles the problem is over. The `ETag` of the response, for `If-Match`, is that of the order's `problem` alone."
    ),
  step("acceptChange", "accept_change", "Accept what the shop has changed in an order", OrderChanged)
    .setPayload(AcceptedChange)
    .annotate(OpenApi.Identifier, "acceptPharmacyOrderChange")
    .annotate(
      OpenApi.Description,
      "The order gets the lines of its `shop_change`, or is cancelled if none are left. An order that was shipped stays as it is, and the change is settled. Another change than the one that waits is 409 `order_changed`; accepting it again changes nothing."
    ),
  HttpApiEndpoint.get("payouts", "/payouts")
    .setUrlParams(query({ ...pharmacyScope, ...PayoutQuery.fields }))
    .addSuccess(Paged(Payout))
    .annotate(CostClass, "report")
    .annotate(OpenApi.Identifier, "listPayouts")
    .annotate(Recorded, "money, no patients")
    .annotate(OpenApi.Summary, "List payouts, projected and routed")
    .annotate(
      OpenApi.Description,
      "Projected rows estimate the payouts of paid orders with a physical line, at current prices and terms; a row becomes routed once the order is completed and the payment provider has the route. Rows without `routing_created_at` sort as the earliest. `Accept: text/csv` returns a statement: every row of the filter, then a total for each status and currency; more than 50,000 rows are 400, so request shorter periods."
    )
    .annotate(OpenApi.Transform, alsoCsv)
)
  .addError(problem(Invalid, PharmacyNotFound))
  .middleware(PharmacyKey)
  .prefix("/v1/external_pharmacy_api")
  .annotate(GroupPermissions, { read: ["orders_read"], change: ["orders_write"] })
  .annotate(Noun, "PharmacyOrder")
  .annotate(OpenApi.Title, "Pharmacy: orders and payouts")
  .annotate(OpenApi.Description, "A pharmacy's orders with their steps, and its payouts") {}
