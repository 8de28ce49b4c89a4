import type { HttpServerRequest } from "@effect/platform"
import { HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Stream } from "effect"
import type { PharmacyOrderUid, PharmacyUid } from "../../schemas/ids.ts"
import { PharmacyOrder } from "../../schemas/pharmacy/PharmacyOrder.ts"
import { Orders } from "../../services/pharmacy/Orders.ts"
import { PayoutList } from "../../services/pharmacy/PayoutList.ts"
import { statementCsv } from "../../services/pharmacy/statement.ts"
import { Conditional, type IfMatch, recordTags } from "../conditional.ts"
import { group } from "../group.ts"
import { setTag } from "../server/compression.ts"
import type { OrderPage } from "./PharmacyOrdersApi.ts"
import { scoped } from "./scope.ts"

/** CSV only if it is the first type in `Accept`, otherwise JSON. */
const wantsCsv = ({ headers }: HttpServerRequest.HttpServerRequest) => /^\s*text\/csv\b/i.test(headers.accept ?? "")

const csv = (text: Stream.Stream<string>) =>
  HttpServerResponse.stream(Stream.encodeText(text), {
    contentType: "text/csv; charset=utf-8",
    headers: { "content-disposition": 'attachment; filename="payouts.csv"' }
  })

/** Sends records as they are: encoded by their schema, the 25,500 lines that a page may have took another 40 MiB. */
const page = (orders: typeof OrderPage.Encoded) => HttpServerResponse.unsafeJson(orders)

/** Parts of an order that are changed on their own; the tag of a whole order would change with its signed addresses. */
const parts = {
  tracking: recordTags(PharmacyOrder.fields.tracking),
  problem: recordTags(PharmacyOrder.fields.problem)
}
const tagOfPart = (part: keyof typeof parts, order: Pick<PharmacyOrder, "tracking" | "problem">) =>
  part === "tracking" ? parts.tracking.tagOf(order.tracking) : parts.problem.tagOf(order.problem)

interface OfOrder {
  readonly path: { readonly pharmacy_order_uid: PharmacyOrderUid }
  readonly urlParams: { readonly pharmacy_uid?: PharmacyUid | undefined }
}

export const PharmacyOrdersHttp = group("pharmacy.orders", (handlers) =>
  Effect.gen(function* () {
    const orders = yield* Orders
    const payouts = yield* PayoutList
    const within = yield* scoped
    const { changeIfMatch } = yield* Conditional
    /** Changes a part of an order if `If-Match` is that part's tag. */
    const changePart = <E, R>(
      part: keyof typeof parts,
      headers: IfMatch,
      [pharmacy, uid]: readonly [PharmacyUid, PharmacyOrderUid],
      change: Effect.Effect<PharmacyOrder, E, R>
    ) =>
      changeIfMatch(
        headers,
        { record: Effect.map(orders.findForChange(pharmacy, uid), (order) => tagOfPart(part, order)) },
        change
      ).pipe(Effect.tap((order) => setTag(tagOfPart(part, order))))
    /** Runs `use` with the order that the path names. */
    const own = <A, E, R>(
      { path, urlParams }: OfOrder,
      use: (pharmacy: PharmacyUid, uid: PharmacyOrderUid) => Effect.Effect<A, E, R>
    ) => within(urlParams, ({ pharmacy_uid }) => use(pharmacy_uid, path.pharmacy_order_uid))
    return handlers
      .handle("list", ({ urlParams }) =>
        within(urlParams, ({ pharmacy_uid }) => Effect.map(orders.list(pharmacy_uid, urlParams), page))
      )
      .handle("get", (request) => own(request, orders.get))
      .handle("changeStatus", (request) => own(request, (...of) => orders.changeStatus(...of, request.payload)))
      .handle("complete", (request) => own(request, orders.complete))
      .handle("setTracking", (request) =>
        own(request, (...of) => changePart("tracking", request.headers, of, orders.setTracking(...of, request.payload)))
      )
      .handle("undo", (request) => own(request, orders.undo))
      .handle("report", (request) =>
        own(request, (...of) => changePart("problem", request.headers, of, orders.report(...of, request.payload)))
      )
      .handle("acceptChange", (request) => own(request, (...of) => orders.acceptChange(...of, request.payload)))
      .handle("payouts", ({ request, urlParams }) =>
        within(urlParams, ({ pharmacy_uid }) =>
          Effect.gen(function* () {
            if (wantsCsv(request)) return csv(statementCsv(yield* payouts.statement(pharmacy_uid, urlParams)))
            return yield* payouts.list(pharmacy_uid, urlParams)
          })
        )
      )
  })
).pipe(Layer.provide([Orders.Default, PayoutList.Default]))
