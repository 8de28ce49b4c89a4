import type { HttpServerRequest } from "@effect/platform"
import { HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Stream } from "effect"
import { Orders } from "../../services/pharmacy/Orders.ts"
import { PayoutList } from "../../services/pharmacy/PayoutList.ts"
import { statementCsv } from "../../services/pharmacy/statement.ts"
import { group } from "../group.ts"
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

export const PharmacyOrdersHttp = group("pharmacy.orders", (handlers) =>
  Effect.gen(function* () {
    const orders = yield* Orders
    const payouts = yield* PayoutList
    const within = yield* scoped
    return handlers
      .handle("list", ({ urlParams }) =>
        within(urlParams, ({ pharmacy_uid }) => Effect.map(orders.list(pharmacy_uid, urlParams), page))
      )
      .handle("get", ({ path, urlParams }) =>
        within(urlParams, ({ pharmacy_uid }) => orders.get(pharmacy_uid, path.pharmacy_order_uid))
      )
      .handle("changeStatus", ({ path, urlParams, payload }) =>
        within(urlParams, ({ pharmacy_uid }) => orders.changeStatus(pharmacy_uid, path.pharmacy_order_uid, payload))
      )
      .handle("complete", ({ path, urlParams }) =>
        within(urlParams, ({ pharmacy_uid }) => orders.complete(pharmacy_uid, path.pharmacy_order_uid))
      )
      .handle("setTracking", ({ path, urlParams, payload }) =>
        within(urlParams, ({ pharmacy_uid }) => orders.setTracking(pharmacy_uid, path.pharmacy_order_uid, payload))
      )
      .handle("undo", ({ path, urlParams }) =>
        within(urlParams, ({ pharmacy_uid }) => orders.undo(pharmacy_uid, path.pharmacy_order_uid))
      )
      .handle("report", ({ path, urlParams, payload }) =>
        within(urlParams, ({ pharmacy_uid }) => orders.report(pharmacy_uid, path.pharmacy_order_uid, payload))
      )
      .handle("acceptChange", ({ path, urlParams, payload }) =>
        within(urlParams, ({ pharmacy_uid }) => orders.acceptChange(pharmacy_uid, path.pharmacy_order_uid, payload))
      )
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
