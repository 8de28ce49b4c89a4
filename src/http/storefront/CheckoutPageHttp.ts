/** `/storefront/checkout/{id}` and its button. Whoever has been given the address may pay; nothing is paid by a GET. */
import { HttpApiBuilder, HttpRouter, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import type { Conflict } from "../../schemas/conflicts.ts"
import type { NotFound } from "../../schemas/problems.ts"
import { EmbeddedCheckout } from "../../services/checkout/embedded/EmbeddedCheckout.ts"
import type { EmbeddedOrder } from "../../services/checkout/embedded/EmbeddedShop.ts"
import { makeNonce } from "../hosted/serving/headers.ts"
import { reply } from "../problems.ts"
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

const id = Effect.map(HttpRouter.schemaPathParams(Schema.Struct({ id: Schema.String })), (params) => params.id)

const answer = <R>(order: (id: string) => Effect.Effect<EmbeddedOrder, NotFound | Conflict, R>) =>
  Effect.flatMap(Effect.orDie(id), order).pipe(
    Effect.map(page),
    Effect.catchTags({
      NotFound: ({ message }) => reply(404, "not_found", message),
      Conflict: ({ reason, message }) => reply(409, reason, message)
    })
  )

export const CheckoutPageHttp = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const checkout = yield* EmbeddedCheckout
    const sql = yield* SqlClient.SqlClient
    const pay = Effect.provideService(answer(checkout.pay), SqlClient.SqlClient, sql)
    yield* router.get("/storefront/checkout/:id", answer(checkout.view))
    yield* router.post("/storefront/checkout/:id/pay", pay)
  })
).pipe(Layer.provide(EmbeddedCheckout.Default))
