/** `/storefront/checkout/{id}` and its button (Rule 11.8.2). Anyone with the URL can pay; a GET does not pay. */
import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Schema } from "effect"
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { Settings } from "../../../config.ts"
import { makeNonce } from "../../../http/hosted/serving/headers.ts"
import { Routes } from "../../../http/inRequest.ts"
import { DraftOrderUid } from "../../../schemas/ids.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { EmbeddedCheckout } from "../services/EmbeddedCheckout.ts"
import type { EmbeddedOrder } from "../services/EmbeddedShop.ts"
import { CheckoutPage } from "./CheckoutPage.tsx"

const headers = (nonce: string) => ({
  "content-security-policy":
    `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; form-action 'self'; base-uri 'none'; ` +
    "frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store"
})

const page = (order: EmbeddedOrder) => {
  const nonce = makeNonce()
  return HttpServerResponse.text(`<!doctype html>${renderToString(h(CheckoutPage, { order, nonce }))}`, {
    contentType: "text/html; charset=utf-8",
    headers: headers(nonce)
  })
}

const routes = Routes.use((router) =>
  Effect.gen(function* () {
    const checkout = yield* EmbeddedCheckout
    const sql = yield* Sql
    const order = Effect.map(HttpRouter.schemaPathParams(Schema.Struct({ id: DraftOrderUid })), ({ id }) => id)
    const view = order.pipe(Effect.orDie, Effect.flatMap(checkout.view), Effect.map(page))
    const pay = order.pipe(Effect.orDie, Effect.flatMap(checkout.pay), Effect.map(page))
    yield* router.get("/storefront/checkout/:id", view)
    yield* router.post("/storefront/checkout/:id/pay", Effect.provideService(pay, Sql, sql))
  })
).pipe(Layer.provide(EmbeddedCheckout.Default))

/** Only in development: its button marks the order as paid without a payment. */
export const CheckoutPageHttp = Layer.unwrapEffect(
  Effect.map(Settings, ({ development }) => (development ? routes : Layer.empty))
)
